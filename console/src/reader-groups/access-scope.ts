import { counted } from '../counted.ts';
import type { AccessLevel, AccessScopeFieldsFragment, AccessScopeInput } from '../generated/graphql.ts';

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
const NOUNS: { readonly [Level in AccessLevel]?: string } = {
  VERSION: 'version',
  LANGUAGE: 'language',
  CATEGORY: 'category',
};

/** A project version, one of its languages, or a category in one of these. */
export interface ScopeItem {
  readonly name: string;
  readonly projectVersionId: string;
  readonly languageCode?: string;
  readonly categoryId?: string;
}

export interface Scope {
  readonly level: AccessLevel;
  readonly items: readonly ScopeItem[];
}

/** The levels that can be written, as they are shown. */
export const LEVELS = ['NONE', 'PROJECT', 'VERSION', 'LANGUAGE', 'CATEGORY', 'ARTICLE', 'LEVEL_6'] as const;

export interface ChosenScope extends Scope {
  readonly level: (typeof LEVELS)[number];
}

/** A scope as it was read. What no longer exists has its ID as its name. */
export const scopeOf = (read: AccessScopeFieldsFragment): Scope => ({ level: read.level, items: itemsOf(read) });

function itemsOf(read: AccessScopeFieldsFragment): readonly ScopeItem[] {
  switch (read.__typename) {
    case 'CategoryAccessScope':
      return read.categories.map(({ category, ...item }) => ({ ...item, name: category?.name ?? item.categoryId }));
    case 'VersionAccessScope':
      return read.projectVersionIds.map((projectVersionId, index) => ({
        projectVersionId,
        name: read.projectVersions?.[index]?.name ?? projectVersionId,
      }));
    case 'LanguageAccessScope':
      return read.languages.map(({ projectVersion, language, ...item }) => ({
        ...item,
        name: `${projectVersion?.name ?? item.projectVersionId} · ${language?.name ?? item.languageCode}`,
      }));
    default:
      return [];
  }
}

export function scopeInputOf({ level, items }: ChosenScope): AccessScopeInput {
  if (level === 'VERSION') return { projectVersionIds: items.map(({ projectVersionId }) => projectVersionId) };
  const languages = items.map(({ projectVersionId, languageCode = '' }) => ({ projectVersionId, languageCode }));
  if (level === 'LANGUAGE') return { languages };
  if (level !== 'CATEGORY') return { level };
  return { categories: languages.map((language, at) => ({ ...language, categoryId: items[at]?.categoryId ?? '' })) };
}

/** False while a list is empty that must not be. */
export const isComplete = ({ level, items }: Scope): boolean => NOUNS[level] === undefined || items.length > 0;

/** The scope in a few words, without names. */
export function scopeWords(level: AccessLevel, items: readonly unknown[] = []): string {
  const noun = NOUNS[level];
  return noun === undefined ? LEVEL_NAMES[level] : counted(items.length, noun);
}

const namesOf = (items: readonly ScopeItem[]): string => items.map(({ name }) => name).join(', ');

/** The scope in one line of text. */
export function scopeText({ level, items }: Scope): string {
  return items.length === 0 ? LEVEL_NAMES[level] : `${LEVEL_NAMES[level]}: ${namesOf(items)}`;
}

/** What a change of the scope means for those in the group, in sentences. */
export function scopeChange(from: Scope, to: Scope): readonly string[] {
  const noun = NOUNS[to.level];
  if (from.level !== to.level || noun === undefined)
    return [`The group can now read: ${scopeText(to)}. Until now: ${scopeText(from)}.`];
  const gained = without(to.items, from.items);
  const lost = without(from.items, to.items);
  return [
    gained.length > 0 && `The group can now read ${counted(gained.length, `more ${noun}`)}: ${namesOf(gained)}.`,
    lost.length > 0 && `The group can no longer read ${counted(lost.length, noun)}: ${namesOf(lost)}.`,
  ].filter((sentence) => sentence !== false);
}

export const keyOf = ({ projectVersionId, languageCode, categoryId }: ScopeItem): string =>
  JSON.stringify([projectVersionId, languageCode, categoryId]);

/** The items without those that are among others. */
export function without<Item extends ScopeItem>(items: readonly Item[], others: readonly ScopeItem[]): readonly Item[] {
  const keys = new Set(others.map(keyOf));
  return items.filter((item) => !keys.has(keyOf(item)));
}
