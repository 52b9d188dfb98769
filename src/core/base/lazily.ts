/** Creates a value at its first use, and returns it for every later use. After a failure, the next use tries again. */
export function lazily<T>(create: () => T): () => T {
  let created: { readonly value: T } | null = null;
  return () => {
    if (created !== null) return created.value;
    const attempt = { value: create() };
    created = attempt;
    if (attempt.value instanceof Promise)
      attempt.value.catch(() => {
        created = null;
      });
    return attempt.value;
  };
}

/** Where results are kept by their keys: a Map, or a WeakMap. */
export interface Results<K, V> {
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
