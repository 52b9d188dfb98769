/** Keeps what was used last, as long as all of it together weighs at most so much. */
export interface WeightedCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, weight: number): void;
}

interface Entry<V> {
  readonly value: V;
  readonly weight: number;
}

/** What alone weighs more than an eighth of the whole is not kept: one entry must not push out all others. */
const LARGEST_SHARE = 1 / 8;

export function createWeightedCache<V>(maxWeight: number): WeightedCache<V> {
  // A Map keeps the order in which keys were added: what was used last is put back at the end.
  const entries = new Map<string, Entry<V>>();
  let total = 0;
  const remove = (key: string, { weight }: Entry<V>): void => {
    entries.delete(key);
    total -= weight;
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set: (key, value, weight) => {
      const replaced = entries.get(key);
      if (replaced) remove(key, replaced);
      if (weight > maxWeight * LARGEST_SHARE) return;
      entries.set(key, { value, weight });
      total += weight;
      for (const [oldest, entry] of entries) {
        if (total <= maxWeight) return;
        remove(oldest, entry);
      }
    },
  };
}
