import { hash, timingSafeEqual } from 'node:crypto';
import { type Caller, type ClientAuthentication, createCaller, createClientCaller } from '../../core/callers/caller.ts';

/** Replaces a token of the gateway by the service's token; returns every other caller unchanged. */
export type AddCredential = (caller: Caller) => Caller;

interface CallerIdentification {
  /** Authenticates clients; null where API tokens alone decide. */
  readonly clients: ClientAuthentication | null;
  readonly addServiceCredential: AddCredential | null;
}

/** Identifies the caller of a request by its headers, and adds the service credential where the caller may use it. */
export async function identifyCaller(
  options: Parameters<typeof createCaller>[0],
  { clients, addServiceCredential }: CallerIdentification,
): Promise<Caller> {
  const caller = clients ? await createClientCaller(options, clients) : createCaller(options);
  return addServiceCredential ? addServiceCredential(caller) : caller;
}

export interface ServiceCredentialOptions {
  readonly upstreamToken: string;
  /** The gateway's own tokens (`API_TOKEN`), which entitle a caller to the service's. They are never sent upstream. */
  readonly apiTokens: readonly string[];
}

/**
 * Creates the function that adds the service credential. All hashes are compared every time, so that the duration
 * reveals nothing about a token. The address of the caller is ignored: behind a proxy, every caller seems to come from
 * this machine.
 */
export function createServiceCredential({ upstreamToken, apiTokens }: ServiceCredentialOptions): AddCredential {
  const entitledHashes = apiTokens.map(tokenHash);
  return (caller) => {
    if (caller.apiToken === null || caller.sentToken !== undefined) return caller;
    const sentHash = tokenHash(caller.apiToken);
    const matches = entitledHashes.filter((token) => timingSafeEqual(token, sentHash));
    return matches.length > 0 ? { ...caller, apiToken: upstreamToken, sentToken: caller.apiToken } : caller;
  };
}

const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');
