import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readBoundedFile } from '../../core/base/bounded-file.ts';
import type { Log } from '../../core/base/log.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { decodeText } from '../../core/base/text.ts';
import type { ClientAuthentication } from '../../core/callers/caller.ts';
import { type Authenticate, createHostAuth } from '../auth/host-auth.ts';
import { type AddCredential, createServiceCredential } from '../auth/identify-caller.ts';
import { DEMO_STORE, OWN_STORE, sqlitePathOf } from '../config/setting-types.ts';
import type { Config } from '../config.ts';
import { userAgent } from '../package-version.ts';

/** The credentials that the gateway accepts and adds. */
export interface Access {
  /** The tokens that callers use: a generated one, those of `API_TOKEN`, or any that the service accepts. */
  readonly kind: 'generated' | 'configured' | 'service';
  /** The gateway's own tokens. The store accepts them; over REST, they entitle a caller to the service credential. */
  readonly tokens: readonly string[];
  /** The file of a generated token; null for other tokens, and for that of a store in memory. */
  readonly tokenFile: string | null;
  /** Authenticates clients where GraphQL requires a JWT or an identified caller; null when it accepts API tokens. */
  readonly clients: ClientAuthentication | null;
  readonly addServiceCredential: AddCredential | null;
}

/** The file with the generated token that entitles callers to the service credential. */
export const OWN_TOKEN_FILE = 'data/api-token';

/** Opens the credentials. A host's function replaces JWTs. */
export async function openAccess(
  config: Config,
  log: Log,
  authenticate?: Authenticate | undefined,
): Promise<Result<Access, string>> {
  const { backend } = config;
  const opened = await openTokens(config, authenticate !== undefined);
  if (!opened.ok) return opened;
  const { tokens } = opened.value;
  const upstreamToken = backend.kind === 'rest' ? backend.apiToken : null;
  const addServiceCredential =
    upstreamToken === null ? null : createServiceCredential({ upstreamToken, apiTokens: tokens });
  const apiToken = backend.kind === 'rest' ? upstreamToken : (tokens[0] ?? null);
  if (authenticate !== undefined)
    return ok({ ...opened.value, clients: createHostAuth({ authenticate, apiToken, log }), addServiceCredential });
  if (config.clients === null) return ok({ ...opened.value, clients: null, addServiceCredential });
  // The libraries for JWTs are loaded only where they are used, since they have many modules.
  const { openClientAuth } = await import('../auth/client-auth.ts');
  const clients = await openClientAuth({ ...config.clients, userAgent: userAgent(), apiToken, log });
  return clients.ok ? ok({ ...opened.value, clients: clients.value, addServiceCredential }) : clients;
}

async function openTokens(
  config: Config,
  hasHost: boolean,
): Promise<Result<Pick<Access, 'kind' | 'tokens' | 'tokenFile'>, string>> {
  const kind = kindOf(config, hasHost);
  if (kind !== 'generated') return ok({ kind, tokens: config.backend.apiTokens ?? [], tokenFile: null });
  const tokenFile = tokenFileOf(config);
  // A store in memory gets a new token at each start.
  const token = tokenFile === null ? ok(generateToken()) : await openApiToken(tokenFile);
  return token.ok ? ok({ kind, tokens: [token.value], tokenFile }) : token;
}

/** In front of the service no token is generated when clients are identified by JWTs or by their host. */
function kindOf({ backend, clients }: Config, hasHost: boolean): Access['kind'] {
  if (backend.apiTokens !== null) return 'configured';
  const isService = backend.kind === 'rest' && (backend.apiToken === null || clients !== null || hasHost);
  return isService ? 'service' : 'generated';
}

/** Checks the token that an earlier start has stored, if this start would use it. */
export function checkTokenFile(config: Config, hasHost: boolean): Result<unknown, string> {
  const path = kindOf(config, hasHost) === 'generated' ? tokenFileOf(config) : null;
  return path === null || !existsSync(path) ? ok(null) : readTokenFile(path);
}

