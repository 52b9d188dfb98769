/** Cuts a list into slices of one length; the last may be shorter. */
export function* slicesOf<T>(items: readonly T[], length: number): Generator<readonly T[]> {
  if (items.length <= length) yield items;
  else for (let start = 0; start < items.length; start += length) yield items.slice(start, start + length);
}
