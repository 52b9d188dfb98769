import { err, ok, type Result } from '../../base/result.ts';
import type { UpdateRow } from './article-rows.ts';
import { type CheckedRows, type RowsOptions, readUpdateRows } from './checked-rows.ts';
import type { GatewayClient, GatewayFailure } from './gateway-client.ts';
import type { UpdateRunOptions } from './options.ts';
import type { JobProgress } from './progress.ts';

/** A file whose rows are all right, and a gateway that accepts the caller. */
export interface CheckedRun {
  readonly options: UpdateRunOptions;
  readonly client: GatewayClient;
  readonly rows: RowsOptions;
  readonly checked: CheckedRows;
  readonly progress: JobProgress;
}

/** Rows that are sent in one request. */
export interface RowPart {
  /** The position of the first row in the file, from 0. */
  readonly startIndex: number;
  readonly rows: readonly UpdateRow[];
  readonly isLast: boolean;
}

/** The most that one request takes. The gateway may take less, so that parts become smaller on the way. */
interface PartLimits {
  maxRows: number;
  maxBytes: number;
}

/** With the comma that separates it from the next one. */
const sizeOf = (json: string): number => Buffer.byteLength(json) + 1;

/**
 * Makes later parts at most half as large as this one was.
 * @internal Exported for tests.
 */
export function halveLimits(limits: PartLimits, { rows }: RowPart): void {
  const size = rows.reduce((sum, { json }) => sum + sizeOf(json), 0);
  limits.maxRows = Math.max(1, Math.floor(Math.min(limits.maxRows, rows.length) / 2));
  limits.maxBytes = Math.max(1, Math.floor(Math.min(limits.maxBytes, size) / 2));
}

/**
 * Splits the rows of a file into parts, of at least a row. The error says that the file is no longer the one that was
 * checked.
 * @internal Exported for tests.
 */
export async function* partsOf(
  options: RowsOptions,
  checked: CheckedRows,
  limits: Readonly<PartLimits>,
): AsyncGenerator<Result<RowPart, string>> {
  const reading = options.file.read();
  const changed = err(`${options.file.name} has changed since it was checked.`);
  let rows: UpdateRow[] = [];
  let size = 0;
  let startIndex = 0;
  for await (const row of readUpdateRows(options, reading.text)) {
    if (!row.ok) return yield changed;
    const bytes = sizeOf(row.value.json);
    if (rows.length > 0 && (rows.length >= limits.maxRows || size + bytes > limits.maxBytes)) {
      yield ok({ startIndex, rows, isLast: false });
      startIndex += rows.length;
      rows = [];
      size = 0;
    }
    rows.push(row.value);
    size += bytes;
  }
  const isSame = reading.digest() === checked.digest && startIndex + rows.length === checked.rows;
  yield isSame ? ok({ startIndex, rows, isLast: true }) : changed;
}

/**
 * Splits a part that is too large into two.
 * @internal Exported for tests.
 */
export function halvesOf({ startIndex, rows, isLast }: RowPart): readonly [RowPart, RowPart] {
  const middle = Math.ceil(rows.length / 2);
  return [
    { startIndex, rows: rows.slice(0, middle), isLast: false },
    { startIndex: startIndex + middle, rows: rows.slice(middle), isLast },
  ];
}

/** The items of a part, as a list of JSON. */
export const articlesOf = ({ rows }: RowPart): string => `[${rows.map(({ json }) => json).join(',')}]`;

/** The reason why not all rows were sent. The failure of the gateway at a part is null where the file has changed. */
export interface SendFailure {
  readonly message: string;
  readonly failure: { readonly reason: GatewayFailure; readonly part: RowPart } | null;
}

/**
 * Sends the rows in parts, in their order. A part that is too large is sent in halves, and later ones are smaller. `send`
 * resolves to false where no other part needs to be sent.
 */
export async function sendParts(
  { rows, checked }: CheckedRun,
  firstLimits: Readonly<PartLimits>,
  send: (part: RowPart) => Promise<Result<boolean, GatewayFailure>>,
): Promise<Result<boolean, SendFailure>> {
  const limits = { ...firstLimits };
  const sendWhole = async (part: RowPart): Promise<Result<boolean, SendFailure>> => {
    const sent = await send(part);
    if (sent.ok) return sent;
    const reason = sent.error;
    if (reason.kind !== 'too-large' || part.rows.length < 2)
      return err({ message: reason.message, failure: { reason, part } });
    halveLimits(limits, part);
    const [one, other] = halvesOf(part);
    const half = await sendWhole(one);
    return half.ok && half.value ? sendWhole(other) : half;
  };
  for await (const part of partsOf(rows, checked, limits)) {
    const sent = part.ok ? await sendWhole(part.value) : err({ message: part.error, failure: null });
    if (!sent.ok || !sent.value) return sent;
  }
  return ok(true);
}
