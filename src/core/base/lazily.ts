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
