/**
 * The memory of a value of parsed JSON and of what is decoded from it, besides the characters. Measured: 24 to 41 bytes
 * for each value of articles, trees, groups and readers.
 */
const BYTES_PER_VALUE = 48;

/** Texts of other characters take two bytes for each. */
const LATIN_1 = /^[\0-\xff]*$/u;

/** Counts the memory of a payload that is kept. Stops counting beyond `maxBytes`. */
export function payloadSizeOf(payload: unknown, maxBytes: number): number {
  let bytes = 0;
  const count = (value: unknown): void => {
    bytes += BYTES_PER_VALUE;
    if (typeof value === 'string') bytes += LATIN_1.test(value) ? value.length : 2 * value.length;
    if (typeof value !== 'object' || value === null) return;
    for (const member of Object.values(value)) {
      if (bytes > maxBytes) return;
      count(member);
    }
  };
  count(payload);
  return bytes;
}
