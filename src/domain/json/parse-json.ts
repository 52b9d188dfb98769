import { err, ok, type Result } from '../result.ts';
import { type JsonBounds, JsonScanner } from './json-scanner.ts';
import { ObjectShapes } from './object-shapes.ts';

/** Why a JSON text was not parsed. */
export type JsonParseFailure =
  | { readonly kind: 'encoding' }
  | { readonly kind: 'limit'; readonly problem: string }
  /** `position` starts at 0; null when the parser names none. */
  | { readonly kind: 'syntax'; readonly position: number | null }
  | { readonly kind: 'out-of-memory' };

type JsonParseResult = Result<unknown, JsonParseFailure>;

interface JsonSource {
  readonly bytes: Uint8Array;
  /** Throws for bytes that are not valid in their encoding. */
  readonly decoder: TextDecoder;
}

/** The share of one request in the event loop and the memory of the process. */
export interface ParseBudget {
  /** Resolves in a tick of its own, before the next step of a large text. */
  nextTick(): Promise<void>;
  /** Sets the bytes that the request takes in total; false when the memory of the process has no room for them. */
  charge(bytes: number): boolean;
}

export interface JsonParseOptions {
  readonly bounds: JsonBounds;
  readonly budget: ParseBudget;
}

/** Texts from this size are parsed with pauses. 64 kB are a list of about 250 items, and take about a millisecond. */
const LARGE_BYTES = 64 * 1024;

/** About 10 ms of scanning. */
const CHARACTERS_PER_STEP = 512 * 1024;

/** Per byte of a body: the byte itself, and its character, which may take two bytes. */
const BYTES_WHILE_PARSING = 3;
const BYTES_PER_CHARACTER = 2;
/** Measured: a parsed value takes 30 to 80 bytes, and the value that GraphQL coerces it to about as much. */
const BYTES_PER_VALUE = 128;

/** Parses a JSON text within bounds: a small text at once, a large one in steps with pauses. */
export function parseBoundedJson(
  source: JsonSource,
  options: JsonParseOptions,
): JsonParseResult | Promise<JsonParseResult> {
  if (source.bytes.length >= LARGE_BYTES) return parseLargeJson(source, options);
  const text = decode(source);
  if (text === null) return err({ kind: 'encoding' });
  const scanner = new JsonScanner(text, options.bounds);
  const problem = scanner.advance();
  return problem === null ? parseScannedText(text, scanner.values, options.budget) : err({ kind: 'limit', problem });
}

/** No step but `JSON.parse` itself blocks the event loop for more than about 20 ms. */
async function parseLargeJson(source: JsonSource, { bounds, budget }: JsonParseOptions): Promise<JsonParseResult> {
  if (!budget.charge(BYTES_WHILE_PARSING * source.bytes.length)) return err({ kind: 'out-of-memory' });
  await budget.nextTick();
  const text = decode(source);
  if (text === null) return err({ kind: 'encoding' });
  const scanner = new JsonScanner(text, bounds, new ObjectShapes());
  while (!scanner.isDone) {
    const problem = scanner.advance(CHARACTERS_PER_STEP);
    if (problem !== null) return err({ kind: 'limit', problem });
    await budget.nextTick();
  }
  const parsed = parseScannedText(text, scanner.values, budget);
  // The next step with the parsed value takes long too.
  await budget.nextTick();
  return parsed;
}

function decode({ bytes, decoder }: JsonSource): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** Returns the position of a syntax error alone, since the parser's message quotes the text. */
function parseScannedText(text: string, values: number, budget: ParseBudget): JsonParseResult {
  if (!budget.charge(BYTES_PER_CHARACTER * text.length + BYTES_PER_VALUE * values))
    return err({ kind: 'out-of-memory' });
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    const position = / at position (\d+)/u.exec(error instanceof Error ? error.message : '')?.[1];
    return err({ kind: 'syntax', position: position === undefined ? null : Number(position) });
  }
}
