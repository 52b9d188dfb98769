import { flagOfCell, wholeNumberOf } from '../../../src/core/sheets/cell-values.ts';
import type {
  ArticleFieldsFragment,
  ArticleStatus,
  ArticleTranslationStatus,
  TranslationStatus,
} from '../generated/graphql.ts';
import type { CategoryChoice } from './categories.ts';
import { type ArticleChange, isMember, type Member, storedValueOf } from './edits.ts';

/** The record is total: a new status of the schema does not compile without a name. */
export const TRANSLATIONS: Readonly<Record<ArticleTranslationStatus, string>> = {
  NONE: 'None',
  NEEDS_TRANSLATION: 'Needs translation',
  IN_PROGRESS: 'In progress',
  TRANSLATED: 'Translated',
  UNRECOGNIZED: 'Unknown',
};

/** This record is total, too. */
export const STATUSES: Readonly<Record<ArticleStatus, string>> = {
  DRAFT: 'Draft',
  PUBLISHED: 'Published',
  UNRECOGNIZED: 'Unknown',
};

/** The statuses that can be written. */
export const WRITTEN_TRANSLATIONS: readonly TranslationStatus[] = ['NONE', 'NEEDS_TRANSLATION', 'TRANSLATED'];

/** The values to choose from with their texts; null where a value is typed. */
export function choicesOf(member: Member, categories: readonly CategoryChoice[]) {
  const choices: Readonly<Record<Member, readonly (readonly [value: unknown, text: string])[] | null>> = {
    title: null,
    order: null,
    hidden: [
      [true, 'Hidden'],
      [false, 'Shown'],
    ],
    categoryId: categories.map(({ categoryId, path }) => [categoryId, path]),
    translationStatus: WRITTEN_TRANSLATIONS.map((status) => [status, TRANSLATIONS[status]]),
  };
  return choices[member];
}

/** The text of a value in a cell. */
export function valueText(member: Member, value: unknown, categories: readonly CategoryChoice[]): string {
  const texts = member === 'translationStatus' ? Object.entries(TRANSLATIONS) : choicesOf(member, categories);
  return texts?.find(([known]) => known === value)?.[1] ?? String(value ?? '');
}

/** What the text of a cell is made of beside its article. */
export interface CellContext {
  readonly change: ArticleChange | undefined;
  readonly categories: readonly CategoryChoice[];
}

/** The text of a cell, with its unsent change. */
export function cellText(article: ArticleFieldsFragment, member: Member, { change, categories }: CellContext): string {
  const changed = change?.[member];
  if (changed !== undefined) return valueText(member, changed, categories);
  if (member === 'categoryId' && categories.every(({ categoryId }) => categoryId !== article.category?.categoryId))
    return article.category?.name ?? '';
  return valueText(member, storedValueOf(article, member), categories);
}

type Read = { readonly change: ArticleChange } | { readonly problem: string };

/** Reads the text that was typed or pasted into a cell. */
export function readCell(member: Member, text: string, categories: readonly CategoryChoice[]): Read {
  const trimmed = text.trim();
  const lower = trimmed.toLowerCase();
  switch (member) {
    case 'title':
      return trimmed === '' ? { problem: 'A title is not empty.' } : { change: { title: trimmed } };
    case 'order': {
      const order = wholeNumberOf(trimmed) ?? 0;
      return order >= 1 && order <= MAX_INT
        ? { change: { order } }
        : { problem: `The order is a whole number from 1, and not "${trimmed}".` };
    }
    case 'hidden': {
      const hidden = lower === 'hidden' || (['shown', ''].includes(lower) ? false : flagOfCell(trimmed));
      return hidden === undefined ? { problem: `"${trimmed}" is neither Hidden nor Shown.` } : { change: { hidden } };
    }
    case 'categoryId':
      return readCategory(trimmed, categories);
    case 'translationStatus': {
      const names = (status: TranslationStatus) => [status.toLowerCase(), TRANSLATIONS[status].toLowerCase()];
      const translationStatus = WRITTEN_TRANSLATIONS.find((status) => names(status).includes(lower || 'none'));
      return translationStatus
        ? { change: { translationStatus } }
        : { problem: `"${trimmed}" is no translation status.` };
    }
  }
}

/** Reads the cells of a row. Those of columns that can't be edited are skipped. */
export function readCells(
  cells: readonly (readonly [id: string, text: string])[],
  categories: readonly CategoryChoice[],
) {
  const read = cells.flatMap(([id, text]) => (isMember(id) ? readCell(id, text, categories) : []));
  const change: ArticleChange = Object.assign({}, ...read.map((one) => ('change' in one ? one.change : {})));
  return { change, problems: read.flatMap((one) => ('problem' in one ? one.problem : [])) };
}

/** The largest Int of GraphQL. */
const MAX_INT = 2 ** 31 - 1;

/** Finds a category by ID, by the path of its names, or by a unique name. */
function readCategory(text: string, categories: readonly CategoryChoice[]): Read {
  const lower = text.toLowerCase();
  const exact = categories.filter(({ categoryId, path }) => categoryId === text || path.toLowerCase() === lower);
  const named = categories.filter(({ path }) => path.toLowerCase().split(' / ').at(-1) === lower);
  const [only, other] = exact.length > 0 ? exact : named;
  if (only === undefined) return { problem: `There is no category "${text}".` };
  return other ? { problem: `Several categories are called "${text}".` } : { change: { categoryId: only.categoryId } };
}
