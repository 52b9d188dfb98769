/** Calls a function once for each object and remembers the result for as long as the object lives. */
export function memoize<K extends object, V>(create: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = create(key);
    results.set(key, result);
    return result;
  };
}
