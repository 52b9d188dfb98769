import { extname } from 'node:path';
import type { IfPublished } from '../../core/articles/forks.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { commandLine } from '../command-line.ts';
import type { CommandOptions, Variables } from '../command-options.ts';
import { type ColumnMapping, parseColumns } from './article-rows.ts';
import type { GatewayAddress } from './gateway-client.ts';
import type { InputFormat } from './input-rows.ts';

export interface UndoOptions {
  readonly address: GatewayAddress;
  readonly jobId: string;
  /** Null where the key follows from the job. */
  readonly key: string | null;
  readonly isPreview: boolean;
  /** The team account that publishes what is put back, or becomes the contributor of new drafts. */
  readonly userId: string | null;
  readonly publish: boolean;
  /** Null where the gateway decides: it forks. */
  readonly ifPublished: IfPublished | null;
}

/** The members of an input that publishes. */
export interface PublicationInput {
  readonly userId: string;
  readonly message: string | null;
}

/** The members of an input that forks or skips published versions. */
interface PublishedInput {
  readonly ifPublished: IfPublished;
  /** Absent where no draft is made. */
  readonly userId?: string | undefined;
}

export interface UpdateOptions {
  readonly address: GatewayAddress;
  readonly path: string;
  /** The format of the rows, and of those that failed. */
  readonly format: InputFormat;
  readonly mapping: ColumnMapping;
  /** True where rows overwrite what has changed since their revision. */
  readonly ignoresRevisions: boolean;
  /** Null where the key follows from the file. */
  readonly key: string | null;
  readonly isPreview: boolean;
  /** The publication options; null publishes nothing. */
  readonly publication: PublicationInput | null;
  /** What becomes of rows of published versions; null sends them as they are. */
  readonly ifPublished: PublishedInput | null;
  /** True where the job keeps the values from before, so that it can be undone. */
  readonly keepsBefore: boolean;
  /** True where a preview prints only the rows that would fail. */
  readonly onlyFailures: boolean;
  readonly isResumed: boolean;
  readonly failedPath: string;
  /** True where the cells of the failed rows are prefixed, so that no spreadsheet takes one for a formula. */
  readonly isForSpreadsheet: boolean;
  /** The command that goes on with the job. It shows no token. */
  readonly resumeCommand: string;
}

