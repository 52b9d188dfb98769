/** Longer names get no suggestion, so that the comparison is bounded. */
const MAX_NAME_LENGTH = 64;

/** The known name that somebody may have meant by another one; null when none is similar. */
export function closestName(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_NAME_LENGTH) return null;
  // Two letters in the wrong order, as in `titel`, are a distance of 2.
  const maxDistance = Math.ceil(name.length * 0.4);
  const [closest] = known
    .map((other) => ({ other, distance: editDistance(plainLetters(name), plainLetters(other)) }))
    .filter(({ distance }) => distance <= maxDistance)
    .toSorted((one, other) => one.distance - other.distance);
  return closest?.other ?? null;
}

/** `categoryId`, `category-id` and `Category ID` are spellings of one name. */
const plainLetters = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The number of letters to insert, delete or replace (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
