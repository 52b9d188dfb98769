import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { toPrintable } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { type ColumnMapping, parseColumns } from './article-rows.ts';
import { failedPathOf } from './failed-rows.ts';
import type { GatewayAddress } from './gateway-client.ts';
import type { InputFormat } from './input-file.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The exit codes of `bulk-update`. */
export const UPDATE_EXITS = { done: 0, notRun: 1, misused: 2, notAllUpdated: 3 } as const;

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
      : parseCancel(values, positionals, address.value);
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

function parseCancel(
  { url, token, jwt, cancel: jobId = '', ...others }: Values,
  positionals: readonly string[],
  address: GatewayAddress,
): Result<BulkUpdateOptions, string> {
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

/** The output of `bulk-update --help`. */
export const BULK_UPDATE_HELP = `kb-gateway bulk-update: update articles from a file, through a gateway that runs

Usage:
  kb-gateway bulk-update FILE --preview   print what would change, and write nothing
  kb-gateway bulk-update FILE             submit the rows as one job, and show how it goes on
  kb-gateway bulk-update FILE --resume    go on with the job of an earlier run with this file
  kb-gateway bulk-update --cancel JOB     cancel a job: what it has not begun is not attempted

FILE has a row for each article: .ndjson or .jsonl (an object on each line), .json (an array of objects, or
{ "articles": [...] }; at most 64 MiB), or .csv (the header names the fields). - reads stdin, with --format.

Fields: articleId (always), languageCode, title, content, htmlContent, categoryId, hidden (true or false),
versionNumber, translationStatus (NONE, NEEDS_TRANSLATION or TRANSLATED), source, order.
In CSV an empty cell leaves its field as it is, and \\N stands for null. A name that begins with _ is ignored.

Options:
  --url URL             the gateway's GraphQL (KB_GATEWAY_URL, http://127.0.0.1:4000/graphql)
  --token TOKEN         the API token. Other users of this machine see it: set KB_API_TOKEN instead
  --jwt JWT             the JWT, where the gateway knows its clients by one. Better: KB_JWT
  --columns C=f,...     CSV: the column C has the field f; C= ignores the column
  --format FORMAT       csv, json or ndjson
  --failed FILE         where rows go that were not updated, with reasons (articles.failed.csv for articles.csv)
  --for-spreadsheet     CSV: begin each cell of that file with ' that a spreadsheet would take for a formula, and those
                        that begin with ' already. bulk-update takes it away when it reads the file
  --key KEY             the idempotency key of the job (made from the content of FILE)

Exit codes:
  0  all rows were updated; with --preview or --cancel: done
  1  not run, or not watched to the end: a wrong row (then nothing was sent), a gateway that cannot be reached, Ctrl-C
  2  misused: a wrong option
  3  some rows were not updated; they are in the file of --failed
`;
