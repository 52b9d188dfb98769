/** The longest name that is compared, in UTF-16 units with separators. No known name is longer. */
const MAX_LENGTH = 256;

/** The known name that was probably meant by another one; null when none is similar. */
export function closestName(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_LENGTH) return null;
  const plain = plainLetters(name);
  const maxDistance = Math.ceil(plain.length * 0.4);
  const [closest] = known
    .map((other) => ({ other, distance: editDistance(plain, plainLetters(other)) }))
    .filter(({ distance }) => distance <= maxDistance)
    .toSorted((one, other) => one.distance - other.distance);
  return closest?.other ?? null;
}

/** The letters of a name: `categoryId`, `category-id` and `Category ID` are spellings of one name. */
const plainLetters = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The longest name in UTF-16 units, since comparing two names takes the product of their lengths. */
const MAX_NAME_LENGTH = 64;

/**
 * The smallest number of letters to insert, delete, replace or swap with their neighbour, by which two names differ;
 * infinite where a name is longer than 64 letters.
 */
export function editDistance(one: string, other: string): number {
  if (Math.max(one.length, other.length) > MAX_NAME_LENGTH) return Number.POSITIVE_INFINITY;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? afterSwap(beforeLast[j - 2]) : Number.POSITIVE_INFINITY;
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped));
    }
    beforeLast = last;
    last = row;
  }
  return last[other.length] ?? 0;
}

/** The distance after a swap; infinite before the second letters, where there is nothing to swap. */
const afterSwap = (distance = Number.POSITIVE_INFINITY): number => distance + 1;
