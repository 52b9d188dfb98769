/**
 * Creates a value at its first use, and returns the same one for every later use. A failed creation is repeated by the
 * next use.
 */
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
