interface Results<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** Calls a function once for each key and remembers the result, by default for as long as itself. */
export function memoize<K, V>(create: (key: K) => V, results: Results<K, V> = new Map()): (key: K) => V {
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = create(key);
    results.set(key, result);
    return result;
  };
}
