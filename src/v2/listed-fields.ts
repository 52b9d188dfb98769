import { isObject } from '../base/json.ts';
import { ARTICLE_MEMBERS, isListed, type ListedProperty } from '../domain/articles/bulk-updates.ts';

const ALL_LISTED: ReadonlySet<ListedProperty> = new Set(Object.keys(ARTICLE_MEMBERS).filter(isListed));

/**
 * The properties that an entry tells as they are. A member that it lacks, or that has another type, is decoded as if
 * it were empty, and tells nothing. Without its language or its version an entry tells nothing at all. A shared article
 * may be in several categories, so its place in the tree is not its category.
 */
export function listedFieldsOf(entry: unknown): ReadonlySet<ListedProperty> {
  if (!isObject(entry)) return new Set();
  const { title, hidden, order, translation_option: option, is_shared_article: isShared } = entry;
  const isIdentified = typeof entry['language_code'] === 'string' && Number.isInteger(entry['latest_version']);
  if (!isIdentified) return new Set();
  const told: Readonly<Record<ListedProperty, boolean>> = {
    title: title === null || typeof title === 'string',
    hidden: typeof hidden === 'boolean',
    order: order === null || Number.isInteger(order),
    translationStatus: option === null || typeof option === 'string' || typeof option === 'number',
    categoryId: isShared !== true,
  };
  const properties = [...ALL_LISTED].filter((property) => told[property]);
  // Nearly all entries tell all, and share one set.
  return properties.length === ALL_LISTED.size ? ALL_LISTED : new Set(properties);
}
