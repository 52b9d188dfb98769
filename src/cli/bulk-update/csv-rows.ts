import { CsvError, parse } from 'csv-parse/sync';
import { err, ok } from '../../base/result.ts';
import {
  type ColumnMapping,
  columnProblems,
  type InputRow,
  isIgnoredMember,
  type ReadRow,
  type RowProblem,
} from './article-rows.ts';
import { csvRecord, fromSpreadsheetCell, SPREADSHEET_COLUMN, toSpreadsheetCell } from './spreadsheet-cells.ts';

/** Reads CSV as RFC 4180 has it: the first record names the columns. Blank lines are skipped. */
export function readCsvRows(text: string, mapping: ColumnMapping): readonly ReadRow[] {
  const { records, problem } = readRecords(text);
  const [first, ...others] = records;
  if (first === undefined)
    return [err(problem ?? { place: lineOf(1), message: 'the input has no header with columns.' })];
  const header = headerOf(first.cells);
  const problems = headerProblems(header.columns, mapping);
  if (problems.length > 0) return problems.map((message) => err({ place: lineOf(first.line), message }));
  const rows = others.map((record) => toRow(header, record));
  return problem === null ? rows : [...rows, err(problem)];
}

const lineOf = (line: number): string => `line ${line}`;

interface CsvRecord {
  /** The line on which the record begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Splits CSV into records. They end at a problem, since no later line is sure. */
function readRecords(text: string): { readonly records: readonly CsvRecord[]; readonly problem: RowProblem | null } {
  const records: CsvRecord[] = [];
  // The parser takes CRLF within a cell for two line ends, so lines are counted here, without the blank ones.
  let line = 1;
  try {
    parse(text, {
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      // Kept here, since an error of the parser discards what it would return.
      on_record: (cells: readonly string[], { empty_lines }) => {
        records.push({ line: line + empty_lines, cells });
        line = cells.reduce((sum, cell) => sum + lineFeedsIn(cell), line + 1);
        return null;
      },
    });
    return { records, problem: null };
  } catch (error) {
    return { records, problem: problemOf(error, line) };
  }
}

const lineFeedsIn = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};

const PARSER_PROBLEMS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark that opens a cell is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows the quotation mark that closes a cell',
  INVALID_OPENING_QUOTE:
    'a cell with a quotation mark must stand in quotation marks, and its own marks must be doubled',
};

/** A problem of the record that begins on a line, after blank lines. Its column is counted from 1. */
function problemOf(error: unknown, line: number): RowProblem {
  const problem = error instanceof CsvError ? PARSER_PROBLEMS[error.code] : undefined;
  if (!(error instanceof CsvError) || problem === undefined) throw error;
  const place = lineOf(line + Number(error['empty_lines']));
  return { place, message: `${problem}, in column ${Number(error['column']) + 1} of the row.` };
}

interface CsvHeader {
  readonly columns: readonly string[];
  /** True where the command itself has prefixed the cells. */
  readonly isPrefixed: boolean;
}

function headerOf(cells: readonly string[]): CsvHeader {
  const names = cells.map((name) => name.trim());
  const isPrefixed = names.includes(SPREADSHEET_COLUMN);
  return { columns: isPrefixed ? names.map(fromSpreadsheetCell) : names, isPrefixed };
}

/** The problems of a header that are told. Each takes time, for what may be meant. */
const MAX_PROBLEMS = 20;

function headerProblems(columns: readonly string[], mapping: ColumnMapping): readonly string[] {
  if (columns.length === 1 && columns[0]?.includes(';')) {
    return ['the columns are separated by semicolons; separate them by commas.'];
  }
  const names = new Set<string>();
  const ownProblems = columns.flatMap((name, index) => {
    if (name === '') return [`the column ${index + 1} has no name.`];
    return names.size < names.add(name).size ? [] : [`there are two columns "${name}".`];
  });
  return ownProblems.length > 0
    ? ownProblems.slice(0, MAX_PROBLEMS)
    : [...columnProblems(columns, mapping).take(MAX_PROBLEMS)];
}

function toRow({ columns, isPrefixed }: CsvHeader, { line, cells }: CsvRecord): ReadRow {
  const place = lineOf(line);
  if (cells.length !== columns.length) {
    return err({ place, message: `the row has ${cells.length} cells, and the header has ${columns.length} columns.` });
  }
  const members = columns.map((name, index): [string, string] => {
    const cell = cells[index] ?? '';
    return [name, isPrefixed && !isIgnoredMember(name) ? fromSpreadsheetCell(cell) : cell];
  });
  // The mark is about this file, and not about its rows.
  return ok({ place, members: Object.fromEntries(members.filter(([name]) => name !== SPREADSHEET_COLUMN)) });
}

interface WrittenRow {
  /** True where the header stands before the row. */
  readonly isFirst: boolean;
  /** True where no cell may begin a formula, not even one of the input. */
  readonly isForSpreadsheet: boolean;
}

/** A row of a file that `readCsvRows` reads again. */
export function csvLine(members: InputRow['members'], { isFirst, isForSpreadsheet }: WrittenRow): string {
  const marked = isForSpreadsheet ? { ...members, [SPREADSHEET_COLUMN]: '' } : members;
  const cellOf = (name: string, cell: string) =>
    isForSpreadsheet || isIgnoredMember(name) ? toSpreadsheetCell(cell) : cell;
  const header = Object.keys(marked).map((name) => (isForSpreadsheet ? toSpreadsheetCell(name) : name));
  const cells = Object.entries(marked).map(([name, value]) => cellOf(name, String(value)));
  return (isFirst ? csvRecord(header) : '') + csvRecord(cells);
}
