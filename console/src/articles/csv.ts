import { parse } from 'csv-parse/browser/esm/sync';
import { err, ok, type Result } from '../../../src/core/base/result.ts';
import { conflictMessage, SharedValues } from '../../../src/core/sheets/shared-values.ts';
import { MAX_CELL_CHARS, readSheet, type SheetRow } from '../../../src/core/sheets/sheet-rows.ts';
import { utf8Of } from '../../../src/core/sheets/sheet-text.ts';
import { csvLine, isIgnoredColumn } from '../../../src/core/sheets/spreadsheet-cells.ts';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import type { Shared } from '../shared.ts';
import { findArticles } from './article-list.ts';
import { readCells, WRITTEN_TRANSLATIONS } from './cell-values.ts';
import { type ArticleChange, keyOf, MEMBERS, storedValueOf } from './edits.ts';
import { boundedProblems } from './paste.ts';

/** The columns of a file, under the names of `ArticleUpdateInput`, so that `kb-gateway bulk-update` reads it too. */
export const COLUMNS = ['articleId', 'languageCode', ...MEMBERS, 'content'];
const READ_COLUMNS = [...COLUMNS, 'revision'];

/**
 * Writes a list as CSV for spreadsheets, with texts where they were read. Values that no update can set, or no cell can
 * hold, are left out.
 */
export function writeCsv(
  articles: readonly ArticleFieldsFragment[],
  texts: ReadonlyMap<string, string> | null,
): { readonly csv: string; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const textOf = (article: ArticleFieldsFragment): string => {
    const text = texts?.get(keyOf(article)) ?? '';
    if (text.length <= MAX_CELL_CHARS) return text;
    problems.push(`${article.title || article.articleId}: the text is longer than a cell of a spreadsheet can be.`);
    return '';
  };
  const rows = articles.map((article) => {
    const { articleId, languageCode } = article;
    const members = Object.fromEntries(MEMBERS.map((member) => [member, storedValueOf(article, member)]));
    const translationStatus = WRITTEN_TRANSLATIONS.find((written) => written === article.translationStatus);
    const values = { articleId, languageCode, ...members, translationStatus };
    return texts ? { ...values, content: textOf(article) } : values;
  });
  return { csv: csvOf(rows), problems };
}

/** A CSV file for spreadsheets, in which what is missing is an empty cell. */
export const csvOf = (rows: readonly object[]): string =>
  rows
    .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? ''])))
    .map((row, index) => csvLine(row, { isFirst: index === 0, isForSpreadsheet: true }))
    .join('');

/** The largest file in bytes. */
export const MAX_CSV_BYTES = 20_000_000;

export interface CsvChanges {
  readonly changes: readonly (readonly [ArticleFieldsFragment, ArticleChange])[];
  readonly problems: readonly string[];
}

type CsvContext = Pick<Shared, 'api' | 'versionLanguage' | 'categories'>;

/** Reads changes from a sheet whose first row names the columns. Empty cells and columns named `_…` change nothing. */
export async function readCsv(bytes: Uint8Array, context: CsvContext): Promise<CsvChanges> {
  const rows = readSheetRows(bytes);
  if (!rows.ok) return { changes: [], problems: boundedProblems(rows.error) };
  const ids = rows.value.map(({ members }) => idOf(members));
  const { articles, problem } = await findArticles(context.api, context.versionLanguage, ids);
  if (problem !== null) return { changes: [], problems: [problem] };
  const read = rows.value.map((row) => ({ ...row, ...readRow(row.members, articles, context) }));
  const shared = new SharedValues();
  const conflicts = read.flatMap(({ place, article, change }) => {
    if (article === undefined) return [];
    const update = { ...change, articleId: article.articleId };
    return shared.add(place, update).map((conflict) => `${place}: ${conflictMessage(conflict, update)}`);
  });
  const problems = read.flatMap(({ place, problems: own }) => own.map((problem) => `${place}: ${problem}`));
  return {
    changes: read.flatMap(({ article, change }) => (article ? [[article, change] as const] : [])),
    problems: boundedProblems([...conflicts, ...problems]),
  };
}

/**
 * The rows of a sheet. The error lists all problems of the file.
 * @internal Exported for tests.
 */
export function readSheetRows(bytes: Uint8Array): Result<readonly SheetRow[], readonly string[]> {
  const text = utf8Of(bytes);
  if (!text.ok) return err([`The file ${text.error}`]);
  const isKnown = (name: string) => READ_COLUMNS.includes(name) || isIgnoredColumn(name);
  const rows = readSheet(text.value, {
    // This build of csv-parse takes texts alone.
    parse: (part, options) => parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(part), options),
    isKnown,
    isIgnored: isIgnoredColumn,
    *problemsOf(columns) {
      const wrong = columns.filter((name) => !isKnown(name));
      if (!columns.includes('articleId')) yield 'no column is called articleId.';
      if (wrong.length > 0)
        yield `these columns can't be read: ${wrong.slice(0, MAX_NAMED).join(', ')}. There are ${READ_COLUMNS.join(', ')}.`;
    },
  });
  const problems = rows.flatMap((row) => (row.ok ? [] : [`${row.error.place}: ${row.error.message}`]));
  if (problems.length > 0) return err(problems);
  return rows.length > 0 ? ok(rows.flatMap((row) => (row.ok ? row.value : []))) : err(['The file has no rows.']);
}

/** The most columns that a problem names. */
const MAX_NAMED = 10;

const idOf = (row: SheetRow['members']): string => (row['articleId'] ?? '').trim();

function readRow(
  row: SheetRow['members'],
  articles: ReadonlyMap<string, ArticleFieldsFragment>,
  { versionLanguage, categories }: CsvContext,
) {
  const article = articles.get(idOf(row));
  const language = (row['languageCode'] ?? '').trim();
  if (language !== '' && language !== versionLanguage.languageCode)
    return { change: {}, problems: [`it is of the language "${language}": choose that one first.`] };
  if (article === undefined) return { change: {}, problems: [`there is no article "${idOf(row)}" in this language.`] };
  const cells = Object.entries(row).filter(([, cell]) => cell !== '');
  const { change, problems } = readCells(cells, categories);
  const { content, revision: ifRevision } = row;
  return { article, change: { ...change, ...(content && { content }), ...(ifRevision && { ifRevision }) }, problems };
}
