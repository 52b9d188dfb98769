import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import type { CategoryChoice } from './categories.ts';
import { readCells } from './cell-values.ts';
import { columnName } from './columns.ts';
import { type Changed, isMember } from './edits.ts';

/** The most characters of one paste. */
const MAX_PASTE = 5_000_000;

/** The most problems that are shown of one paste or file. */
const MAX_PROBLEMS = 5;

/** Rows of texts, as they are copied between cells. */
export type Cells = readonly (readonly string[])[];

/** Reads cells as spreadsheets copy them: tabs between columns, and quotes around texts with line breaks. */
export function parseCells(text: string): Cells | { readonly problem: string } {
  if (text.length > MAX_PASTE) return { problem: 'This is too much for one paste.' };
  try {
    const rows: string[][] = parse(text, { delimiter: '\t', relax_column_count: true, relax_quotes: true });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const reason =
      error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'a cell begins with a quotation mark that is not closed' : error.message;
    return { problem: `Nothing was pasted, since it can't be read: ${reason}.` };
  }
}

const SPECIAL = /["\t\r\n]/u;

/** Writes cells as spreadsheets read them. */
export const cellsText = (rows: Cells): string =>
  rows
    .map((cells) => cells.map((cell) => (SPECIAL.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'))
    .join('\n');

/** Repeats cells where a range holds them a whole number of times, as spreadsheets do. */
export function repeated(cells: Cells, range: { readonly rows: number; readonly columns: number }): Cells {
  const width = Math.max(0, ...cells.map(({ length }) => length));
  if (width === 0) return cells;
  const times = (size: number, wanted: number) => (wanted % size === 0 ? Math.max(1, wanted / size) : 1);
  const across = times(width, range.columns);
  const wide = cells.map((row) =>
    Array.from({ length: across }, () => [...row, ...Array<string>(width - row.length).fill('')]).flat(),
  );
  return Array.from({ length: times(cells.length, range.rows) }, () => (across === 1 ? cells : wide)).flat();
}

interface Target {
  /** The articles from the first row on, in their order. */
  readonly articles: readonly ArticleFieldsFragment[];
  /** The columns of the cells, by their IDs. Those that can't be edited are skipped. */
  readonly columnIds: readonly string[];
  readonly categories: readonly CategoryChoice[];
}

/** The changes that cells make in the rows and columns of a grid. */
export function changesOf(cells: Cells, { articles, columnIds, categories }: Target) {
  const read = articles.slice(0, cells.length).map((article, index) => {
    const row = (cells[index] ?? []).map((text, column) => [columnIds[column] ?? '', text] as const);
    return { article, ...readCells(row, categories) };
  });
  const changes = read.flatMap(({ article, change }): readonly Changed[] =>
    Object.keys(change).length > 0 ? [[article, change]] : [],
  );
  const problems = read.flatMap((row, index) => row.problems.map((problem) => `Row ${index + 1}: ${problem}`));
  const width = Math.max(0, ...cells.map(({ length }) => length));
  const skipped = columnIds.slice(0, width).filter((id) => !isMember(id));
  const notes = [
    skipped.length > 0 && `Skipped, since it can't be edited: ${skipped.map(columnName).join(', ')}.`,
    width > columnIds.length && `${width - columnIds.length} columns would be right of the last one.`,
    cells.length > articles.length && `${cells.length - articles.length} rows would be below the last article.`,
  ];
  return { changes, problems: boundedProblems([...notes.filter((note) => note !== false), ...problems]) };
}

/** The first problems, with the number of the others. */
export function boundedProblems(problems: readonly string[]): readonly string[] {
  const more = problems.length - MAX_PROBLEMS;
  return [...problems.slice(0, MAX_PROBLEMS), ...(more > 0 ? [`And ${more} more.`] : [])];
}
