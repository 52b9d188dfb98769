import { hash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../domain/callers/caller.ts';

/** Replaces a token of the gateway by the one that the gateway holds for the service; leaves every other caller as is. */
export type Lend = (caller: Caller) => Caller;

export interface LendingOptions {
  /** The service's own token, which is lent (`UPSTREAM_API_TOKEN`). */
  readonly upstreamToken: string;
  /** What entitles a caller to it (`API_TOKEN`). None of these ever goes upstream. */
  readonly apiTokens: readonly string[];
}

/**
 * Hashes are compared, all of them every time, so that the time it takes says nothing of a token. Nothing but the token
 * counts: behind a proxy, every caller seems to come from this machine.
 */
export function createLending({ upstreamToken, apiTokens }: LendingOptions): Lend {
  const entitled = apiTokens.map(hashOf);
  return (caller) => {
    if (caller.apiToken === null || caller.sentToken !== undefined) return caller;
    const sent = hashOf(caller.apiToken);
    const matches = entitled.filter((token) => timingSafeEqual(token, sent));
    return matches.length > 0 ? { ...caller, apiToken: upstreamToken, sentToken: caller.apiToken } : caller;
  };
}

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer');
