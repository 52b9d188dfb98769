import type { InputIssue } from './errors.ts';
import { idProblem } from './text.ts';

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

/** The scope that a draft states; null where it states none, or several. */
export function accessScopeOf(draft: AccessScopeDraft): AccessScope | null {
  const { level, categories, projectVersions, languages } = draft;
  const given = [level, categories, projectVersions, languages].filter((member) => member != null);
  if (given.length !== 1) return null;
  if (level) return { level };
  if (categories) return { level: 'CATEGORY', categories };
  if (projectVersions) return { level: 'VERSION', projectVersionIds: projectVersions };
  return languages ? { level: 'LANGUAGE', languages } : null;
}

/** All that is wrong with a draft. */
export function* accessScopeIssues(draft: AccessScopeDraft): Iterable<InputIssue> {
  const scope = accessScopeOf(draft);
  if (scope === null) {
    const message = 'accessScope must have exactly one of level, categories, projectVersions and languages.';
    yield { path: ['accessScope'], message };
  } else if (scope.level === 'CATEGORY') yield* listIssues('categories', scope.categories, memberIssues);
  else if (scope.level === 'VERSION')
    yield* listIssues('projectVersions', scope.projectVersionIds, projectVersionIssues);
  else if (scope.level === 'LANGUAGE') yield* listIssues('languages', scope.languages, memberIssues);
}

/** What is wrong with an item, or with one of its members. */
interface ItemIssue {
  readonly path: readonly string[];
  readonly message: string;
}

function* listIssues<T>(
  name: string,
  items: readonly T[],
  issuesOf: (item: T) => readonly ItemIssue[],
): Iterable<InputIssue> {
  if (items.length === 0) yield { path: ['accessScope', name], message: `${name} must have at least one item.` };
  for (const [index, item] of items.entries()) {
    for (const { path, message } of issuesOf(item)) {
      yield { path: ['accessScope', name, `${index}`, ...path], message };
    }
  }
}

function projectVersionIssues(id: string): readonly ItemIssue[] {
  const problem = idProblem(id);
  return problem === null ? [] : [{ path: [], message: `A project version ID ${problem}.` }];
}

function memberIssues(scope: LanguageScope | CategoryScope): readonly ItemIssue[] {
  const { projectVersionId, languageCode } = scope;
  const members = Object.entries({
    projectVersionId,
    ...('categoryId' in scope && { categoryId: scope.categoryId }),
    languageCode,
  });
  return members.flatMap(([member, id]) => {
    const problem = idProblem(id);
    return problem === null ? [] : [{ path: [member], message: `${member} ${problem}.` }];
  });
}
