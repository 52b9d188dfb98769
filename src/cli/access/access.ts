import { openClientAuth } from '../../auth/client-auth.ts';
import { createLending, type Lend } from '../../auth/token-lending.ts';
import type { Config, LocalBackendConfig, RestBackendConfig } from '../../config.ts';
import type { ClientAuthentication } from '../../domain/callers/clients.ts';
import type { Log } from '../../domain/log.ts';
import { ok, type Result } from '../../domain/result.ts';
import { openApiToken, openStoreToken } from './api-token.ts';

/** Who may ask, and with what. */
export interface Access {
  /** Whose token opens the gateway: one that was generated, those of `API_TOKEN`, or whichever the service accepts. */
  readonly kind: 'generated' | 'configured' | 'service';
  /** The gateway's own tokens: what the embedded store accepts, or what entitles a caller to be lent the service's. */
  readonly tokens: readonly string[];
  /** Where clients are known by their JWT, it alone opens GraphQL; null where a token does. */
  readonly clients: ClientAuthentication | null;
  /** Null where the gateway holds no token of the service. */
  readonly lend: Lend | null;
}

/** The file of the token that is generated for callers who are lent the service's. */
export const LENDING_TOKEN_FILE = 'data/api-token';

type Tokens = Pick<Access, 'kind' | 'tokens'>;

export async function openAccess(config: Config, log: Log): Promise<Result<Access, string>> {
  const { backend } = config;
  const tokens = await (backend.kind === 'rest' ? openLendingTokens(config, backend) : openStoreTokens(backend));
  if (!tokens.ok) return tokens;
  const upstreamToken = backend.kind === 'rest' ? backend.apiToken : null;
  const lend = upstreamToken === null ? null : createLending({ upstreamToken, apiTokens: tokens.value.tokens });
  if (config.clients === null) return ok({ ...tokens.value, clients: null, lend });
  const apiToken = backend.kind === 'rest' ? upstreamToken : (tokens.value.tokens[0] ?? null);
  const clients = await openClientAuth({ ...config.clients, apiToken, log });
  return clients.ok ? ok({ ...tokens.value, clients: clients.value, lend }) : clients;
}

async function openStoreTokens({ apiTokens, databaseUrl }: LocalBackendConfig): Promise<Result<Tokens, string>> {
  return apiTokens === null ? generated(await openStoreToken(databaseUrl)) : ok(configured(apiTokens));
}

/** Where clients are known by their JWT, that entitles them, and a generated token would be one too many. */
async function openLendingTokens(
  { clients }: Config,
  { apiToken, apiTokens }: RestBackendConfig,
): Promise<Result<Tokens, string>> {
  if (apiTokens !== null) return ok(configured(apiTokens));
  if (apiToken === null || clients !== null) return ok({ kind: 'service', tokens: [] });
  return generated(await openApiToken(LENDING_TOKEN_FILE));
}

const configured = (tokens: readonly string[]): Tokens => ({ kind: 'configured', tokens });

const generated = (token: Result<string, string>): Result<Tokens, string> =>
  token.ok ? ok({ kind: 'generated', tokens: [token.value] }) : token;
