import { isObject } from '../../base/json.ts';
import { idProblem } from '../../base/text.ts';
import type { InputIssue, Validation } from '../errors.ts';

/** The service's access levels. It does not document level 6: see docs/service.md, "Access scopes". */
export const ACCESS_LEVELS = {
  NONE: 0,
  CATEGORY: 1,
  VERSION: 2,
  PROJECT: 3,
  LANGUAGE: 4,
  ARTICLE: 5,
  LEVEL_6: 6,
} as const;

export type KnownAccessLevel = keyof typeof ACCESS_LEVELS;

/** The names of the access levels by their numbers. */
export const ACCESS_LEVEL_NAMES: ReadonlyMap<unknown, KnownAccessLevel> = new Map([
  [ACCESS_LEVELS.NONE, 'NONE'],
  [ACCESS_LEVELS.CATEGORY, 'CATEGORY'],
  [ACCESS_LEVELS.VERSION, 'VERSION'],
  [ACCESS_LEVELS.PROJECT, 'PROJECT'],
  [ACCESS_LEVELS.LANGUAGE, 'LANGUAGE'],
  [ACCESS_LEVELS.ARTICLE, 'ARTICLE'],
  [ACCESS_LEVELS.LEVEL_6, 'LEVEL_6'],
]);

/** A level without a list. */
export type PlainAccessLevel = 'NONE' | 'PROJECT' | 'ARTICLE' | 'LEVEL_6';

export interface LanguageScope {
  readonly projectVersionId: string;
  readonly languageCode: string;
}

export interface CategoryScope extends LanguageScope {
  readonly categoryId: string;
}

/** The part of the knowledge base that a group may read. Each level has no list but its own. */
export type AccessScope =
  | { readonly level: PlainAccessLevel }
  | { readonly level: 'CATEGORY'; readonly categories: readonly CategoryScope[] }
  | { readonly level: 'VERSION'; readonly projectVersionIds: readonly string[] }
  | { readonly level: 'LANGUAGE'; readonly languages: readonly LanguageScope[] };

/**
 * A scope that was read from the service. One of level 6 or of an unknown level has its JSON too, since it is written
 * back exactly as it came: see docs/contract.md, "Access scopes".
 */
export type ReadAccessScope =
  | AccessScope
  | { readonly level: 'LEVEL_6'; readonly json: unknown }
  | { readonly level: 'UNRECOGNIZED'; readonly rawLevel: number; readonly json: unknown };

export const rawLevelOf = (scope: ReadAccessScope): number =>
  scope.level === 'UNRECOGNIZED' ? scope.rawLevel : ACCESS_LEVELS[scope.level];

/** The reason why a scope that was read cannot be written back; null when it can. */
export const keptScopeProblem = (scope: ReadAccessScope): string | null =>
  'json' in scope && scope.json == null
    ? 'The service does not show the access scope of the reader group, so it cannot be kept.'
    : null;

/** True when writing `next` changes nothing in what the group may read. */
export function isSameAccessScope(current: ReadAccessScope, next: ReadAccessScope): boolean {
  if (current === next || JSON.stringify(current) === JSON.stringify(next)) return true;
  return current.level === 'LEVEL_6' && next.level === 'LEVEL_6' && 'json' in current && hasNoList(current.json);
}

/** True for the JSON of a scope that has nothing but its level. */
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

/** Returns null when the draft has not exactly one member. */
export function* validateAccessScope(draft: AccessScopeDraft): Validation<AccessScope | null> {
  const { level, categories, projectVersionIds, languages } = draft;
  const given = [level, categories, projectVersionIds, languages].filter((member) => member != null);
  if (given.length === 1) {
    if (level) return { level };
    if (categories) {
      yield* validateScopeList({ name: 'categories', items: categories, check: checkScopeIds });
      return { level: 'CATEGORY', categories };
    }
    if (projectVersionIds) {
      yield* validateScopeList({ name: 'projectVersionIds', items: projectVersionIds, check: checkProjectVersionId });
      return { level: 'VERSION', projectVersionIds };
    }
    if (languages) {
      yield* validateScopeList({ name: 'languages', items: languages, check: checkScopeIds });
      return { level: 'LANGUAGE', languages };
    }
  }
  const message = 'accessScope must have exactly one of level, categories, projectVersionIds and languages.';
  yield { path: ['accessScope'], message };
  return null;
}

/** Reports the problem of an item's member; the member is '' when the item is a plain ID. */
type ReportProblem = (member: string, problem: string | null) => void;

interface ScopeList<T> {
  readonly name: string;
  readonly items: readonly T[];
  readonly check: (item: T, report: ReportProblem) => void;
}

function* validateScopeList<T>({ name, items, check }: ScopeList<T>): Validation<void> {
  if (items.length === 0) yield { path: ['accessScope', name], message: `${name} must have at least one item.` };
  let index = 0;
  const issues: InputIssue[] = [];
  const report: ReportProblem = (member, problem) => {
    if (problem === null) return;
    const path = ['accessScope', name, `${index}`, ...(member === '' ? [] : [member])];
    issues.push({ path, message: `${member === '' ? 'A project version ID' : member} ${problem}.` });
  };
  for (const item of items) {
    check(item, report);
    if (issues.length > 0) yield* issues.splice(0);
    index += 1;
  }
}

const checkProjectVersionId = (id: string, report: ReportProblem): void => report('', idProblem(id));

function checkScopeIds(scope: LanguageScope | CategoryScope, report: ReportProblem): void {
  report('projectVersionId', idProblem(scope.projectVersionId));
  if ('categoryId' in scope) report('categoryId', idProblem(scope.categoryId));
  report('languageCode', idProblem(scope.languageCode));
}
