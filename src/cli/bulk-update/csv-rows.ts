import { CsvError, parse } from 'csv-parse/sync';
import { err, ok } from '../../core/base/result.ts';
import {
  csvRecord,
  fromSpreadsheetCell,
  SPREADSHEET_COLUMN,
  toSpreadsheetCell,
} from '../../core/base/spreadsheet-cells.ts';
import {
  CHUNK_BYTES,
  type ColumnMapping,
  columnProblems,
  type InputRow,
  isIgnoredMember,
  MAX_ROW_BYTES,
  problemChunk,
  type ReadRow,
  type RowChunk,
  type RowProblem,
} from './article-rows.ts';

/** The most cells of a row. Spreadsheets have as many columns. */
const MAX_CELLS = 16_384;

/** Reads CSV as RFC 4180 has it: the first record names the columns. Blank lines are skipped. */
export function* readCsvRows(bytes: Buffer, mapping: ColumnMapping): Generator<RowChunk> {
  let header: CsvHeader | null = null;
  for (const { part, line, problem: bound } of wholeRecords(bytes)) {
    const { records, problem } = readRecords(part, line);
    const first = header === null ? records.shift() : undefined;
    if (first !== undefined) {
      header = headerOf(first.cells);
      const problems = headerProblems(header.columns, mapping);
      yield* problems.map((message) => problemChunk({ place: lineOf(first.line), message }));
      if (problems.length > 0) return;
    }
    const names = header;
    if (names !== null) {
      const others = (all: readonly CsvRecord[]) => all.map((record) => toRow(names, record));
      const again = () => others(readRecords(part, line).records.slice(first === undefined ? 0 : 1));
      yield { rows: others(records), again };
    }
    const last = problem ?? bound;
    if (last !== null) return yield* [problemChunk(last)];
  }
  if (header === null) yield problemChunk({ place: lineOf(1), message: 'the input has no header with columns.' });
}

const lineOf = (line: number): string => `line ${line}`;

const QUOTE = 0x22;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

interface RecordChunk {
  readonly part: Buffer;
  /** The line on which the part begins, from 1. */
  readonly line: number;
  /** The problem of a record that exceeds a bound. That record is the last one. */
  readonly problem: RowProblem | null;
}

/** Splits CSV into parts of whole records. Each record is bounded before it is parsed. */
function* wholeRecords(bytes: Buffer): Generator<RecordChunk> {
  let [start, line] = [0, 1];
  while (start < bytes.length) {
    let [end, nextLine] = [start, line];
    let problem: RowProblem | null = null;
    while (end < bytes.length && end - start < CHUNK_BYTES && problem === null) {
      const record = scanRecord(bytes, end);
      problem = record.bound === null ? null : { place: lineOf(nextLine), message: `the row ${record.bound}.` };
      end = record.end;
      nextLine += record.lines;
    }
    yield { part: bytes.subarray(start, end), line, problem };
    if (problem !== null) return;
    [start, line] = [end, nextLine];
  }
}

interface ScannedRecord {
  readonly end: number;
  readonly lines: number;
  /** The bound that the record breaks. */
  readonly bound: string | null;
}

/** Returns the end of the record that begins at a position, or the position itself where the record exceeds a bound. */
function scanRecord(bytes: Buffer, start: number): ScannedRecord {
  const scan = new RecordScan();
  for (let at = start; at < bytes.length; at += 1) {
    if (scan.endsAt(bytes[at])) {
      const isPair = bytes[at] === RETURN && bytes[at + 1] === LINE_FEED;
      return { end: at + (isPair ? 2 : 1), lines: scan.lines + 1, bound: null };
    }
    if (scan.cells > MAX_CELLS) return { end: start, lines: 0, bound: `has more than ${MAX_CELLS} cells` };
    if (at - start >= MAX_ROW_BYTES)
      return { end: start, lines: 0, bound: scan.isQuoted ? TOO_LONG_OR_OPEN : TOO_LONG };
  }
  return { end: bytes.length, lines: scan.lines, bound: null };
}

/** The state of the scan of one record. */
class RecordScan {
  isQuoted = false;
  cells = 1;
  /** The line feeds within cells. */
  lines = 0;

  /** True for a byte that ends the record. */
  endsAt(byte: number | undefined): boolean {
    if (byte === QUOTE) this.isQuoted = !this.isQuoted;
    else if (this.isQuoted) this.lines += byte === LINE_FEED ? 1 : 0;
    else if (byte === COMMA) this.cells += 1;
    else return byte === LINE_FEED || byte === RETURN;
    return false;
  }
}

const TOO_LONG = `takes more than ${MAX_ROW_BYTES} bytes`;
const TOO_LONG_OR_OPEN = `${TOO_LONG}, or a quotation mark that opens a cell is not closed`;

interface CsvRecord {
  /** The line on which the record begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Splits CSV that begins on a given line into records, up to the first problem: later lines are uncertain. */
function readRecords(part: Buffer, firstLine: number) {
  const records: CsvRecord[] = [];
  // The parser takes CRLF within a cell for two line ends, so lines are counted here, without the blank ones.
  let line = firstLine;
  try {
    parse(part, {
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      // Records are collected here, since the parser discards its result when it throws.
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
    'a cell with a quotation mark must be enclosed in quotation marks, and its own must be doubled',
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

/** The most problems of a header that are listed. Each takes time, since it suggests a name. */
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
  // The mark of a spreadsheet file is no field of the row.
  return ok({ place, members: Object.fromEntries(members.filter(([name]) => name !== SPREADSHEET_COLUMN)) });
}

interface WrittenRow {
  /** True for the first row, before which the header is written. */
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
