import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { toPrintable } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { GatewayAddress } from './gateway/gateway-client.ts';
import { failedPathOf } from './report/failed-rows.ts';
import { type ColumnMapping, parseColumns } from './rows/columns.ts';
import type { InputFormat } from './rows/input-file.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export interface UpdateRunOptions {
  readonly kind: 'run' | 'preview';
  readonly address: GatewayAddress;
  /** The path of the file, or `-` for stdin. */
  readonly path: string;
  readonly format: InputFormat;
  readonly mapping: ColumnMapping;
  /** Null: the key follows from the file. */
  readonly key: string | null;
  readonly isResumed: boolean;
  readonly failedPath: string;
  /** True where the cells of the failed rows are prefixed, so that no spreadsheet takes one for a formula. */
  readonly isForSpreadsheet: boolean;
}

export type BulkUpdateOptions =
  | UpdateRunOptions
  | { readonly kind: 'help' }
  | { readonly kind: 'cancel'; readonly address: GatewayAddress; readonly jobId: string };

const OPTIONS = {
  url: { type: 'string' },
  token: { type: 'string' },
  jwt: { type: 'string' },
  key: { type: 'string' },
  resume: { type: 'boolean' },
  preview: { type: 'boolean' },
  failed: { type: 'string' },
  'for-spreadsheet': { type: 'boolean' },
  columns: { type: 'string' },
  format: { type: 'string' },
  cancel: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** Parses the arguments after `bulk-update`. An option counts before the variable of the same meaning. */
export function parseBulkUpdateOptions(args: string[], variables: Variables): Result<BulkUpdateOptions, string> {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    if (values.help) return ok({ kind: 'help' });
    const address = addressOfGateway(values, variables);
    if (!address.ok) return address;
    return values.cancel === undefined
      ? parseRun(values, positionals, address.value)
      : parseCancel(values.cancel, { values, positionals, address: address.value });
  } catch (error) {
    // parseArgs throws a TypeError with a readable message for an unknown option, which it quotes.
    return err(toPrintable(String(error instanceof Error ? error.message : error).replaceAll('\n', ' ')));
  }
}

const DEFAULT_URL = 'http://127.0.0.1:4000/graphql';

function addressOfGateway(values: Values, variables: Variables): Result<GatewayAddress, string> {
  const url = URL.parse(values.url ?? (variables['KB_GATEWAY_URL'] || DEFAULT_URL));
  if (url === null || !/^https?:$/u.test(url.protocol) || url.username !== '' || url.password !== '') {
    return err(`--url (KB_GATEWAY_URL) is the address of GraphQL, such as ${DEFAULT_URL}, without a user.`);
  }
  const token = values.token ?? variables['KB_API_TOKEN'];
  const jwt = values.jwt ?? variables['KB_JWT'];
  if (!token && !jwt) return err('set KB_API_TOKEN to the API token that the gateway accepts, or KB_JWT.');
  for (const secret of [token, jwt]) {
    if (secret && !/^[\x21-\x7e]+$/u.test(secret)) return err('a token has visible ASCII characters only.');
  }
  const credentials = { ...(token && { 'x-api-token': token }), ...(jwt && { authorization: `Bearer ${jwt}` }) };
  return ok({ url: url.href, credentials });
}

interface CancelArguments {
  readonly values: Values;
  readonly positionals: readonly string[];
  readonly address: GatewayAddress;
}

function parseCancel(
  jobId: string,
  { values, positionals, address }: CancelArguments,
): Result<BulkUpdateOptions, string> {
  const { url, token, jwt, cancel, ...others } = values;
  if (positionals.length > 0 || Object.keys(others).length > 0) {
    return err('--cancel takes the ID of a job, and neither a FILE nor other options.');
  }
  return jobId === '' ? err('--cancel takes the ID of a job.') : ok({ kind: 'cancel', address, jobId });
}

function parseRun(
  values: Values,
  positionals: readonly string[],
  address: GatewayAddress,
): Result<BulkUpdateOptions, string> {
  const [path, ...more] = positionals;
  if (path === undefined || path === '' || more.length > 0) return err('bulk-update takes one FILE, or - for stdin.');
  const format = formatOf(path, values.format);
  if (!format.ok) return format;
  const misused = misusedOption(values, format.value);
  if (misused !== null) return err(misused);
  const mapping = values.columns === undefined ? ok(new Map<string, null>()) : parseColumns(values.columns);
  if (!mapping.ok) return mapping;
  const { key = null, resume = false, preview = false, failed, 'for-spreadsheet': isForSpreadsheet = false } = values;
  return ok({
    kind: preview ? 'preview' : 'run',
    address,
    path,
    format: format.value,
    mapping: mapping.value,
    key,
    isResumed: resume,
    failedPath: failed ?? failedPathOf(path, format.value),
    isForSpreadsheet,
  });
}

/** The problem of an option beside the others; null where there is none. */
function misusedOption(values: Values, format: InputFormat): string | null {
  const { columns, key, resume, preview, failed, 'for-spreadsheet': forSpreadsheet } = values;
  if (columns !== undefined && format !== 'csv') return '--columns is for CSV.';
  if (forSpreadsheet && format !== 'csv') return '--for-spreadsheet is for CSV.';
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/u.test(key)) return '--key takes 1 to 255 visible ASCII characters.';
  if (preview && (key !== undefined || resume || failed !== undefined || forSpreadsheet)) {
    return '--preview writes nothing, so it takes no --key, no --resume, no --failed and no --for-spreadsheet.';
  }
  return null;
}

const FORMATS: Readonly<Record<string, InputFormat>> = { csv: 'csv', json: 'json', ndjson: 'ndjson', jsonl: 'ndjson' };

function formatOf(path: string, option: string | undefined): Result<InputFormat, string> {
  const name = option ?? extname(path).slice(1).toLowerCase();
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  if (format !== undefined) return ok(format);
  return err(
    option === undefined
      ? 'the FILE ends in .csv, .json, .ndjson or .jsonl; for stdin and other names, say --format csv, json or ndjson.'
      : '--format is csv, json or ndjson.',
  );
}
