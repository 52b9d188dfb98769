import { err, ok, type Result } from '../../core/base/result.ts';
import type { UpdateRow } from './article-rows.ts';
import type { GatewayClient, GatewayFailure } from './gateway-client.ts';
import type { Input } from './input-rows.ts';
import type { UpdateOptions } from './options.ts';
import type { JobProgress } from './progress.ts';

/** A file whose rows are all valid, with a gateway that accepts the caller. */
export interface UpdateRun {
  readonly options: UpdateOptions;
  readonly client: GatewayClient;
  readonly input: Input;
  readonly progress: JobProgress;
}

/** Rows that are sent in one request. */
export interface RowPart {
  /** The position of the first row in the file, from 0. */
  readonly startIndex: number;
  readonly rows: readonly UpdateRow[];
  readonly isLast: boolean;
}

/** The largest request, in rows and bytes. */
interface PartLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
}

/** Takes as many rows as the limits allow, and at least one. */
function partAt(rows: readonly UpdateRow[], startIndex: number, { maxRows, maxBytes }: PartLimits): RowPart {
  const taken: UpdateRow[] = [];
  let bytes = 0;
  while (taken.length < maxRows) {
    const row = rows[startIndex + taken.length];
    if (row === undefined) break;
    // One more for the comma that separates the rows.
    bytes += Buffer.byteLength(JSON.stringify(row.update)) + 1;
    if (bytes > maxBytes && taken.length > 0) break;
    taken.push(row);
  }
  return { startIndex, rows: taken, isLast: startIndex + taken.length === rows.length };
}

/** The reason why not all rows were sent. */
export interface SendFailure {
  readonly reason: GatewayFailure;
  readonly part: RowPart;
}

/**
 * Sends the rows in parts, in their order. Once the gateway refuses a part as too large, parts have half as many rows.
 * `send` resolves to false where no other part needs to be sent.
 */
export async function sendParts(
  rows: readonly UpdateRow[],
  limits: PartLimits,
  send: (part: RowPart) => Promise<Result<boolean, GatewayFailure>>,
): Promise<Result<void, SendFailure>> {
  let { maxRows } = limits;
  for (let startIndex = 0; startIndex < rows.length; ) {
    const part = partAt(rows, startIndex, { ...limits, maxRows });
    const sent = await send(part);
    if (sent.ok) {
      if (!sent.value) break;
      startIndex += part.rows.length;
    } else if (sent.error.kind === 'too-large' && part.rows.length > 1) maxRows = Math.ceil(part.rows.length / 2);
    else return err({ reason: sent.error, part });
  }
  return ok(undefined);
}
