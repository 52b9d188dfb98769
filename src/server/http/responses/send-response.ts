import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Allowance } from '../../../core/base/rate-windows.ts';
import type { RequestFacts } from '../../../core/callers/request-facts.ts';
import type { ReadCacheUse, RequestSummary } from '../../../core/callers/request-report.ts';
import { DEFAULT_RETRY_AFTER_SECONDS } from '../../../core/rate-limit.ts';
import type { RequestMemory } from '../memory.ts';
import type { Route } from '../route.ts';

/** Larger bodies are sent in chunks of this size, so that the progress of a client can be measured. */
const CHUNK_BYTES = 64 * 1024;

const RETRY_AFTER = 'retry-after';

/** Responses with these statuses have no body, nor its length. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

/** The statuses that say for how long a client should wait. */
const WITH_RETRY_AFTER: ReadonlySet<number> = new Set([429, 503]);

interface ResponseTarget {
  readonly response: ServerResponse;
  readonly facts: Pick<RequestFacts, 'id'>;
}

/** The response to one request, and the memory that it may take. */
export interface OutgoingResponse extends ResponseTarget {
  readonly route: Route;
  readonly facts: RequestFacts;
  readonly summary: RequestSummary;
  readonly memory: RequestMemory;
  /** False for the response to a write, which must be sent even when there is little memory. */
  readonly isRefusable: boolean;
  /** Sends 503 in place of a large response for which there is no memory. */
  readonly sendUnavailable: () => void;
}

export interface FullResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** True for bytes that stay in memory anyway, so that they count for no request. */
  readonly isShared?: boolean;
}

/** Sends a small response that is not charged to the memory of a request. */
export function sendText(target: ResponseTarget, full: FullResponse): void {
  writeHead(target, full);
  target.response.end(full.body);
}

/** Begins to send a response of any size. Nothing waits until the client has read it. */
export function sendBody(outgoing: OutgoingResponse, full: FullResponse): void {
  const { response, memory, isRefusable, sendUnavailable } = outgoing;
  const isSmall = full.body.length <= CHUNK_BYTES;
  const body = isSmall || typeof full.body !== 'string' ? full.body : Buffer.from(full.body);
  if (isSmall || typeof body === 'string') sendText(outgoing, full);
  else if (full.isShared || memory.charge(body.length, isRefusable)) {
    writeHead(outgoing, { ...full, body });
    // A client that leaves before the end is no error.
    pipeline(chunksOf(body), response, () => {});
  } else sendUnavailable();
}

/** Headers of a response that the cache of its caller may keep, and asks about before each use. */
const PRIVATE_HEADERS = {
  'cache-control': 'private, no-cache',
  vary: 'api_token, X-Api-Token, Authorization, Accept',
};

/**
 * Sends a response of the Fetch API. With the `If-None-Match` of the caller whose token it was made with, it has an ETag, and
 * is 304 when the caller has it.
 */
export async function sendFetchResponse(
  outgoing: OutgoingResponse,
  fetchResponse: Response,
  ifNoneMatch: string | null = null,
): Promise<void> {
  const { status } = fetchResponse;
  const body = await fetchResponse.bytes();
  // Yoga names some headers in capitals.
  const headers = Object.fromEntries([...fetchResponse.headers].map(([name, value]) => [name.toLowerCase(), value]));
  if (ifNoneMatch === null) return sendBody(outgoing, { status, headers, body });
  const etag = entityTagOf(headers['content-type'] ?? '', body);
  const cacheHeaders = { ...PRIVATE_HEADERS, etag };
  return matchesEntityTag(ifNoneMatch, etag)
    ? sendText(outgoing, { status: 304, headers: cacheHeaders, body: '' })
    : sendBody(outgoing, { status, headers: { ...headers, ...cacheHeaders }, body });
}

/** node:http writes an array of names and values as it is, which saves 3 of the 20 µs of setting headers one by one. */
function writeHead({ response, facts }: ResponseTarget, { status, headers, body }: FullResponse): void {
  const vary = response.getHeader('vary');
  const head = ['x-content-type-options', 'nosniff', 'x-request-id', facts.id];
  // Caches may keep no response that does not say so, since it is for one caller.
  if (headers['cache-control'] === undefined) head.push('cache-control', 'no-store');
  for (const name of Object.keys(headers)) {
    // It is counted below. A header that is there twice is an error to clients.
    if (name === 'content-length') continue;
    const value = headers[name] ?? '';
    head.push(name, name === 'vary' && vary !== undefined ? `${vary}, ${value}` : value);
  }
  if (WITH_RETRY_AFTER.has(status) && headers[RETRY_AFTER] === undefined && !response.hasHeader(RETRY_AFTER))
    head.push(RETRY_AFTER, `${DEFAULT_RETRY_AFTER_SECONDS}`);
  if (!WITHOUT_BODY.has(status)) head.push('content-length', `${Buffer.byteLength(body)}`);
  response.writeHead(status, head);
}

/** Sets `Retry-After` where a rate limit refused part of what the caller asked for. */
export function setRetryAfter({ response, summary: { retryAfterSeconds } }: OutgoingResponse): void {
  if (retryAfterSeconds !== null) response.setHeader(RETRY_AFTER, retryAfterSeconds);
}

/**
 * Views of the bytes, not copies, one per tick of the event loop. A socket that is not full takes each chunk
 * synchronously, so that hundreds of large responses without pauses held the event loop for more than a second.
 */
async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.subarray(at, at + CHUNK_BYTES);
    await setImmediate();
  }
}

/** Returns the strong ETag of a representation, which is its media type and its body. */
const entityTagOf = (mediaType: string, body: Uint8Array): string =>
  `"${createHash('sha256').update(`${mediaType}\n`).update(body).digest('base64url')}"`;

/** True when `If-None-Match` names the ETag. It is compared weakly, since proxies that compress make ETags weak. */
export function matchesEntityTag(ifNoneMatch: string, entityTag: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//u, ''));
  return tags.includes('*') || tags.includes(entityTag);
}

/** The header fields with what is left of the rate limit of a caller. */
export const RATE_LIMIT_FIELDS = ['ratelimit-policy', 'ratelimit'] as const;

/**
 * Sets what the caller may still send, by the structured fields of draft-ietf-httpapi-ratelimit-headers-10: the quota
 * `q` in a window of `w` seconds, and the remaining requests `r` until the window ends in `t` seconds.
 */
export function setRateLimitFields(response: ServerResponse, allowance: Allowance): void {
  const { perMinute, remaining, resetSeconds } = allowance;
  response.setHeader('ratelimit-policy', `"per-caller";q=${perMinute};w=60`);
  response.setHeader('ratelimit', `"per-caller";r=${remaining};t=${resetSeconds}`);
}

/**
 * Sets how the read cache served the query, by RFC 9111 and RFC 9211: `Age` is that of the oldest response that was
 * used, in whole seconds, and `Cache-Status` is a hit where no call was made.
 */
export function setCacheStatus({ response, summary: { readCacheUse } }: OutgoingResponse): void {
  if (readCacheUse === null) return;
  response.setHeader('cache-status', `kb-gateway; ${cacheStatusOf(readCacheUse)}`);
  const { oldestSentAt } = readCacheUse;
  if (oldestSentAt !== null) response.setHeader('age', Math.floor((performance.now() - oldestSentAt) / 1_000));
}

function cacheStatusOf({ reason, calls, kept }: ReadCacheUse): string {
  if (reason === null) return 'hit';
  if (calls === 0) return `fwd=${reason}; collapsed`;
  return kept === calls ? `fwd=${reason}; stored` : `fwd=${reason}`;
}
