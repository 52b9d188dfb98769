import { err, ok, type Result } from '../../../base/result.ts';
import type { CheckedRows } from './check-rows.ts';
import { parseRow, type RowsOptions, readInputRows, type UpdateRow } from './read-rows.ts';

/** Rows that are sent in one request. */
export interface RowPart {
  /** The position of the first row in the file, from 0. */
  readonly startIndex: number;
  readonly rows: readonly UpdateRow[];
  readonly isLast: boolean;
}

/** The most that one request takes. The gateway may take less, so that parts become smaller on the way. */
export class PartLimits {
  #maxRows: number;
  #maxBytes: number;

  constructor({ maxRows, maxBytes }: { maxRows: number; maxBytes: number }) {
    this.#maxRows = maxRows;
    this.#maxBytes = maxBytes;
  }

  /** True where a part of this size can take one row more. The first row always fits. */
  hasRoomFor(bytes: number, { rows, size }: { rows: number; size: number }): boolean {
    return rows === 0 || (rows < this.#maxRows && size + bytes <= this.#maxBytes);
  }

  /** Makes later parts at most half as large as this one was. */
  halve({ rows }: RowPart): void {
    const size = rows.reduce((sum, { json }) => sum + sizeOf(json), 0);
    this.#maxRows = Math.max(1, Math.floor(Math.min(this.#maxRows, rows.length) / 2));
    this.#maxBytes = Math.max(1, Math.floor(Math.min(this.#maxBytes, size) / 2));
  }
}

/** With the comma that separates it from the next one. */
const sizeOf = (json: string): number => Buffer.byteLength(json) + 1;

/** Splits the rows of a file into parts. The error says that the file is no longer the one that was checked. */
export async function* partsOf(
  options: RowsOptions,
  checked: CheckedRows,
  limits: PartLimits,
): AsyncGenerator<Result<RowPart, string>> {
  const reading = options.file.read();
  const changed = err(`${options.file.name} has changed since it was checked.`);
  let rows: UpdateRow[] = [];
  let size = 0;
  let startIndex = 0;
  for await (const row of readInputRows(options, reading.text)) {
    const parsed = row.ok ? parseRow(row.value, options) : changed;
    if (!parsed.ok) return yield changed;
    const bytes = sizeOf(parsed.value.json);
    if (!limits.hasRoomFor(bytes, { rows: rows.length, size })) {
      yield ok({ startIndex, rows, isLast: false });
      startIndex += rows.length;
      rows = [];
      size = 0;
    }
    rows.push(parsed.value);
    size += bytes;
  }
  const isSame = reading.digest() === checked.digest && startIndex + rows.length === checked.rows;
  yield isSame ? ok({ startIndex, rows, isLast: true }) : changed;
}

/** Splits a part that is too large into two. */
export function halvesOf({ startIndex, rows, isLast }: RowPart): readonly RowPart[] {
  const middle = Math.ceil(rows.length / 2);
  return [
    { startIndex, rows: rows.slice(0, middle), isLast: false },
    { startIndex: startIndex + middle, rows: rows.slice(middle), isLast },
  ];
}
