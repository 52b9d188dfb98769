import type { GraphQLResolveInfo } from 'graphql';
import type { ReadAccessScope } from '../../domain/reader-groups/access-scopes.ts';
import type { Context } from '../context.ts';
import { selectsAnyField } from '../selected-fields.ts';

const SCOPE_LISTS: ReadonlySet<string> = new Set(['categories', 'languages']);
const CATEGORY_FIELD: ReadonlySet<string> = new Set(['category']);
const VERSION_FIELDS: ReadonlySet<string> = new Set(['projectVersion', 'language']);
const VERSION_LIST_FIELD: ReadonlySet<string> = new Set(['projectVersions']);

/** The categories of a longer list are loaded one by one, so that the budget of the operation stops that. */
const MAX_CATEGORIES = 100;

/**
 * Returns the scope once the categories and project versions that are selected of it are loaded, so that its fields are
 * executed without a promise for each. What cannot be loaded is an error of its field.
 */
export function loadScopeLinks<S extends ReadAccessScope>(
  scope: S,
  { loaders }: Context,
  info: GraphQLResolveInfo,
): S | Promise<S> {
  const pending: unknown[] = [];
  const categories = scope.level === 'CATEGORY' ? scope.categories : [];
  const isShort = categories.length > 0 && categories.length <= MAX_CATEGORIES;
  if (isShort && selectsAnyField(info, CATEGORY_FIELD, SCOPE_LISTS))
    pending.push(loaders.categories.loadAll(categories));
  if (namesVersions(scope) && selectsAnyField(info, versionFieldsOf(scope), SCOPE_LISTS))
    pending.push(loaders.projectVersions.load('all'));
  return pending.length === 0 ? scope : Promise.allSettled(pending).then(() => scope);
}

function namesVersions(scope: ReadAccessScope): boolean {
  if (scope.level === 'CATEGORY') return scope.categories.length > 0;
  if (scope.level === 'VERSION') return scope.projectVersionIds.length > 0;
  return scope.level === 'LANGUAGE' && scope.languages.length > 0;
}

const versionFieldsOf = ({ level }: ReadAccessScope): ReadonlySet<string> =>
  level === 'VERSION' ? VERSION_LIST_FIELD : VERSION_FIELDS;
