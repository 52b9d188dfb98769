import { parse } from 'csv-parse/browser/esm/sync';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import type { CategoryChoice } from './categories.ts';
import { readCells } from './cell-values.ts';
import type { ArticleChange } from './edits.ts';

/** The most characters of one paste. */
const MAX_PASTE = 5_000_000;

/** The most problems that are shown of one paste or file. */
const MAX_PROBLEMS = 5;

interface Target {
  /** The articles from the active cell on, in their order. */
  readonly articles: readonly ArticleFieldsFragment[];
  /** The columns from the active cell on, by their IDs. */
  readonly columnIds: readonly string[];
  readonly categories: readonly CategoryChoice[];
}

interface Pasted {
  readonly changes: readonly (readonly [ArticleFieldsFragment, ArticleChange])[];
  readonly problems: readonly string[];
}

/** Reads cells as spreadsheets copy them: tabs between columns, and quotes around texts with line breaks. */
export function readPaste(text: string, { articles, columnIds, categories }: Target): Pasted {
  if (text.length > MAX_PASTE) return { changes: [], problems: ['This is too much for one paste.'] };
  const rows: string[][] = parse(text, { delimiter: '\t', relax_column_count: true, relax_quotes: true });
  const read = rows.slice(0, articles.length).map((cells) => readRow(cells, columnIds, categories));
  const problems = read.flatMap((row, index) => row.problems.map((problem) => `Row ${index + 1}: ${problem}`));
  if (rows.length > articles.length)
    problems.unshift(`${rows.length - articles.length} rows would be below the last row that is loaded.`);
  const changes = articles.flatMap((article, index) => {
    const row = read[index];
    return row ? [[article, row.change] as const] : [];
  });
  return { changes, problems: boundedProblems(problems) };
}

/** The first problems, with the number of the others. */
export function boundedProblems(problems: readonly string[]): readonly string[] {
  const more = problems.length - MAX_PROBLEMS;
  return [...problems.slice(0, MAX_PROBLEMS), ...(more > 0 ? [`And ${more} more.`] : [])];
}

const readRow = (cells: readonly string[], columnIds: readonly string[], categories: readonly CategoryChoice[]) =>
  readCells(
    cells.map((cell, column) => [columnIds[column] ?? '', cell]),
    categories,
  );
