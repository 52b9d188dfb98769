import type { InputIssue, Validation } from '../errors.ts';
import { idProblem } from '../text.ts';

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

/** A scope that was read from the service, whose level may be unknown to the gateway. */
export type ReadAccessScope = AccessScope | { readonly level: 'UNRECOGNIZED'; readonly rawLevel: number };

export const rawLevelOf = (scope: ReadAccessScope): number =>
  scope.level === 'UNRECOGNIZED' ? scope.rawLevel : ACCESS_LEVELS[scope.level];

/** A scope as the caller sent it, before validation: exactly one member must be present. */
export interface AccessScopeDraft {
  readonly level?: PlainAccessLevel | null | undefined;
  readonly categories?: readonly CategoryScope[] | null | undefined;
  readonly projectVersions?: readonly string[] | null | undefined;
  readonly languages?: readonly LanguageScope[] | null | undefined;
}

/** Returns null when the draft has not exactly one member. */
export function* validateAccessScope(draft: AccessScopeDraft): Validation<AccessScope | null> {
  const { level, categories, projectVersions, languages } = draft;
  const given = [level, categories, projectVersions, languages].filter((member) => member != null);
  if (given.length === 1) {
    if (level) return { level };
    if (categories) {
      yield* validateScopeList({ name: 'categories', items: categories, check: checkScopeIds });
      return { level: 'CATEGORY', categories };
    }
    if (projectVersions) {
      yield* validateScopeList({ name: 'projectVersions', items: projectVersions, check: checkProjectVersionId });
      return { level: 'VERSION', projectVersionIds: projectVersions };
    }
    if (languages) {
      yield* validateScopeList({ name: 'languages', items: languages, check: checkScopeIds });
      return { level: 'LANGUAGE', languages };
    }
  }
  const message = 'accessScope must have exactly one of level, categories, projectVersions and languages.';
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
  for (const [index, item] of items.entries()) {
    const issues: InputIssue[] = [];
    check(item, (member, problem) => {
      if (problem === null) return;
      const path = ['accessScope', name, `${index}`, ...(member === '' ? [] : [member])];
      issues.push({ path, message: `${member === '' ? 'A project version ID' : member} ${problem}.` });
    });
    yield* issues;
  }
}

const checkProjectVersionId = (id: string, report: ReportProblem): void => report('', idProblem(id));

function checkScopeIds(scope: LanguageScope | CategoryScope, report: ReportProblem): void {
  report('projectVersionId', idProblem(scope.projectVersionId));
  if ('categoryId' in scope) report('categoryId', idProblem(scope.categoryId));
  report('languageCode', idProblem(scope.languageCode));
}
