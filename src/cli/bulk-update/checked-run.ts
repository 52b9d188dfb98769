import type { GatewayClient } from './gateway/gateway-client.ts';
import type { UpdateRunOptions } from './options.ts';
import type { CheckedRows } from './rows/check-rows.ts';
import type { RowsOptions } from './rows/read-rows.ts';

/** The exit codes of `bulk-update`. */
export const UPDATE_EXITS = { done: 0, notRun: 1, misused: 2, notAllUpdated: 3 } as const;

/** A file whose rows are all right, and a gateway that accepts the caller. */
export interface CheckedRun {
  readonly options: UpdateRunOptions;
  readonly client: GatewayClient;
  readonly rows: RowsOptions;
  readonly checked: CheckedRows;
  readonly signal: AbortSignal;
}
