import { err, ok, type Result } from '../base/result.ts';
import { fromSpreadsheetCell, isIgnoredColumn, SPREADSHEET_COLUMN } from './spreadsheet-cells.ts';

/** A row with the texts of its cells by the names of their columns. */
export interface SheetRow {
  /** The line on which the row begins. */
  readonly place: string;
  readonly members: Readonly<Record<string, string>>;
}

export interface RowProblem {
  readonly place: string;
  readonly message: string;
}

export interface SheetChunk {
  readonly rows: readonly Result<SheetRow, RowProblem>[];
  /** Reads the same rows again. A file may have more of them than fit in memory. */
  readonly again: () => readonly Result<SheetRow, RowProblem>[];
}

export interface SheetOptions {
  /** `parse` of csv-parse, which has one module for Node and another for browsers. */
  readonly parse: (bytes: Uint8Array, options: ParseOptions) => unknown;
  /** True for a column that some field has, or that is ignored on purpose: its name tells the separator of the cells. */
  readonly isKnown: (column: string) => boolean;
  /** True for a column whose cells are not used. */
  readonly isIgnored: (column: string) => boolean;
  readonly problemsOf: (columns: readonly string[]) => Iterable<string>;
}

/** The options of csv-parse that are used here. */
interface ParseOptions {
  readonly delimiter: string;
  readonly record_delimiter: string[];
  readonly relax_column_count: true;
  readonly skip_empty_lines: true;
  readonly skip_records_with_empty_values?: true;
  readonly to?: 1;
  readonly on_record: (cells: string[], info: { readonly empty_lines: number }) => null;
}

/** The most cells of a row. Spreadsheets have as many columns. */
const MAX_CELLS = 16_384;

/** The most characters of a cell. Excel and others cut longer texts without a word. */
export const MAX_CELL_CHARS = 32_767;

/** Bytes of one row. A longer one does not fit into a request. */
export const MAX_ROW_BYTES = 8 * 1024 ** 2;

/** A chunk of so many bytes takes no other row. */
export const CHUNK_BYTES = 64 * 1024;

/**
 * Reads the rows of a sheet as UTF-8: CSV as RFC 4180 has it, or as spreadsheets save it, with cells between semicolons
 * or tabs and with empty rows and columns. The first row that is not empty names the columns.
 */
export function* readSheet(bytes: Uint8Array, options: SheetOptions): Generator<SheetChunk> {
  const { start, line, delimiter } = separatorOf(bytes, options);
  const dialect = { delimiter, parse: options.parse };
  let header: SheetHeader | null = null;
  for (const { part, line: firstLine, problem: bound } of wholeRecords(bytes, { start, line, delimiter })) {
    const { records, problem } = readRecords(part, firstLine, dialect);
    const first = header === null ? records.shift() : undefined;
    if (first !== undefined) {
      header = headerOf(first.cells, options);
      const problems = headerProblems(header.columns, options);
      yield* problems.map((message) => problemChunk({ place: lineOf(first.line), message }));
      if (problems.length > 0) return;
    }
    const columns = header;
    if (columns !== null) {
      const others = (all: readonly SheetRecord[]) => all.map((record) => toRow(columns, record));
      const again = () => others(readRecords(part, firstLine, dialect).records.slice(first === undefined ? 0 : 1));
      yield { rows: others(records), again };
    }
    const last = problem ?? bound;
    if (last !== null) return yield* [problemChunk(last)];
  }
  if (header === null) yield problemChunk({ place: lineOf(1), message: 'the input has no header with columns.' });
}

export function problemChunk(problem: RowProblem): SheetChunk {
  const rows = [err(problem)];
  return { rows, again: () => rows };
}

const lineOf = (line: number): string => `line ${line}`;

/** Comes first where it is as likely as another one. */
const DELIMITERS = [',', ';', '\t'] as const;

/** The first line by which a file tells a spreadsheet its separator. A spreadsheet that saves it again may quote it. */
const SEPARATOR_LINE = /^"?[sS][eE][pP]=([,;\t|])"?[,;\t|]*(?:\r\n|\n|\r)/u;

interface SheetStart {
  readonly start: number;
  readonly line: number;
  readonly delimiter: string;
}

