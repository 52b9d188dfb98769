import { err, ok, type Result } from '../../../base/result.ts';
import { lineFeedsIn, MAX_ROW_CHARS, type RowProblem, tooLongRow } from './input-row.ts';

interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

type ReadRecord = Result<CsvRecord, RowProblem>;

/** The characters that end a plain run of a cell. */
const SPECIAL = /[",\r\n]/gu;

/** `start`: nothing of the cell was read. `closed`: after a quotation mark that may end the cell or be doubled. */
type CellState = 'start' | 'plain' | 'quoted' | 'closed';

/** Splits CSV into records (RFC 4180). Lines end with LF, CRLF or CR. A problem ends it, since no later line is sure. */
export class CsvRecords {
  #cells: string[] = [];
  #cell = '';
  #length = 0;
  #state: CellState = 'start';
  #line = 1;
  #recordLine = 1;
  #isAfterReturn = false;
  hasFailed = false;

  *read(piece: string): Generator<ReadRecord> {
    let at = 0;
    while (at < piece.length && !this.hasFailed) {
      const end = this.#nextPosition(piece, at);
      if (end > at) yield* this.#append(piece.slice(at, end));
      if (end < piece.length && !this.hasFailed) yield* this.#take(piece.charAt(end));
      at = end + 1;
    }
  }

  *end(): Generator<ReadRecord> {
    if (this.hasFailed) return;
    if (this.#state === 'quoted') {
      yield this.#fail({ line: this.#recordLine, message: 'a quotation mark that opens a cell is not closed.' });
    } else yield* this.#endRecord();
  }

  #nextPosition(piece: string, at: number): number {
    if (this.#state === 'quoted') {
      const quote = piece.indexOf('"', at);
      return quote === -1 ? piece.length : quote;
    }
    SPECIAL.lastIndex = at;
    return SPECIAL.exec(piece)?.index ?? piece.length;
  }

  *#append(text: string): Generator<ReadRecord> {
    this.#isAfterReturn = false;
    if (this.#state === 'closed') {
      return yield this.#fail({ line: this.#line, message: 'text follows the quotation mark that closes a cell.' });
    }
    if (this.#state === 'quoted') this.#line += lineFeedsIn(text);
    else this.#state = 'plain';
    this.#cell += text;
    this.#length += text.length;
    if (this.#length > MAX_ROW_CHARS) yield this.#fail(tooLongRow(this.#recordLine));
  }

  *#take(character: string): Generator<ReadRecord> {
    const isSecondOfLineEnd = character === '\n' && this.#isAfterReturn;
    this.#isAfterReturn = character === '\r';
    if (isSecondOfLineEnd) return;
    if (character === '"') yield* this.#takeQuote();
    else if (character === ',') this.#endCell();
    else {
      yield* this.#endRecord();
      this.#line += 1;
      this.#recordLine = this.#line;
    }
  }

  *#takeQuote(): Generator<ReadRecord> {
    if (this.#state === 'plain') {
      const message = 'a cell with a quotation mark must stand in quotation marks, and its own marks must be doubled.';
      return yield this.#fail({ line: this.#line, message });
    }
    if (this.#state === 'closed') this.#cell += '"';
    this.#state = this.#state === 'quoted' ? 'closed' : 'quoted';
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'start';
    this.#length += 1;
  }

  *#endRecord(): Generator<ReadRecord> {
    this.#endCell();
    const cells = this.#cells;
    this.#cells = [];
    this.#length = 0;
    if (cells.length > 1 || cells[0] !== '') yield ok({ line: this.#recordLine, cells });
  }

  #fail(problem: RowProblem): ReadRecord {
    this.hasFailed = true;
    return err(problem);
  }
}
