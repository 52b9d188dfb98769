import type { ArrayPiece } from './array-pieces.ts';

export interface JsonSource {
  readonly bytes: Uint8Array;
  /** Throws for bytes that are not UTF-8. */
  readonly decoder: TextDecoder;
}

/** Keeps a byte order mark at the start of a part: it is within the text, where it is a syntax error. */
const PART_DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses each piece of a text alone, with a pause after it, and then the text with placeholders for the pieces. The text
 * as a whole is never decoded: V8 keeps a string that was decoded from more than 1 MB outside of its heap, where dozens
 * of them pile up until the next garbage collection of all.
 *
 * The result is that of `JSON.parse`: a piece that parses within brackets of its own is a list of elements, and a
 * placeholder that parses is an element of an array, since it stands after a bracket, a brace or a comma, and before a
 * comma. Undefined when a part is not JSON, or not UTF-8, so that the text is neither.
 */
export async function parseInPieces(
  source: JsonSource,
  pieces: readonly ArrayPiece[],
  pause: () => Promise<void>,
): Promise<unknown> {
  const elementsOf = new Map<string, readonly unknown[]>();
  for (const { start, end } of pieces) {
    const elements = parseOrUndefined(() => `[${PART_DECODER.decode(source.bytes.subarray(start, end))}]`);
    // A blank piece stands for an element that is missing.
    if (!Array.isArray(elements) || elements.length === 0) return undefined;
    elementsOf.set(crypto.randomUUID(), elements);
    await pause();
  }
  const value = parseOrUndefined(() => withPlaceholders(source, pieces, [...elementsOf.keys()]));
  insertElements(value, elementsOf);
  return value;
}

/** The text, with a string in the place of each piece. */
function withPlaceholders(
  { bytes, decoder }: JsonSource,
  pieces: readonly ArrayPiece[],
  placeholders: readonly string[],
): string {
  let text = decoder.decode(bytes.subarray(0, pieces[0]?.start));
  for (const [index, placeholder] of placeholders.entries()) {
    const rest = bytes.subarray(pieces[index]?.end, pieces[index + 1]?.start);
    text += `"${placeholder}"${PART_DECODER.decode(rest)}`;
  }
  return text;
}

function parseOrUndefined(decode: () => string): unknown {
  try {
    return JSON.parse(decode());
  } catch {
    return undefined;
  }
}

/** Replaces placeholders by their elements in the arrays themselves, since an object may have a member `__proto__`. */
function insertElements(value: unknown, elementsOf: ReadonlyMap<unknown, readonly unknown[]>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const part of Object.values(value)) insertElements(part, elementsOf);
  if (!Array.isArray(value) || !value.some((element) => elementsOf.has(element))) return;
  const elements: readonly unknown[] = value.flatMap((element) => elementsOf.get(element) ?? [element]);
  value.length = 0;
  for (const element of elements) value.push(element);
}
