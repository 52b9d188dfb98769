import { err, ok, type Result } from '../result.ts';
import { type ArrayPiece, ArrayPieces } from './array-pieces.ts';
import { type JsonBounds, JsonScanner } from './json-scanner.ts';
import { ObjectShapes } from './object-shapes.ts';
import { type JsonSource, parseInPieces } from './parse-in-pieces.ts';

/** Why a JSON text was not parsed. */
export type JsonParseFailure =
  | { readonly kind: 'encoding' }
  | { readonly kind: 'limit'; readonly problem: string }
  /** `position` starts at 0; null when the parser names none. */
  | { readonly kind: 'syntax'; readonly position: number | null }
  | { readonly kind: 'out-of-memory' };

type JsonParseResult = Result<unknown, JsonParseFailure>;

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

/** Texts from this size are parsed in ticks of their own. 64 kB are a list of about 250 items, and take a millisecond. */
const LARGE_BYTES = 64 * 1024;

/** The length of a section of the scan, and the least one of a piece: about 8 ms of scanning, and up to 6 ms of parsing. */
const BYTES_PER_STEP = 384 * 1024;

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
  return parseAtOnce(source, new JsonScanner(options.bounds), options.budget);
}

function parseAtOnce(source: JsonSource, scanner: JsonScanner, budget: ParseBudget): JsonParseResult {
  const text = decode(source);
  if (text === null) return err({ kind: 'encoding' });
  const problem = scanner.scan(text);
  return problem === null ? parseScannedText(text, scanner.values, budget) : err({ kind: 'limit', problem });
}

/**
 * Parses a large text. No step blocks the event loop for more than about 50 ms, except for what the array pieces leave
 * to one `JSON.parse`: a text without long arrays, or one that is not JSON. A text of one step has one tick, in which
 * the request goes on as far as it can: between steps of other texts its values would leave the processor's caches, and
 * each use of them would take twice the time.
 *
 * @internal
 */
export async function parseLargeJson(
  source: JsonSource,
  { bounds, budget }: JsonParseOptions,
  stepBytes = BYTES_PER_STEP,
): Promise<JsonParseResult> {
  const { length } = source.bytes;
  if (!budget.charge(BYTES_WHILE_PARSING * length)) return err({ kind: 'out-of-memory' });
  await budget.nextTick();
  if (length <= stepBytes)
    return parseAtOnce(source, new JsonScanner(bounds, { shapes: new ObjectShapes(), pieces: null }), budget);
  const scanned = await scanInSteps(source, { bounds, budget }, stepBytes);
  if (!scanned.ok) return scanned;
  const parsed = (await parseByPieces(source, scanned.value, budget)) ?? parseWhole(source, scanned.value, budget);
  // The next step with the parsed value takes long too.
  await budget.nextTick();
  return parsed;
}

interface ScannedJson {
  readonly values: number;
  readonly pieces: readonly ArrayPiece[];
}

/** Decodes each section as Latin-1, which is a copy, and costs the young generation of the heap alone. */
async function scanInSteps(
  source: JsonSource,
  { bounds, budget }: JsonParseOptions,
  stepBytes: number,
): Promise<Result<ScannedJson, JsonParseFailure>> {
  const { buffer, byteOffset, byteLength } = source.bytes;
  const sections = Buffer.from(buffer, byteOffset, byteLength);
  const pieces = new ArrayPieces(stepBytes);
  const scanner = new JsonScanner(bounds, { shapes: new ObjectShapes(), pieces });
  for (let start = 0; start < byteLength; start += stepBytes) {
    const problem = scanner.scan(sections.toString('latin1', start, start + stepBytes));
    if (problem !== null) return err(decode(source) === null ? { kind: 'encoding' } : { kind: 'limit', problem });
    await budget.nextTick();
  }
  return ok({ values: scanner.values, pieces: pieces.found });
}

/** Null when the text has no pieces, and when a part of it is not JSON. */
async function parseByPieces(
  source: JsonSource,
  { values, pieces }: ScannedJson,
  budget: ParseBudget,
): Promise<JsonParseResult | null> {
  if (pieces.length === 0) return null;
  // A character has at least one byte.
  const isCharged = budget.charge(BYTES_PER_CHARACTER * source.bytes.length + BYTES_PER_VALUE * values);
  if (!isCharged) return err({ kind: 'out-of-memory' });
  const value = await parseInPieces(source, pieces, () => budget.nextTick());
  return value === undefined ? null : ok(value);
}

function parseWhole(source: JsonSource, { values }: ScannedJson, budget: ParseBudget): JsonParseResult {
  const text = decode(source);
  return text === null ? err({ kind: 'encoding' }) : parseScannedText(text, values, budget);
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