/** Where the rows begin, and the separator by which the header has most known columns, or most columns. */
function separatorOf(bytes: Uint8Array, { parse, isKnown }: SheetOptions): SheetStart {
  const first = bytes.subarray(0, CHUNK_BYTES);
  const [line, named] = SEPARATOR_LINE.exec(new TextDecoder().decode(first)) ?? [];
  if (line !== undefined && named !== undefined) return { start: line.length, line: 2, delimiter: named };
  const scoreOf = (delimiter: string): number => {
    let names: readonly string[] = [];
    try {
      parse(first, {
        ...PARSE_OPTIONS,
        delimiter,
        skip_records_with_empty_values: true,
        to: 1,
        on_record: (cells) => {
          names = cells.map((cell) => fromSpreadsheetCell(cell.trim()));
          return null;
        },
      });
    } catch {
      // The text is not separated by this character, or it has a problem that is found when its rows are read.
    }
    return names.filter(isKnown).length * (MAX_CELLS + 1) + Math.min(names.length, MAX_CELLS);
  };
  const [comma, ...others] = DELIMITERS;
  const best = others.reduce<{ delimiter: string; score: number }>(
    (best, delimiter) => {
      const score = scoreOf(delimiter);
      return score > best.score ? { delimiter, score } : best;
    },
    { delimiter: comma, score: scoreOf(comma) },
  );
  return { start: 0, line: 1, delimiter: best.delimiter };
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

interface RecordChunk {
  readonly part: Uint8Array;
  /** The line on which the part begins, from 1. */
  readonly line: number;
  /** The problem of a record that exceeds a bound. That record is the last one. */
  readonly problem: RowProblem | null;
}

/** Splits a sheet into parts of whole records. Each record is bounded before it is parsed. */
function* wholeRecords(bytes: Uint8Array, sheet: SheetStart): Generator<RecordChunk> {
  let [start, line] = [sheet.start, sheet.line];
  while (start < bytes.length) {
    let [end, nextLine] = [start, line];
    let problem: RowProblem | null = null;
    while (end < bytes.length && end - start < CHUNK_BYTES && problem === null) {
      const record = scanRecord(bytes, end, sheet.delimiter.charCodeAt(0));
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
function scanRecord(bytes: Uint8Array, start: number, delimiter: number): ScannedRecord {
  const scan = new RecordScan(delimiter);
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

class RecordScan {
  isQuoted = false;
  cells = 1;
  /** The line feeds within cells. */
  lines = 0;
  readonly #delimiter: number;

  constructor(delimiter: number) {
    this.#delimiter = delimiter;
  }

  /** True for a byte that ends the record. */
  endsAt(byte: number | undefined): boolean {
    if (byte === QUOTE) this.isQuoted = !this.isQuoted;
    else if (this.isQuoted) this.lines += byte === LINE_FEED ? 1 : 0;
    else if (byte === this.#delimiter) this.cells += 1;
    else return byte === LINE_FEED || byte === RETURN;
    return false;
  }
}

const TOO_LONG = `takes more than ${MAX_ROW_BYTES} bytes`;
const TOO_LONG_OR_OPEN = `${TOO_LONG}, or a quotation mark that opens a cell is not closed`;

interface SheetRecord {
  /** The line on which the record begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

const PARSE_OPTIONS: Omit<ParseOptions, 'delimiter' | 'on_record'> = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
};

/**
 * Splits a part that begins on a given line into records that are not empty, up to the first problem: later lines are
 * uncertain.
 */
function readRecords(
  part: Uint8Array,
  firstLine: number,
  { delimiter, parse }: Pick<SheetOptions, 'parse'> & Pick<SheetStart, 'delimiter'>,
) {
  const records: SheetRecord[] = [];
  // The parser takes CRLF within a cell for two line ends, so lines are counted here, without the blank ones.
  let line = firstLine;
  try {
    parse(part, {
      ...PARSE_OPTIONS,
      delimiter,
      // Records are collected here, since the parser discards its result when it throws.
      on_record: (cells, { empty_lines }) => {
        if (!cells.every(isBlank)) records.push({ line: line + empty_lines, cells });
        line = cells.reduce((sum, cell) => sum + lineFeedsIn(cell), line + 1);
        return null;
      },
    });
    return { records, problem: null };
  } catch (error) {
    return { records, problem: problemOf(error, line) };
  }
}

const isBlank = (cell: string): boolean => cell.trim() === '';

const lineFeedsIn = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};

const PARSER_PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'a quotation mark that opens a cell is not closed'],
  ['CSV_INVALID_CLOSING_QUOTE', 'text follows the quotation mark that closes a cell'],
  [
    'INVALID_OPENING_QUOTE',
    'a cell with a quotation mark must be enclosed in quotation marks, and its own must be doubled',
  ],
]);

/** A problem of the record that begins on a line, after blank lines. Its column is counted from 1. */
function problemOf(error: unknown, line: number): RowProblem {
  const { code, empty_lines: emptyLines, column } = Object(error);
  const problem = PARSER_PROBLEMS.get(code);
  if (problem === undefined) throw error;
  const place = lineOf(line + Number(emptyLines));
  return { place, message: `${problem}, in column ${Number(column) + 1} of the row.` };
}

interface SheetHeader {
  /** The names of the columns, '' for a column whose cells have to be empty. */
  readonly columns: readonly string[];
  /** True where the project itself has prefixed the cells. */
  readonly isPrefixed: boolean;
  readonly isIgnored: (column: string) => boolean;
}

function headerOf(cells: readonly string[], { isIgnored }: SheetOptions): SheetHeader {
  const names = cells.map((name) => name.trim());
  const isPrefixed = names.includes(SPREADSHEET_COLUMN);
  return { columns: isPrefixed ? names.map(fromSpreadsheetCell) : names, isPrefixed, isIgnored };
}

/** The most problems of a header that are listed. Each takes time, since it suggests a name. */
const MAX_PROBLEMS = 20;

function headerProblems(columns: readonly string[], { problemsOf }: SheetOptions): readonly string[] {
  const named = columns.filter((name) => name !== '');
  const names = new Set<string>();
  const twice = new Set(named.filter((name) => names.size === names.add(name).size));
  if (twice.size > 0) return [...twice].slice(0, MAX_PROBLEMS).map((name) => `there are two columns "${name}".`);
  const problems: string[] = [];
  for (const problem of problemsOf(named)) if (problems.push(problem) === MAX_PROBLEMS) break;
  return problems;
}

/** Cells that are missing at the end of a row are empty: Excel leaves them out where a whole column is empty for a while. */
function toRow(header: SheetHeader, { line, cells }: SheetRecord): Result<SheetRow, RowProblem> {
  const place = lineOf(line);
  const problem = cellProblem(header, cells);
  if (problem !== null) return err({ place, message: problem });
  const members = header.columns.flatMap((name, index): readonly [string, string][] => {
    // The mark of a spreadsheet file is no field of the row.
    if (name === '' || name === SPREADSHEET_COLUMN) return [];
    const cell = cells[index] ?? '';
    return [[name, header.isPrefixed && !isIgnoredColumn(name) ? fromSpreadsheetCell(cell) : cell]];
  });
  return ok({ place, members: Object.fromEntries(members) });
}

function cellProblem({ columns, isIgnored }: SheetHeader, cells: readonly string[]): string | null {
  const nameless = cells.findIndex((cell, index) => !isBlank(cell) && (columns[index] ?? '') === '');
  if (nameless !== -1) return `the column ${nameless + 1} has a text here, and no name.`;
  const isUsed = (index: number) => !isIgnored(columns[index] ?? '');
  const lost = cells.findIndex((cell, index) => lossOf(cell) !== null && isUsed(index));
  if (lost === -1) return null;
  const articleId = cells[columns.indexOf('articleId')];
  const row = articleId === undefined || columns[lost] === 'articleId' ? '' : `${articleId}: `;
  return `${row}${columns[lost]} ${lossOf(cells[lost] ?? '')}`;
}

/** What a spreadsheet has lost of the text of a cell, as the end of a sentence with what to do; null where it lost nothing. */
function lossOf(cell: string): string | null {
  if (cell.length === MAX_CELL_CHARS) return CUT;
  if (cell.length > MAX_LOSS_CHARS) return null;
  const text = cell.trim();
  if (ERROR_VALUE.test(text)) return `is ${text}, ${NO_VALUE}`;
  return ROUNDED.test(text) ? `is ${text}, ${NOT_WHOLE}` : null;
}

/** More than any of these have, so that long cells are not looked through. */
const MAX_LOSS_CHARS = 40;

/** What spreadsheets of many languages show for a formula that fails, and for a column that is too narrow. */
const ERROR_VALUE =
  /^(?:#[\u00a1\u00bf]?\p{Lu}[\p{Lu}_/0]*[!?]|#(?:N\/A|N\/D|NV|NB|I\/T|YOK|N\/DISP)|(?:Err|Fehler|Erreur):\d{3}|#{3,})$/u;

/** A number of which a spreadsheet shows the first digits only. */
const ROUNDED = /^-?\d(?:[.,]\d+)?E\+\d{2,3}$/u;

const NO_VALUE =
  'which a spreadsheet shows for a formula that fails (put an apostrophe before a text that begins with =, + or -) or for a narrow column. Correct the cell, or send the row in a file of JSON.';
const NOT_WHOLE =
  'a number that a spreadsheet has rounded. Format the column as text, enter it again, or send the row in a file of JSON.';

const CUT = `has exactly ${MAX_CELL_CHARS} characters, where spreadsheets cut a text without a word. Leave the cell empty, or send the whole text in a file of JSON.`;
