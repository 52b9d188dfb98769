import type { Api } from '../api.ts';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import { type ArticleQuery, readListUntil } from './article-list.ts';
import type { CategoryChoice } from './categories.ts';
import { readCells, WRITTEN_TRANSLATIONS } from './cell-values.ts';
import { csvText, parseRows, type Row } from './csv-rows.ts';
import { type ArticleChange, isMember, keyOf, MEMBER_NAMES } from './edits.ts';
import { boundedProblems } from './paste.ts';
import type { VersionLanguage } from './version-language.ts';

/** The columns of a file, under the names of `ArticleUpdateInput`, so that `kb-gateway bulk-update` reads it too. */
const COLUMNS = ['articleId', 'languageCode', ...Object.keys(MEMBER_NAMES), 'content'];

/** The most characters of a cell. Spreadsheets cut longer ones. */
const MOST_CELL_CHARS = 32_767;

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
    if (text.length <= MOST_CELL_CHARS) return text;
    problems.push(`${article.title ?? article.articleId}: the text is longer than a cell of a spreadsheet can be.`);
    return '';
  };
  const rows = articles.map((article) => {
    const { articleId, languageCode, title, category, hidden, order, translationStatus: status } = article;
    const isWritten = WRITTEN_TRANSLATIONS.some((written) => written === status);
    const values = [articleId, languageCode, title, category?.categoryId, hidden, order, isWritten ? status : null];
    const cells = values.map((value) => String(value ?? ''));
    return texts ? [...cells, textOf(article)] : cells;
  });
  return { csv: csvText(texts ? COLUMNS : COLUMNS.slice(0, -1), rows), problems };
}

/** The largest file in bytes. */
export const MAX_CSV_BYTES = 20_000_000;

export interface CsvChanges {
  readonly changes: readonly (readonly [ArticleFieldsFragment, ArticleChange])[];
  readonly problems: readonly string[];
}

interface CsvContext {
  readonly api: Api;
  readonly versionLanguage: VersionLanguage;
  readonly categories: readonly CategoryChoice[];
}

/** Reads changes from CSV whose first row names the columns. Empty cells and columns named `_…` change nothing. */
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

/** Reads the list of the version and language until all articles of the rows are found. */
async function findArticles(rows: readonly Row[], { api, versionLanguage }: CsvContext) {
  const missing = new Set(rows.map((row) => row['articleId'] ?? ''));
  const query: ArticleQuery = { ...versionLanguage, categoryId: null, filter: null, orderBy: 'ID' };
  const list = await readListUntil(api, query, (articles) => {
    for (const { articleId } of articles) missing.delete(articleId);
    return missing.size === 0;
  });
  if (list.failure) return list.failure.message;
  return new Map(list.articles.map((article) => [article.articleId, article]));
}

function readRow(
  row: Row,
  articles: ReadonlyMap<string, ArticleFieldsFragment>,
  { versionLanguage, categories }: CsvContext,
) {
  const article = articles.get(row['articleId'] ?? '');
  const language = row['languageCode'] ?? '';
  if (language !== '' && language !== versionLanguage.languageCode)
    return { change: {}, problems: [`it is of the language "${language}": choose that one first.`] };
  if (article === undefined)
    return { change: {}, problems: [`there is no article "${row['articleId']}" in this language.`] };
  const cells = Object.entries(row).filter(([name, cell]) => isMember(name) && cell !== '');
  const { change, problems } = readCells(cells, categories);
  return { article, change: row['content'] ? { ...change, content: row['content'] } : change, problems };
}
