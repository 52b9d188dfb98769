import type { BackendError } from '../../../domain/errors.ts';
import { ok, type Result } from '../../../domain/result.ts';

export type Found<T> = readonly Result<T, BackendError>[];

/** One answer per key, in the order of the keys, from rows that say by `n` which key they belong to. */
export function inOrder<Row extends { readonly n: number }, T>(
  keys: readonly unknown[],
  rows: readonly Row[],
  toValue: (row: Row) => T,
): Found<T | null> {
  const byKey = new Map(rows.map((row) => [row.n, row]));
  return keys.map((_, n) => {
    const row = byKey.get(n);
    return ok(row ? toValue(row) : null);
  });
}

/** The same for lists: every key has one, be it empty. */
export function listsInOrder<Row extends { readonly n: number }, T>(
  keys: readonly unknown[],
  rows: readonly Row[],
  toValue: (row: Row) => T,
): Found<readonly T[]> {
  const byKey = Map.groupBy(rows, ({ n }) => n);
  return keys.map((_, n) => ok((byKey.get(n) ?? []).map(toValue)));
}
