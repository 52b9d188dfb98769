import { openClientAuth } from '../auth/client-auth.ts';
import type { Config } from '../config.ts';
import type { ClientAuthentication } from '../domain/clients.ts';
import type { Log } from '../domain/log.ts';
import { ok, type Result } from '../domain/result.ts';
import { openApiToken } from './api-token.ts';

/** Who may ask, and with what. */
export interface Access {
  /**
   * Whose token opens the gateway: one that was generated, those of `API_TOKEN`, whichever the service accepts, or none
   * at all, since the gateway holds the service's own.
   */
  readonly kind: 'generated' | 'configured' | 'service' | 'open';
  /** What the embedded store accepts. Empty over the service, which judges for itself. */
  readonly tokens: readonly string[];
  /** Where clients are known by their JWT, it alone opens GraphQL; null where a token does. */
  readonly clients: ClientAuthentication | null;
}

export async function openAccess(config: Config, log: Log): Promise<Result<Access, string>> {
  const tokens = await openTokens(config.backend);
  if (!tokens.ok || config.clients === null) return tokens.ok ? ok({ ...tokens.value, clients: null }) : tokens;
  const apiToken = config.backend.kind === 'rest' ? config.backend.apiToken : (tokens.value.tokens[0] ?? null);
  const clients = await openClientAuth({ ...config.clients, apiToken, log });
  return clients.ok ? ok({ ...tokens.value, clients: clients.value }) : clients;
}

async function openTokens(backend: Config['backend']): Promise<Result<Omit<Access, 'clients'>, string>> {
  if (backend.kind === 'rest') return ok({ kind: backend.apiToken === null ? 'service' : 'open', tokens: [] });
  if (backend.apiTokens !== null) return ok({ kind: 'configured', tokens: backend.apiTokens });
  const token = await openApiToken(backend.databaseUrl);
  return token.ok ? ok({ kind: 'generated', tokens: [token.value] }) : token;
}
