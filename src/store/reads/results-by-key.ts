import { ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';

export type ResultsByKey<T> = readonly Result<T, BackendError>[];

/** One value per key, in the order of the keys. `n` is the index of a row's key; keys without a row get null. */
export function valuesByKey<Row extends { readonly n: number }, T>(
  keys: readonly unknown[],
  rows: readonly Row[],
  toValue: (row: Row) => T,
): ResultsByKey<T | null> {
  const byKey = new Map(rows.map((row) => [row.n, row]));
  return keys.map((_, n) => {
    const row = byKey.get(n);
    return ok(row ? toValue(row) : null);
  });
}

/** One list per key, in the order of the keys. `n` is the index of a row's key; keys without rows get an empty list. */
export function listsByKey<Row extends { readonly n: number }, T>(
  keys: readonly unknown[],
  rows: readonly Row[],
  toValue: (row: Row) => T,
): ResultsByKey<readonly T[]> {
  const byKey = Map.groupBy(rows, ({ n }) => n);
  return keys.map((_, n) => ok((byKey.get(n) ?? []).map(toValue)));
}

/** One value per ID, in the order of the IDs. */
export const valuesById = <T>(ids: readonly string[], byId: ReadonlyMap<string, T>): ResultsByKey<T | null> =>
  ids.map((id) => ok(byId.get(id) ?? null));
