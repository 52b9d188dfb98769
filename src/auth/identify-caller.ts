import { hash, timingSafeEqual } from 'node:crypto';
import { networkOf } from '../base/network.ts';
import type { Result } from '../base/result.ts';
import {
  type Caller,
  type ClientAuthentication,
  createCaller,
  createClientCaller,
  sentTokenOf,
  usesLentToken,
} from '../domain/callers/caller.ts';
import type { TokenVerdicts } from '../domain/callers/token-verdicts.ts';
import type { BackendError } from '../domain/errors.ts';

/** Replaces a token of the gateway by the service's token; returns every other caller unchanged. */
export type LendToken = (caller: Caller) => Caller;

interface CallerIdentification {
  /** Null where API tokens alone decide. */
  readonly clients: ClientAuthentication | null;
  /** Null where the gateway has no token to lend. */
  readonly lend: LendToken | null;
}

/** What a backend tells of tokens. */
export interface TokenChecks {
  authenticate(caller: Caller): Result<void, BackendError>;
  requireKnown(caller: Caller): Promise<Result<void, BackendError>>;
  /** Absent where `authenticate` decides alone. */
  readonly tokenVerdicts?: TokenVerdicts;
}

/**
 * Identifies the caller of a request by its headers, lends the caller a token where it may have one, and gives the request
 * of a known caller a share of its own. Known is who is lent a token, or sends one that is accepted.
 */
export function identifyCaller(
  options: Parameters<typeof createCaller>[0],
  { clients, lend }: CallerIdentification,
  tokens: TokenChecks,
): Caller | Promise<Caller> {
  const admit = (identified: Caller): Caller => {
    const caller = lend ? lend(identified) : identified;
    if (isKnown(caller, tokens)) makeKnown(caller);
    else if (caller.client?.ok) caller.request.share = { key: keyOf(caller), isStranger: true };
    return caller;
  };
  return clients ? createClientCaller(options, clients).then(admit) : admit(createCaller(options));
}

function isKnown(caller: Caller, tokens: TokenChecks): boolean {
  if (caller.client?.ok === false) return false;
  if (usesLentToken(caller)) return true;
  return tokens.tokenVerdicts ? tokens.tokenVerdicts.isAccepted(caller) : tokens.authenticate(caller).ok;
}

function makeKnown(caller: Caller): void {
  caller.request.share = { key: keyOf(caller), isStranger: false };
}

/** Characters. Longer names are hashed, so that what counts by them stays small. A hash costs as much as many lookups. */
const LONGEST_PLAIN_NAME = 200;

/** No hash has a space, and each name has one. */
function keyOf(caller: Caller): string {
  const name = nameOf(caller);
  return name.length > LONGEST_PLAIN_NAME ? hash('sha256', name, 'base64') : name;
}

/** By the subject of a client, its network where it has none, and else by the token that was sent: others use a lent one too. */
function nameOf(caller: Caller): string {
  if (!caller.client?.ok) return `token ${sentTokenOf(caller)}`;
  const { subject } = caller.client.value;
  return subject === null ? `client ${networkOf(caller.address)}` : `subject ${subject}`;
}

/** The checks of a stranger's token, by which its request gets the share of a known caller. */
export const createStrangerChecks = (tokens: TokenChecks) => ({
  makeKnown,
  /** Tells each verdict on the token, until the result is called once. */
  watch(caller: Caller, onVerdict: (isAccepted: boolean) => void): () => void {
    return tokens.tokenVerdicts?.watch(caller, onVerdict) ?? (() => {});
  },
  /** Asks the service, by one call. */
  async verify(caller: Caller): Promise<Result<void, BackendError>> {
    if (caller.client?.ok === false) return caller.client;
    const verified = await tokens.requireKnown(caller);
    if (verified.ok) makeKnown(caller);
    return verified;
  },
});

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
