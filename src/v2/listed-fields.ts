import { isObject } from '../base/json/json-objects.ts';

/** The properties that an update can set and an entry of a list may tell. */
export type ListedField = 'title' | 'hidden' | 'order' | 'translationStatus' | 'categoryId';

const ALL_LISTED_FIELDS: ReadonlySet<ListedField> = new Set<ListedField>([
  'title',
  'hidden',
  'order',
  'translationStatus',
  'categoryId',
]);

/**
 * The properties that an entry tells as they are. A member that it lacks, or that has another type, is decoded as if
 * it were empty, and tells nothing. Without its language or its version an entry tells nothing at all. A shared article
 * may be in several categories, so its place in the tree is not its category.
 */
export function listedFieldsOf(entry: unknown): ReadonlySet<ListedField> {
  if (!isObject(entry)) return new Set();
  const { title, hidden, order, translation_option: option, is_shared_article: isShared } = entry;
  const isIdentified = typeof entry['language_code'] === 'string' && Number.isInteger(entry['latest_version']);
  if (!isIdentified) return new Set();
  const told: Readonly<Record<ListedField, boolean>> = {
    title: title === null || typeof title === 'string',
    hidden: typeof hidden === 'boolean',
    order: order === null || Number.isInteger(order),
    translationStatus: option === null || typeof option === 'string' || typeof option === 'number',
    categoryId: isShared !== true,
  };
  const fields = [...ALL_LISTED_FIELDS].filter((field) => told[field]);
  return fields.length === ALL_LISTED_FIELDS.size ? ALL_LISTED_FIELDS : new Set(fields);
}
