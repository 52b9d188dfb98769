import { editDistance } from './edit-distance.ts';

/** UTF-16 units, separators included. A longer name is none of those known, and takes no time. */
const MAX_LENGTH = 256;

/** The known name that somebody may have meant by another one; null when none is similar. */
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

/** `categoryId`, `category-id` and `Category ID` are spellings of one name. */
const plainLetters = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
