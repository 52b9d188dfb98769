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

export type ReadSheetRow = Result<SheetRow, RowProblem>;

export interface SheetOptions {
  /** `parse` of csv-parse, which has one module for Node and another for browsers. */
  readonly parse: (bytes: Uint8Array, options: ParseOptions) => unknown;
  /** True for a column that some field has, or that is ignored on purpose. The separator of the cells is found by these names. */
  readonly isKnown: (column: string) => boolean;
  /** True for a column whose cells are not used. */
  readonly isIgnored: (column: string) => boolean;
  readonly problemsOf: (columns: readonly string[]) => Iterable<string>;
  /** The most rows that are used. One more is read. Absent where the file itself is small. */
  readonly maxRows?: number;
}

/** The options of csv-parse that are used here. */
interface ParseOptions {
  readonly delimiter: string;
  readonly record_delimiter: string[];
  readonly relax_column_count: true;
  readonly skip_empty_lines: true;
  readonly skip_records_with_empty_values?: true;
  readonly max_record_size?: number;
  readonly to?: number;
  readonly on_record: (cells: string[], info: { readonly empty_lines: number }) => null;
}

/** The most cells of a row. Spreadsheets have as many columns. */
const MAX_CELLS = 16_384;

/** The most characters of a cell. Excel and others cut longer texts without a word. */
export const MAX_CELL_CHARS = 32_767;

/** Bytes of one row. A longer one does not fit into a request. */
export const MAX_ROW_BYTES = 8 * 1024 ** 2;

/**
 * Reads the rows of a sheet as UTF-8: CSV as RFC 4180 has it, or as spreadsheets save it, with cells between semicolons
 * or tabs and with empty rows and columns. The first row that is not empty names the columns. Where it has a problem, the
 * others are not read.
 */
export function readSheet(bytes: Uint8Array, options: SheetOptions): readonly ReadSheetRow[] {
  const { start, line, delimiter } = separatorOf(bytes, options);
  const rows: ReadSheetRow[] = [];
  let header: SheetHeader | null = null;
  let problems: readonly string[] = [];
  const onRecord = (record: SheetRecord) => {
    if (header === null) {
      header = headerOf(record.cells, options);
      problems = headerProblems(header.columns, options);
      rows.push(...problems.map((message) => err({ place: lineOf(record.line), message })));
    } else if (problems.length === 0) rows.push(toRow(header, record));
  };
  const problem = readRecords(bytes.subarray(start), { ...options, delimiter, line }, onRecord);
  if (problem !== null) rows.push(err(problem));
  else if (header === null) rows.push(err({ place: lineOf(1), message: 'the input has no header with columns.' }));
  return rows;
}

const lineOf = (line: number): string => `line ${line}`;

/** Comes first where it is as likely as another one. */
const DELIMITERS = [',', ';', '\t'] as const;

/** The first line, by which a file names its separator for a spreadsheet. A spreadsheet that saves it again may quote it. */
const SEPARATOR_LINE = /^"?[sS][eE][pP]=([,;\t|])"?[,;\t|]*(?:\r\n|\n|\r)/u;

interface SheetStart {
  readonly start: number;
  readonly line: number;
  readonly delimiter: string;
}

/** Bytes of a file in which its header is looked for. */
const HEADER_BYTES = 64 * 1024;

/** Where the rows begin, and the separator by which the header has most known columns, or most columns. */
function separatorOf(bytes: Uint8Array, { parse, isKnown }: SheetOptions): SheetStart {
  const first = bytes.subarray(0, HEADER_BYTES);
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

interface RecordOptions extends Pick<SheetOptions, 'parse' | 'maxRows'>, Pick<SheetStart, 'delimiter' | 'line'> {}

/** Passes on the records that are not empty, up to the first problem, which it returns: later lines are uncertain. */
function readRecords(
  bytes: Uint8Array,
  { parse, delimiter, line: firstLine, maxRows }: RecordOptions,
  onRecord: (record: SheetRecord) => void,
): RowProblem | null {
  // The parser takes CRLF within a cell for two line ends, so lines are counted here, without the blank ones.
  let line = firstLine;
  try {
    parse(bytes, {
      ...PARSE_OPTIONS,
      delimiter,
      max_record_size: MAX_ROW_BYTES,
      ...(maxRows !== undefined && { to: maxRows + 2 }),
      on_record: (cells, { empty_lines }) => {
        if (!cells.every(isBlank)) onRecord({ line: line + empty_lines, cells });
        line = cells.reduce((sum, cell) => sum + lineFeedsIn(cell), line + 1);
        return null;
      },
    });
    return null;
  } catch (error) {
    return problemOf(error, line);
  }
}

const isBlank = (cell: string): boolean => cell.trim() === '';

const lineFeedsIn = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};

const PARSER_PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  [
    'CSV_MAX_RECORD_SIZE',
    `the row takes more than ${MAX_ROW_BYTES} bytes, or a quotation mark that opens a cell is not closed`,
  ],
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

const TOO_MANY_CELLS = `the row has more than ${MAX_CELLS} cells.`;

/** The most problems of a header that are listed. Each takes time, since it suggests a name. */
const MAX_PROBLEMS = 20;

function headerProblems(columns: readonly string[], { problemsOf }: SheetOptions): readonly string[] {
  if (columns.length > MAX_CELLS) return [TOO_MANY_CELLS];
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
  if (cells.length > MAX_CELLS) return TOO_MANY_CELLS;
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
