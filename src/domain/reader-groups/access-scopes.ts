import type { InputIssue, Rules } from '../errors.ts';
import { idProblem } from '../text.ts';

/** The levels of the spec by name. 6 is accepted by the service; its meaning is not documented. */
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

/** The levels that carry no list. */
export type PlainLevel = 'NONE' | 'PROJECT' | 'ARTICLE' | 'LEVEL_6';

export interface LanguageScope {
  readonly projectVersionId: string;
  readonly languageCode: string;
}

export interface CategoryScope extends LanguageScope {
  readonly categoryId: string;
}

/** What a group may read. A list stands only beside the level it belongs to, so that none can be stated wrongly. */
export type AccessScope =
  | { readonly level: PlainLevel }
  | { readonly level: 'CATEGORY'; readonly categories: readonly CategoryScope[] }
  | { readonly level: 'VERSION'; readonly projectVersionIds: readonly string[] }
  | { readonly level: 'LANGUAGE'; readonly languages: readonly LanguageScope[] };

/** A scope as it is read: a service may name a level that is not known here. */
export type ReadAccessScope = AccessScope | { readonly level: 'UNRECOGNIZED'; readonly rawLevel: number };

export const rawLevelOf = (scope: ReadAccessScope): number =>
  scope.level === 'UNRECOGNIZED' ? scope.rawLevel : ACCESS_LEVELS[scope.level];

/** A scope as a caller may state it: exactly one member is to be there. */
export interface AccessScopeDraft {
  readonly level?: PlainLevel | null | undefined;
  readonly categories?: readonly CategoryScope[] | null | undefined;
  readonly projectVersions?: readonly string[] | null | undefined;
  readonly languages?: readonly LanguageScope[] | null | undefined;
}

/** Holds every rule against a scope, and returns it; null where it is none. */
export function* accessScopeRules(draft: AccessScopeDraft): Rules<AccessScope | null> {
  const { level, categories, projectVersions, languages } = draft;
  const given = [level, categories, projectVersions, languages].filter((member) => member != null);
  if (given.length === 1) {
    if (level) return { level };
    if (categories) {
      yield* listRules({ name: 'categories', items: categories, check: checkScope });
      return { level: 'CATEGORY', categories };
    }
    if (projectVersions) {
      yield* listRules({ name: 'projectVersions', items: projectVersions, check: checkProjectVersion });
      return { level: 'VERSION', projectVersionIds: projectVersions };
    }
    if (languages) {
      yield* listRules({ name: 'languages', items: languages, check: checkScope });
      return { level: 'LANGUAGE', languages };
    }
  }
  const message = 'accessScope must have exactly one of level, categories, projectVersions and languages.';
  yield { path: ['accessScope'], message };
  return null;
}

/** Tells of the member of an item what speaks against it; '' for the item itself. */
type ReportMember = (member: string, problem: string | null) => void;

interface ScopeList<T> {
  readonly name: string;
  readonly items: readonly T[];
  readonly check: (item: T, report: ReportMember) => void;
}

function* listRules<T>({ name, items, check }: ScopeList<T>): Rules<void> {
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

const checkProjectVersion = (id: string, report: ReportMember): void => report('', idProblem(id));

function checkScope(scope: LanguageScope | CategoryScope, report: ReportMember): void {
  report('projectVersionId', idProblem(scope.projectVersionId));
  if ('categoryId' in scope) report('categoryId', idProblem(scope.categoryId));
  report('languageCode', idProblem(scope.languageCode));
}
