import { err, ok, type Result } from '../result.ts';
import { type JsonBounds, JsonScan } from './json-scanner.ts';
import { ObjectKinds } from './object-shapes.ts';

/** Why a JSON text was not parsed. */
export type JsonFault =
  | { readonly kind: 'encoding' }
  | { readonly kind: 'limit'; readonly problem: string }
  /** `position` counts from 0; null where the parser names none. */
  | { readonly kind: 'syntax'; readonly position: number | null }
  /** There is no memory for what the text would become. */
  | { readonly kind: 'no-room' };

type Parsed = Result<unknown, JsonFault>;

export interface JsonSource {
  readonly bytes: Uint8Array;
  /** Null where the bytes are no text. */
  readonly decode: (bytes: Uint8Array) => string | null;
}

/** What parsing a text may take of what all requests share. */
export interface ParseRoom {
  /** Resolves when it is the turn of a large text to go on. */
  turn(): Promise<void>;
  /** Asks for so many bytes in all for one request; false where there is no room for them. */
  charge(bytes: number): boolean;
}

/** From here on a text is parsed with pauses: 64 kB are a list of some 250 items, and about a millisecond. */
const LARGE_BYTES = 64 * 1024;

/** Some 10 ms of counting. */
const CHARACTERS_AT_A_TIME = 512 * 1024;

/** The bytes, and the text that they become, of which a character may take two. */
const BYTES_WHILE_PARSING = 3;
const BYTES_OF_A_CHARACTER = 2;
/** Measured: a value takes 30 to 80 bytes once parsed, and what is made of it by GraphQL about as much. */
const BYTES_OF_A_VALUE = 128;

/** A small text is parsed at once. */
export function parseJson(source: JsonSource, bounds: JsonBounds, room: ParseRoom): Parsed | Promise<Parsed> {
  if (source.bytes.length >= LARGE_BYTES) return parseLargeJson(source, bounds, room);
  const text = source.decode(source.bytes);
  if (text === null) return err({ kind: 'encoding' });
  const scan = new JsonScan(text, bounds);
  const problem = scan.advance();
  return problem === null ? parse(text, scan.values, room) : err({ kind: 'limit', problem });
}

/** No step of it but the parser's own holds the event loop for more than some 20 ms. */
async function parseLargeJson({ bytes, decode }: JsonSource, bounds: JsonBounds, room: ParseRoom): Promise<Parsed> {
  if (!room.charge(BYTES_WHILE_PARSING * bytes.length)) return err({ kind: 'no-room' });
  await room.turn();
  const text = decode(bytes);
  if (text === null) return err({ kind: 'encoding' });
  const scan = new JsonScan(text, bounds, new ObjectKinds());
  while (!scan.isDone) {
    const problem = scan.advance(CHARACTERS_AT_A_TIME);
    if (problem !== null) return err({ kind: 'limit', problem });
    await room.turn();
  }
  const parsed = parse(text, scan.values, room);
  // What is done with it next takes its time too.
  await room.turn();
  return parsed;
}

/** No error of the parser is passed on: it quotes the text. */
function parse(text: string, values: number, room: ParseRoom): Parsed {
  if (!room.charge(BYTES_OF_A_CHARACTER * text.length + BYTES_OF_A_VALUE * values)) return err({ kind: 'no-room' });
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    const position = / at position (\d+)/u.exec(error instanceof Error ? error.message : '')?.[1];
    return err({ kind: 'syntax', position: position === undefined ? null : Number(position) });
  }
}
