import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import type { Api } from '../api.ts';
import type { Edition } from '../app.tsx';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import { type ArticleQuery, readListUntil } from './article-list.ts';
import type { CategoryChoice } from './categories.ts';
import { readCell, WRITTEN_TRANSLATIONS } from './cell-values.ts';
import { type ArticleChange, isMember, MEMBER_NAMES } from './edits.ts';
import { boundedProblems } from './paste.ts';

/** The columns of a file, under the names of `ArticleUpdateInput`, so that `kb-gateway bulk-update` reads it too. */
const COLUMNS = ['articleId', 'languageCode', ...Object.keys(MEMBER_NAMES)];

const quoted = (cell: string): string => (/[",\r\n]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Writes a list as CSV. A value that no update can set is left out. */
export function writeCsv(articles: readonly ArticleFieldsFragment[]): string {
  const rows = articles.map(({ articleId, languageCode, title, category, hidden, order, translationStatus }) => {
    const isWritten = WRITTEN_TRANSLATIONS.some((status) => status === translationStatus);
    return [articleId, languageCode, title, category?.categoryId, hidden, order, isWritten ? translationStatus : null];
  });
  return [COLUMNS, ...rows].map((cells) => `${cells.map((cell) => quoted(String(cell ?? ''))).join(',')}\r\n`).join('');
}

/** The largest file in bytes. */
export const MAX_CSV_BYTES = 20_000_000;

export interface CsvChanges {
  readonly changes: readonly (readonly [ArticleFieldsFragment, ArticleChange])[];
  readonly problems: readonly string[];
}

interface CsvContext {
  readonly api: Api;
  readonly edition: Edition;
  readonly categories: readonly CategoryChoice[];
}

type Row = Readonly<Record<string, string>>;

/** Reads changes from CSV whose first row names the columns. Empty cells change nothing, and neither do columns that begin with an underscore. */
export async function readCsv(text: string, context: CsvContext): Promise<CsvChanges> {
  const rows = parseRows(text);
  if (typeof rows === 'string') return { changes: [], problems: [rows] };
  const wrong = Object.keys(rows[0] ?? {}).filter((name) => !COLUMNS.includes(name) && !name.startsWith('_'));
  if (rows.length === 0 || !('articleId' in (rows[0] ?? {})))
    return {
      changes: [],
      problems: ['The file needs a first row with the names of the columns, one of them articleId.'],
    };
  if (wrong.length > 0)
    return {
      changes: [],
      problems: [`These columns can't be read: ${wrong.join(', ')}. There are ${COLUMNS.join(', ')}.`],
    };
  const articles = await findArticles(rows, context);
  if (typeof articles === 'string') return { changes: [], problems: [articles] };
  const read = rows.map((row, index) => ({ place: `Row ${index + 2}`, ...readRow(row, articles, context) }));
  return {
    changes: read.flatMap(({ article, change }) => (article ? [[article, change] as const] : [])),
    problems: boundedProblems(read.flatMap(({ place, problems }) => problems.map((problem) => `${place}: ${problem}`))),
  };
}

/** The reason where the text is no CSV. */
function parseRows(text: string): readonly Row[] | string {
  try {
    return parse(text, { bom: true, columns: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n', '\r'] });
  } catch (error) {
    if (error instanceof CsvError) return `The file is no CSV: ${error.message}`;
    throw error;
  }
}

/** Reads the list of the edition until all articles of the rows are found. */
async function findArticles(rows: readonly Row[], { api, edition }: CsvContext) {
  const missing = new Set(rows.map((row) => row['articleId'] ?? ''));
  const query: ArticleQuery = { ...edition, categoryId: null, filter: null, orderBy: 'ID' };
  const list = await readListUntil(api, query, (articles) => {
    for (const { articleId } of articles) missing.delete(articleId);
    return missing.size === 0;
  });
  if (list.failure) return list.failure.message;
  return new Map(list.articles.map((article) => [article.articleId, article]));
}

function readRow(row: Row, articles: ReadonlyMap<string, ArticleFieldsFragment>, { edition, categories }: CsvContext) {
  const article = articles.get(row['articleId'] ?? '');
  const language = row['languageCode'] ?? '';
  if (language !== '' && language !== edition.languageCode)
    return { change: {}, problems: [`it is of the language "${language}": choose that one first.`] };
  if (article === undefined)
    return { change: {}, problems: [`there is no article "${row['articleId']}" in this language.`] };
  const problems: string[] = [];
  let change: ArticleChange = {};
  for (const [name, cell] of Object.entries(row)) {
    if (!isMember(name) || cell === '') continue;
    const read = readCell(name, cell, categories);
    if ('problem' in read) problems.push(read.problem);
    else change = { ...change, ...read.change };
  }
  return { article, change, problems };
}
