import { isObject } from '../base/json.ts';
import { idProblem } from '../base/text.ts';
import type { Validation } from '../errors.ts';

/** The service's access levels by their numbers. It does not document level 6: see docs/service.md, "Access scopes". */
export const ACCESS_LEVELS = ['NONE', 'CATEGORY', 'VERSION', 'PROJECT', 'LANGUAGE', 'ARTICLE', 'LEVEL_6'] as const;

export type KnownAccessLevel = (typeof ACCESS_LEVELS)[number];

/** A level without a list. */
export type PlainAccessLevel = 'NONE' | 'PROJECT' | 'ARTICLE' | 'LEVEL_6';

export interface LanguageScope {
  readonly projectVersionId: string;
  readonly languageCode: string;
}

export interface CategoryScope extends LanguageScope {
  readonly categoryId: string;
}

/** The part of the knowledge base that a group may read. Each level has only its own list. */
export type AccessScope =
  | { readonly level: PlainAccessLevel }
  | { readonly level: 'CATEGORY'; readonly categories: readonly CategoryScope[] }
  | { readonly level: 'VERSION'; readonly projectVersionIds: readonly string[] }
  | { readonly level: 'LANGUAGE'; readonly languages: readonly LanguageScope[] };

/**
 * A scope that was read from the service. One of level 6 or of an unknown level also has its JSON, since it is written
 * back exactly as it was: see docs/contract.md, "Access scopes".
 */
export type ReadAccessScope =
  | AccessScope
  | { readonly level: 'LEVEL_6'; readonly json: unknown }
  | { readonly level: 'UNRECOGNIZED'; readonly rawLevel: number; readonly json: unknown };

/** The service's number of a scope's level. */
export const rawLevelOf = (scope: ReadAccessScope): number =>
  scope.level === 'UNRECOGNIZED' ? scope.rawLevel : ACCESS_LEVELS.indexOf(scope.level);

/** The reason why a scope that was read cannot be written back; null when it can. */
export const keptScopeProblem = (scope: ReadAccessScope): string | null =>
  'json' in scope && scope.json == null
    ? 'The service does not show the access scope of the reader group, so it cannot be kept.'
    : null;

/** True when writing `next` does not change what the group may read. */
export function isSameAccessScope(current: ReadAccessScope, next: ReadAccessScope): boolean {
  if (current === next || JSON.stringify(current) === JSON.stringify(next)) return true;
  return current.level === 'LEVEL_6' && next.level === 'LEVEL_6' && 'json' in current && hasNoList(current.json);
}

const hasNoList = (json: unknown): boolean =>
  isObject(json) &&
  Object.entries(json).every(
    ([name, value]) => name === 'access_level' || value === null || (Array.isArray(value) && value.length === 0),
  );

/** A scope as the caller sent it, before validation: exactly one member must be present. */
export interface AccessScopeDraft {
  readonly level?: PlainAccessLevel | null | undefined;
  readonly categories?: readonly CategoryScope[] | null | undefined;
  readonly projectVersionIds?: readonly string[] | null | undefined;
  readonly languages?: readonly LanguageScope[] | null | undefined;
}

/** An entry of the list of a scope: a project version, or a part of one. */
export interface ScopeEntry {
  readonly projectVersionId: string;
  readonly languageCode?: string;
  readonly categoryId?: string;
}

/** The list that belongs to the level of a scope, by its name in inputs; an empty one for a level without a list. */
export function listOfScope(scope: ReadAccessScope): {
  readonly list: string;
  readonly entries: readonly ScopeEntry[];
} {
  if (scope.level === 'CATEGORY') return { list: 'categories', entries: scope.categories };
  if (scope.level === 'LANGUAGE') return { list: 'languages', entries: scope.languages };
  if (scope.level !== 'VERSION') return { list: 'level', entries: [] };
  const entries = scope.projectVersionIds.map((projectVersionId) => ({ projectVersionId }));
  return { list: 'projectVersionIds', entries };
}

/** The path of an ID in the list of a scope. The entries of `projectVersionIds` have no members in an input. */
export const pathOfScopeId = (list: string, index: number, member: string): readonly string[] => [
  ...['accessScope', list, `${index}`],
  ...(list === 'projectVersionIds' ? [] : [member]),
];

/** Checks a draft. Returns null unless it has exactly one member. */
export function* validateAccessScope(draft: AccessScopeDraft): Validation<AccessScope | null> {
  const { level, categories, projectVersionIds, languages } = draft;
  const given = [level, categories, projectVersionIds, languages].filter((member) => member != null);
  if (given.length !== 1) {
    const message = 'accessScope must have exactly one of level, categories, projectVersionIds and languages.';
    yield { path: ['accessScope'], message };
    return null;
  }
  if (level) return { level };
  const scope = scopeWithList(draft);
  const { list, entries } = listOfScope(scope);
  if (entries.length === 0) yield { path: ['accessScope', list], message: `${list} must have at least one item.` };
  for (const [index, entry] of entries.entries()) {
    for (const [member, id] of Object.entries(entry)) {
      const problem = idProblem(id);
      const name = list === 'projectVersionIds' ? 'A project version ID' : member;
      if (problem !== null) yield { path: pathOfScopeId(list, index, member), message: `${name} ${problem}.` };
    }
  }
  return scope;
}

function scopeWithList({ categories, projectVersionIds, languages }: AccessScopeDraft): AccessScope {
  if (categories) return { level: 'CATEGORY', categories };
  return languages
    ? { level: 'LANGUAGE', languages }
    : { level: 'VERSION', projectVersionIds: projectVersionIds ?? [] };
}
