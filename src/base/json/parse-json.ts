import { err, ok, type Result } from '../result.ts';
import { countJsonValues, type JsonBounds } from './json-scanner.ts';

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
  /** Throws for bytes that are not UTF-8. */
  readonly decoder: TextDecoder;
}

/** The share of one request in the event loop and the memory of the process. */
export interface ParseBudget {
  /** Resolves in a tick of its own, before a large text is parsed. */
  nextTick(): Promise<void>;
  /** Sets the bytes that the request takes in total; false when the memory of the process has no room for them. */
  charge(bytes: number): boolean;
}

export interface JsonParseOptions {
  readonly bounds: JsonBounds;
  readonly budget: ParseBudget;
}

/** Texts from this size are parsed in ticks of their own. 64 kB are a list of about 250 items, and take a millisecond. */
const LARGE_BYTES = 64 * 1024;

/** The values of texts above this size are used in a later tick. Those of others are still in the processor's caches. */
const ALONE_BYTES = 384 * 1024;

/** Per byte of a body: the byte itself, and its character, which may take two bytes. */
const BYTES_WHILE_PARSING = 3;
const BYTES_PER_CHARACTER = 2;
/** Measured: a parsed value takes 30 to 80 bytes, and the value that GraphQL coerces it to about as much. */
const BYTES_PER_VALUE = 128;

/** Parses a JSON text within bounds: a small text at once, a large one in a tick of its own. */
export function parseBoundedJson(
  source: JsonSource,
  options: JsonParseOptions,
): JsonParseResult | Promise<JsonParseResult> {
  return source.bytes.length >= LARGE_BYTES ? parseLargeJson(source, options) : parseAtOnce(source, options);
}

/** The bounds hold one text to about the time of a few large ones: docs/decisions/0044-decoded-once.md has the figures. */
async function parseLargeJson(source: JsonSource, options: JsonParseOptions): Promise<JsonParseResult> {
  const { budget } = options;
  const { length } = source.bytes;
  if (!budget.charge(BYTES_WHILE_PARSING * length)) return err({ kind: 'out-of-memory' });
  await budget.nextTick();
  const parsed = parseAtOnce(source, options);
  if (length > ALONE_BYTES) await budget.nextTick();
  return parsed;
}

function parseAtOnce(source: JsonSource, { bounds, budget }: JsonParseOptions): JsonParseResult {
  const text = decode(source);
  if (text === null) return err({ kind: 'encoding' });
  const values = countJsonValues(text, bounds);
  if (!values.ok) return err({ kind: 'limit', problem: values.error });
  if (!budget.charge(BYTES_PER_CHARACTER * text.length + BYTES_PER_VALUE * values.value))
    return err({ kind: 'out-of-memory' });
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    // The parser's message quotes the text.
    const position = / at position (\d+)/u.exec(error instanceof Error ? error.message : '')?.[1];
    return err({ kind: 'syntax', position: position === undefined ? null : Number(position) });
  }
}

function decode({ bytes, decoder }: JsonSource): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
