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

/** The texts of the values to choose from; null where a value is typed. */
export function choicesOf(member: Member, categories: readonly CategoryChoice[]): readonly string[] | null {
  switch (member) {
    case 'hidden':
      return ['Hidden', 'Shown'];
    case 'categoryId':
      return categories.map(({ path }) => path);
    case 'translationStatus':
      return WRITTEN_TRANSLATIONS.map((status) => TRANSLATIONS[status]);
    case 'title':
    case 'order':
      return null;
  }
}

/** The text of a value in a cell. */
export function valueText(member: Member, value: unknown, categories: readonly CategoryChoice[]): string {
  if (value === null || value === undefined) return '';
  switch (member) {
    case 'hidden':
      return value === true ? 'Hidden' : 'Shown';
    case 'categoryId':
      return categories.find(({ categoryId }) => categoryId === value)?.path ?? String(value);
    case 'translationStatus':
      return Object.entries(TRANSLATIONS).find(([status]) => status === value)?.[1] ?? String(value);
    case 'title':
    case 'order':
      return String(value);
  }
}

/** The text of a cell, with its unsent change. */
export function cellText(
  article: ArticleFieldsFragment,
  member: Member,
  {
    change,
    categories,
  }: { readonly change: ArticleChange | undefined; readonly categories: readonly CategoryChoice[] },
): string {
  const changed = change?.[member];
  if (changed !== undefined) return valueText(member, changed, categories);
  if (member === 'categoryId' && categories.every(({ categoryId }) => categoryId !== article.category?.categoryId))
    return article.category?.name ?? '';
  return valueText(member, storedValueOf(article, member), categories);
}

type Read = { readonly change: ArticleChange } | { readonly problem: string };

/** The words of this page, which come before those of spreadsheets. */
const HIDDEN: ReadonlyMap<string, boolean> = new Map([
  ['hidden', true],
  ['shown', false],
  ['', false],
]);

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
      const hidden = HIDDEN.get(lower) ?? flagOfCell(trimmed);
      return hidden === undefined ? { problem: `"${trimmed}" is neither Hidden nor Shown.` } : { change: { hidden } };
    }
    case 'categoryId':
      return readCategory(trimmed, categories);
    case 'translationStatus': {
      const translationStatus = WRITTEN_TRANSLATIONS.find(
        (status) =>
          (status === 'NONE' && lower === '') ||
          status.toLowerCase() === lower ||
          TRANSLATIONS[status].toLowerCase() === lower,
      );
      return translationStatus
        ? { change: { translationStatus } }
        : { problem: `"${trimmed}" is no translation status.` };
    }
  }
}

/** Reads the cells of a row, by the IDs of their columns. */
export function readCells(
  cells: readonly (readonly [id: string, text: string])[],
  categories: readonly CategoryChoice[],
) {
  const read = cells.map(([id, text], column) =>
    isMember(id) ? readCell(id, text, categories) : { problem: `column ${column + 1} can't be edited.` },
  );
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
