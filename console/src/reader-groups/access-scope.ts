import { counted } from '../counted.ts';
import type {
  AccessLevel,
  AccessScopeFieldsFragment,
  AccessScopeInput,
  LanguageScopeInput,
} from '../generated/graphql.ts';

/** The record is total: a new level of the schema does not compile without a name. */
export const LEVEL_NAMES: Readonly<Record<AccessLevel, string>> = {
  NONE: 'Nothing',
  PROJECT: 'The whole project',
  VERSION: 'Chosen versions',
  LANGUAGE: 'Chosen languages',
  CATEGORY: 'Chosen categories',
  ARTICLE: 'Single articles',
  LEVEL_6: 'Level 6 (undocumented)',
  UNRECOGNIZED: 'A level that is not known here',
};

/** What the lists of a scope have. */
const NOUNS = { VERSION: 'version', LANGUAGE: 'language', CATEGORY: 'category' } as const;

/** The scope in the form of an input; null for a level that the page does not know. */
export function scopeInputOf(read: AccessScopeFieldsFragment): AccessScopeInput | null {
  switch (read.__typename) {
    case 'PlainAccessScope':
      return { level: read.scopeLevel };
    case 'VersionAccessScope':
      return { projectVersionIds: [...read.projectVersionIds] };
    case 'LanguageAccessScope':
      return {
        languages: read.languages.map(({ projectVersionId, languageCode }) => ({ projectVersionId, languageCode })),
      };
    case 'CategoryAccessScope':
      return { categories: read.categories.map(({ category: _named, ...scope }) => scope) };
    default:
      return null;
  }
}

interface Lists {
  readonly categories?: readonly unknown[] | null;
  readonly projectVersionIds?: readonly unknown[] | null;
  readonly languages?: readonly unknown[] | null;
}

const listOf = ({ categories, projectVersionIds, languages }: Lists) => categories ?? projectVersionIds ?? languages;

/** False while a list is empty that must not be. */
export const isComplete = (scope: AccessScopeInput): boolean => scope.level != null || listOf(scope)?.length !== 0;

const nounOf = (level: AccessLevel): string | null => (Object.hasOwn(NOUNS, level) ? NOUNS[level as never] : null);

/** The scope in a few words, without names. */
export function scopeWords({ level, ...lists }: Lists & { readonly level: AccessLevel }): string {
  const noun = nounOf(level);
  return noun ? counted(listOf(lists)?.length ?? 0, noun) : LEVEL_NAMES[level];
}

/** The scope in one line of text. */
export function scopeText(scope: AccessScopeFieldsFragment): string {
  const names = [...namesIn(scope).values()].join(', ');
  return names === '' ? LEVEL_NAMES[scope.level] : `${LEVEL_NAMES[scope.level]}: ${names}`;
}

/** What a change of the scope means for those in the group, in sentences. */
export function scopeChange(from: AccessScopeFieldsFragment, to: AccessScopeFieldsFragment): readonly string[] {
  const noun = nounOf(to.level);
  if (from.level !== to.level || noun === null)
    return [`The group can now read: ${scopeText(to)}. Until now: ${scopeText(from)}.`];
  const [before, after] = [namesIn(from), namesIn(to)];
  const gained = [...after].filter(([key]) => !before.has(key)).map(([, name]) => name);
  const lost = [...before].filter(([key]) => !after.has(key)).map(([, name]) => name);
  return [
    gained.length > 0 && `The group can now read ${counted(gained.length, `more ${noun}`)}: ${gained.join(', ')}.`,
    lost.length > 0 && `The group can no longer read ${counted(lost.length, noun)}: ${lost.join(', ')}.`,
  ].filter((sentence) => sentence !== false);
}

export type ScopeItem = string | (LanguageScopeInput & { readonly categoryId?: string | null });

/** The key of what a scope lists, whatever the order of its members. */
export const scopeKeyOf = (item: ScopeItem): string =>
  typeof item === 'string' ? item : JSON.stringify([item.projectVersionId, item.languageCode, item.categoryId ?? null]);

/** The names of what a scope lists, by their keys. What no longer exists has its ID. */
export function namesIn(scope: AccessScopeFieldsFragment): ReadonlyMap<string, string> {
  switch (scope.__typename) {
    case 'CategoryAccessScope':
      return new Map(scope.categories.map((item) => [scopeKeyOf(item), item.category?.name ?? item.categoryId]));
    case 'VersionAccessScope':
      return new Map(scope.projectVersionIds.map((id, index) => [id, scope.projectVersions?.[index]?.name ?? id]));
    case 'LanguageAccessScope':
      return new Map(
        scope.languages.map((item) => [
          scopeKeyOf(item),
          `${item.projectVersion?.name ?? item.projectVersionId} · ${item.language?.name ?? item.languageCode}`,
        ]),
      );
    default:
      return new Map();
  }
}
