import { createLending, type LendToken } from '../../auth/token-lending.ts';
import type { Log } from '../../base/log.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Config, LocalBackendConfig, RestBackendConfig } from '../../config.ts';
import type { ClientAuthentication } from '../../domain/callers/caller.ts';
import { userAgent } from '../package-version.ts';
import { openApiToken, openStoreToken } from './api-token.ts';

/** The credentials that the gateway accepts and lends. */
export interface Access {
  /** The tokens that callers use: a generated one, those of `API_TOKEN`, or any that the service accepts. */
  readonly kind: 'generated' | 'configured' | 'service';
  /**
   * The gateway's own tokens. The embedded store accepts them; over REST, they entitle a caller to the service's token.
   */
  readonly tokens: readonly string[];
  /** Set when GraphQL requires a JWT; null when it accepts API tokens. */
  readonly clients: ClientAuthentication | null;
  /** Null when the gateway has no token of the service. */
  readonly lend: LendToken | null;
}

/** The file with the generated token that entitles callers to the service's. */
export const LENDING_TOKEN_FILE = 'data/api-token';

type GatewayTokens = Pick<Access, 'kind' | 'tokens'>;

export async function openAccess(config: Config, log: Log): Promise<Result<Access, string>> {
  const { backend } = config;
  const tokens = await (backend.kind === 'rest' ? openLendingTokens(config, backend) : openStoreTokens(backend));
  if (!tokens.ok) return tokens;
  const upstreamToken = backend.kind === 'rest' ? backend.apiToken : null;
  const lend = upstreamToken === null ? null : createLending({ upstreamToken, apiTokens: tokens.value.tokens });
  if (config.clients === null) return ok({ ...tokens.value, clients: null, lend });
  const apiToken = backend.kind === 'rest' ? upstreamToken : (tokens.value.tokens[0] ?? null);
  // Loaded only when used: the libraries for JWTs are many modules.
  const { openClientAuth } = await import('../../auth/client-auth.ts');
  const clients = await openClientAuth({ ...config.clients, userAgent: userAgent(), apiToken, log });
  return clients.ok ? ok({ ...tokens.value, clients: clients.value, lend }) : clients;
}

async function openStoreTokens({ apiTokens, databaseUrl }: LocalBackendConfig): Promise<Result<GatewayTokens, string>> {
  return apiTokens === null ? generatedToken(await openStoreToken(databaseUrl)) : ok(configuredTokens(apiTokens));
}

/** Generates no token when clients are known by a JWT, because the JWT entitles them. */
async function openLendingTokens(
  { clients }: Config,
  { apiToken, apiTokens }: RestBackendConfig,
): Promise<Result<GatewayTokens, string>> {
  if (apiTokens !== null) return ok(configuredTokens(apiTokens));
  if (apiToken === null || clients !== null) return ok({ kind: 'service', tokens: [] });
  return generatedToken(await openApiToken(LENDING_TOKEN_FILE));
}

const configuredTokens = (tokens: readonly string[]): GatewayTokens => ({ kind: 'configured', tokens });

const generatedToken = (token: Result<string, string>): Result<GatewayTokens, string> =>
  token.ok ? ok({ kind: 'generated', tokens: [token.value] }) : token;
