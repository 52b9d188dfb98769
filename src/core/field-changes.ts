import type { ArticleProperty } from './articles/bulk-updates.ts';

/** The properties that a preview compares: those of articles and of reader groups. */
type ChangedField = ArticleProperty | 'title' | 'description' | 'status' | 'publicVersionNumber';

/** True for equal values of a member. Lists are compared by their entries, and dates by their time. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((entry, index) => isSameValue(entry, other[index]));
  return one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;
}

/** A property that a write would change, with its values as reads return them; null when there is no value. */
export interface FieldChange {
  readonly field: ChangedField;
  readonly from: unknown;
  readonly to: unknown;
}
