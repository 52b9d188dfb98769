/** Keeps what was used lately, as long as all of it together weighs at most so much. */
export interface WeightedCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, weight: number): void;
}

interface Entry<V> {
  readonly value: V;
  readonly weight: number;
  /** Whether it was asked for since it was last at the end. */
  isUsed: boolean;
}

/** What alone weighs more than an eighth of the whole is not kept: one entry must not push out all others. */
const LARGEST_SHARE = 1 / 8;

/**
 * What has to go is looked for among what was added first; what was used meanwhile gets a second chance, at the end. To
 * find an entry changes nothing but a mark on it: a Map that changes with every request leaves much behind.
 */
export function createWeightedCache<V>(maxWeight: number): WeightedCache<V> {
  // A Map keeps the order in which keys were added.
  const entries = new Map<string, Entry<V>>();
  let total = 0;
  const remove = (key: string, { weight }: Entry<V>): void => {
    entries.delete(key);
    total -= weight;
  };
  const spare = (key: string, entry: Entry<V>): void => {
    entries.delete(key);
    entry.isUsed = false;
    entries.set(key, entry);
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entry.isUsed = true;
      return entry.value;
    },
    set: (key, value, weight) => {
      const replaced = entries.get(key);
      if (replaced) remove(key, replaced);
      if (weight > maxWeight * LARGEST_SHARE) return;
      // What is spared comes by once more, unmarked, so this ends.
      for (const [oldest, entry] of entries) {
        if (total + weight <= maxWeight) break;
        if (entry.isUsed) spare(oldest, entry);
        else remove(oldest, entry);
      }
      entries.set(key, { value, weight, isUsed: false });
      total += weight;
    },
  };
}