const tokenFileOf = ({ backend }: Config): string | null =>
  backend.kind === 'rest' ? OWN_TOKEN_FILE : storeTokenFile(backend.databaseUrl);

/** The path that names the secrets of a store. The demo has those of the own one, which stay valid when that is made. */
function secretsPathOf(databaseUrl: string): string | null {
  const database = sqlitePathOf(databaseUrl);
  return database === DEMO_STORE ? OWN_STORE : database;
}

/** The path of a file for a secret: next to the store's file or, where the store has none, in the usual folder. */
export function secretFileBesideStore(backend: Config['backend'], name: string): string {
  const database = backend.kind === 'local' ? secretsPathOf(backend.databaseUrl) : null;
  return database === null ? `data/${name}` : `${database}.${name}`;
}

/** The path of the token that was generated for a store, next to its file; null when it has no file. */
export function storeTokenFile(databaseUrl: string): string | null {
  const database = secretsPathOf(databaseUrl);
  return database === null ? null : `${database}.api-token`;
}

/** The prefix lets scanners for leaked secrets recognize the token. */
const generateToken = (): string => `kbg_${randomBytes(24).toString('base64url')}`;

/** Reads the token from the file, or generates it at the first start. Only the owner may read the file. */
async function openApiToken(path: string): Promise<Result<string, string>> {
  try {
    return await openSecretFile(path, generateToken, readTokenFile);
  } catch (error) {
    return err(notKept(path, error));
  }
}

function notKept(path: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `the API token cannot be kept in ${toPrintable(path)}, so set API_TOKEN: ${toPrintable(reason)}`;
}

/** Writes the token of a store in memory to a file that only its owner may read, in the system's folder for temporary ones. */
export async function keepTemporaryToken(
  token: string,
): Promise<Result<{ readonly path: string; remove(): Promise<void> }, string>> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-'));
    const path = join(folder, 'api-token');
    await createSecretFile(path, () => token);
    return ok({ path, remove: () => rm(folder, { recursive: true, force: true }) });
  } catch (error) {
    return err(notKept(tmpdir(), error));
  }
}

/** Reads a secret from its file, or generates it where there is none. Only the owner may read the file. */
export async function openSecretFile(
  path: string,
  generate: () => string,
  read: (path: string) => Result<string, string>,
): Promise<Result<string, string>> {
  const created = await createSecretFile(path, generate);
  if (created !== null) return ok(created);
  const kept = read(path);
  // A restored copy may be readable for others, so its mode is corrected.
  if (kept.ok && ((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600);
  return kept;
}

/** Creates the file; null when it exists, even if another process has just created it. */
async function createSecretFile(path: string, generate: () => string): Promise<string | null> {
  // At most the folder `data` is missing, since the folder of a store exists.
  await mkdir(dirname(path), { mode: 0o700 }).catch(nullIfExists);
  const file = await open(path, 'wx', 0o600).catch(nullIfExists);
  if (file === null) return null;
  try {
    const secret = generate();
    await file.writeFile(`${secret}\n`);
    await file.sync();
    return secret;
  } finally {
    await file.close();
  }
}

function nullIfExists(error: NodeJS.ErrnoException): null {
  if (error.code === 'EEXIST') return null;
  throw error;
}

function readTokenFile(path: string): Result<string, string> {
  const read = readBoundedFile(path, { maxBytes: MAX_TOKEN_FILE_BYTES });
  if (!read.ok) return err(`${toPrintable(path)}, where the API token is kept, ${read.error}: set API_TOKEN`);
  const token = /^[\x21-\x7e]{1,1024}$/u.exec((decodeText(read.value) ?? '').trim())?.[0];
  return token === undefined ? err(`${toPrintable(path)} holds no API token: delete it to get a new one`) : ok(token);
}

/** The largest token file: a token, with the spaces and line ends that an editor may have added. */
const MAX_TOKEN_FILE_BYTES = 4_096;