const FORMATS: ReadonlyMap<string, InputFormat> = new Map([
  ['.csv', 'csv'],
  ['.json', 'json'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
]);

const KEY = /^[\x21-\x7e]{1,255}$/u;

/** Reads the arguments of `bulk-update`. An option takes precedence over the variable of the same meaning. */
export function readUpdateOptions(
  path: string,
  args: CommandOptions,
  variables: Variables,
): Result<UpdateOptions, string> {
  const { columns, key = null, 'for-spreadsheet': isForSpreadsheet = false } = args;
  const extension = extname(path);
  const format = FORMATS.get(extension.toLowerCase());
  if (format === undefined) return err('the FILE ends in .csv, .json, .ndjson or .jsonl.');
  const misuse = misuseOf(args, format);
  if (misuse !== null) return err(misuse);
  const mapping = columns === undefined ? ok(new Map<string, null>()) : parseColumns(columns);
  if (!mapping.ok) return mapping;
  const address = addressOfGateway(args, variables);
  if (!address.ok) return address;
  return ok({
    address: address.value,
    path,
    format,
    mapping: mapping.value,
    ignoresRevisions: args['ignore-revisions'] ?? false,
    key,
    isPreview: args.preview ?? false,
    publication: args.publish ? { userId: args.user ?? '', message: args.message ?? null } : null,
    ifPublished: publishedInputOf(args),
    keepsBefore: args['keep-before'] ?? false,
    onlyFailures: args['only-failures'] ?? false,
    isResumed: args.resume ?? false,
    // The default is next to the input: `articles.failed.csv` for `articles.csv`.
    failedPath: args.failed ?? `${path.slice(0, -extension.length)}.failed${extension}`,
    isForSpreadsheet,
    resumeCommand: resumeCommand(path, args, variables),
  });
}

/** The default is left out, since an older gateway does not know it. */
function publishedInputOf(args: CommandOptions): PublishedInput | null {
  const ifPublished = ruleOf(args) ?? 'UPDATE';
  if (ifPublished === 'UPDATE') return null;
  return ifPublished === 'FORK' ? { ifPublished, userId: args.user } : { ifPublished };
}

export const IF_PUBLISHED: ReadonlyMap<string, IfPublished> = new Map([
  ['update', 'UPDATE'],
  ['fork', 'FORK'],
  ['skip', 'SKIP'],
]);

/** Undefined where the option is missing or has another value. */
const ruleOf = ({ 'if-published': value = '' }: CommandOptions): IfPublished | undefined => IF_PUBLISHED.get(value);

const WITH_UNDO: ReadonlySet<string> = new Set([
  'undo',
  'url',
  'token',
  'key',
  'preview',
  'publish',
  'user',
  'if-published',
]);

/** Reads the options of `--undo`, which takes no file. */
export function readUndoOptions(args: CommandOptions, variables: Variables): Result<UndoOptions, string> {
  const { undo: jobId = '', key = null, preview: isPreview = false } = args;
  const other = Object.keys(args).find((name) => !WITH_UNDO.has(name));
  if (other !== undefined) return err(`--${other} does not go with --undo.`);
  if (!KEY.test(jobId)) return err('--undo takes the ID of a job, as --jobs lists it.');
  const misuse = misuseOf(args, 'csv');
  if (misuse !== null) return err(misuse);
  const address = addressOfGateway(args, variables);
  const { user: userId = null, publish = false } = args;
  const ifPublished = ruleOf(args) ?? null;
  return address.ok ? ok({ address: address.value, jobId, key, isPreview, userId, publish, ifPublished }) : address;
}

const KEY_MISUSE = '--key takes 1 to 255 visible ASCII characters.';

/** The problem of options that exclude each other; null where there is none. */
function misuseOf(args: CommandOptions, format: InputFormat): string | null {
  const { columns, key, publish = false, user } = args;
  if (format !== 'csv' && (columns !== undefined || args['for-spreadsheet']))
    return '--columns and --for-spreadsheet are for CSV.';
  if (key !== undefined && !KEY.test(key)) return KEY_MISUSE;
  if (args['only-failures'] && !args.preview) return '--only-failures is for --preview.';
  if (publish && !user) return '--publish needs --user ID, the team account that publishes.';
  if (args['if-published'] !== undefined && ruleOf(args) === undefined)
    return '--if-published takes fork, skip or update.';
  if (ruleOf(args) === 'FORK' && !user) return '--if-published fork needs --user ID, the contributor of the drafts.';
  return accountMisuseOf(args);
}

function accountMisuseOf(args: CommandOptions): string | null {
  const { publish = false, user } = args;
  const needsUser = args.undo !== undefined || ruleOf(args) === 'FORK';
  const isOther = args.message !== undefined || (user !== undefined && !needsUser);
  return !publish && isOther ? '--user and --message are for --publish, and --user for --if-published fork.' : null;
}

const resumeCommand = (path: string, args: CommandOptions, variables: Variables): string =>
  commandLine('bulk-update', variables, [
    path,
    ...Object.entries({ ...args, token: undefined, resume: true }).flatMap(([name, value]) =>
      typeof value === 'string' ? [`--${name}`, value] : value === true ? [`--${name}`] : [],
    ),
  ]) + (args.token === undefined ? '' : ' --token …');

const DEFAULT_URL = 'http://127.0.0.1:4000/graphql';

export function addressOfGateway(args: CommandOptions, variables: Variables): Result<GatewayAddress, string> {
  const url = URL.parse(args.url ?? (variables['KB_GATEWAY_URL'] || DEFAULT_URL));
  if (url === null || !/^https?:$/u.test(url.protocol) || url.username !== '' || url.password !== '')
    return err(`--url (KB_GATEWAY_URL) is the address of GraphQL, such as ${DEFAULT_URL}, without a user.`);
  // A secret of CI often ends in a line feed.
  const token = (args.token ?? variables['KB_API_TOKEN'])?.trim();
  const jwt = variables['KB_JWT']?.trim();
  if (!token && !jwt) return err('set KB_API_TOKEN to the API token that the gateway accepts, or KB_JWT.');
  for (const secret of [token, jwt])
    if (secret && !/^[\x21-\x7e]+$/u.test(secret)) return err('a token has visible ASCII characters only.');
  const credentials = { ...(token && { 'x-api-token': token }), ...(jwt && { authorization: `Bearer ${jwt}` }) };
  // The address of a gateway is also that of its GraphQL, whose own may end in a slash.
  url.pathname = url.pathname.replace(/(?:\/graphql)?\/$/u, '/graphql');
  return ok({ url: url.href, credentials });
}
