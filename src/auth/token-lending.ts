import { hash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../domain/callers/caller.ts';

/** Replaces a token of the gateway by the service's token; returns every other caller unchanged. */
export type LendToken = (caller: Caller) => Caller;

export interface LendingOptions {
  /** The service's token (`UPSTREAM_API_TOKEN`). */
  readonly upstreamToken: string;
  /** The gateway's own tokens (`API_TOKEN`), which entitle a caller to the service's. They are never sent upstream. */
  readonly apiTokens: readonly string[];
}

/**
 * All hashes are compared every time, so that the time taken reveals nothing about a token. The address of the caller
 * does not count: behind a proxy, every caller seems to come from this machine.
 */
export function createLending({ upstreamToken, apiTokens }: LendingOptions): LendToken {
  const entitledHashes = apiTokens.map(tokenHash);
  return (caller) => {
    if (caller.apiToken === null || caller.sentToken !== undefined) return caller;
    const sentHash = tokenHash(caller.apiToken);
    const matches = entitledHashes.filter((token) => timingSafeEqual(token, sentHash));
    return matches.length > 0 ? { ...caller, apiToken: upstreamToken, sentToken: caller.apiToken } : caller;
  };
}

const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');
