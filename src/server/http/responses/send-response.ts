import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Allowance } from '../../../core/base/rate-windows.ts';
import type { Caller } from '../../../core/callers/caller.ts';
import type { ReadCacheUse, RequestRecord } from '../../../core/callers/request-record.ts';
import { DEFAULT_RETRY_AFTER_SECONDS } from '../../../core/rate-limit.ts';
import type { RequestMemory } from '../memory.ts';

/** Larger bodies are sent in chunks of this size, so that the progress of a client can be measured. */
const CHUNK_BYTES = 64 * 1024;

const RETRY_AFTER = 'retry-after';

/** Responses with these statuses have no body, nor its length. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

/** The statuses that say for how long a client should wait. */
const mayBeSentAgain = (status: number): boolean => status === 429 || status === 503;

/** The response to one request. */
interface ResponseTarget {
  readonly response: ServerResponse;
  readonly record: RequestRecord;
}

/** The response to one request, and the memory that it may take. */
export interface OutgoingResponse extends ResponseTarget {
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
  if (full.body.length <= CHUNK_BYTES) return sendText(outgoing, full);
  const body = typeof full.body === 'string' ? Buffer.from(full.body) : full.body;
  if (full.isShared || chargeBytes(outgoing, body)) sendLarge(outgoing, { ...full, body });
}

/** Sends a response of the Fetch API. */
export async function sendFetchResponse(outgoing: OutgoingResponse, fetchResponse: Response): Promise<void> {
  sendBody(outgoing, await fullResponseOf(fetchResponse));
}

/** Headers of a response that the cache of its caller may keep, and asks about before each use. */
const PRIVATE_HEADERS = {
  'cache-control': 'private, no-cache',
  vary: 'api_token, X-Api-Token, Authorization, Accept',
};

/** Sends a response with an ETag to the caller whose token it was made with, or 304 when the caller has it. */
export async function sendToPrivateCache(
  outgoing: OutgoingResponse,
  fetchResponse: Response,
  ifNoneMatch: string,
): Promise<void> {
  const full = await fullResponseOf(fetchResponse);
  if (!chargeBytes(outgoing, full.body)) return;
  const etag = entityTagOf(full);
  const headers = { ...PRIVATE_HEADERS, etag };
  if (matchesEntityTag(ifNoneMatch, etag)) sendText(outgoing, { status: 304, headers, body: '' });
  else sendLarge(outgoing, { ...full, headers: { ...full.headers, ...headers } });
}

/** Those of Yoga name some headers in capitals. */
const fullResponseOf = async (fetchResponse: Response) => ({
  status: fetchResponse.status,
  headers: Object.fromEntries([...fetchResponse.headers].map(([name, value]) => [name.toLowerCase(), value])),
  body: await fetchResponse.bytes(),
});

/** node:http writes an array of names and values as it is, which saves 3 of the 20 µs of setting headers one by one. */
function writeHead({ response, record }: ResponseTarget, { status, headers, body }: FullResponse): void {
  const vary = response.getHeader('vary');
  const head = ['x-content-type-options', 'nosniff', 'x-request-id', record.id];
  // Caches may keep no response that does not say so, since it is for one caller.
  if (headers['cache-control'] === undefined) head.push('cache-control', 'no-store');
  for (const name of Object.keys(headers)) {
    // It is counted below. A header that stands twice is an error to clients.
    if (name === 'content-length') continue;
    const value = headers[name] ?? '';
    head.push(name, name === 'vary' && vary !== undefined ? `${vary}, ${value}` : value);
  }
  if (mayBeSentAgain(status) && headers[RETRY_AFTER] === undefined && !response.hasHeader(RETRY_AFTER))
    head.push(RETRY_AFTER, `${DEFAULT_RETRY_AFTER_SECONDS}`);
  if (!WITHOUT_BODY.has(status)) head.push('content-length', `${Buffer.byteLength(body)}`);
  response.writeHead(status, head);
}

/** Charges a body to the memory of its request. Returns false after sending 503 when there is none. */
function chargeBytes({ memory, isRefusable, sendUnavailable }: OutgoingResponse, bytes: Uint8Array): boolean {
  const isCharged = memory.tryAddAnswer(bytes.length, isRefusable);
  if (!isCharged) sendUnavailable();
  return isCharged;
}

/** Sets `Retry-After` where a rate limit refused part of what the caller asked for. */
export function setRetryAfter({ response }: OutgoingResponse, { request }: Caller): void {
  if (request.retryAfterSeconds !== null) response.setHeader(RETRY_AFTER, request.retryAfterSeconds);
}

function sendLarge(target: ResponseTarget, full: FullResponse & { readonly body: Uint8Array }): void {
  writeHead(target, full);
  // A client that leaves before the end is no error.
  pipeline(chunksOf(full.body), target.response, () => {});
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
function entityTagOf({ headers, body }: Awaited<ReturnType<typeof fullResponseOf>>): string {
  const type = `${headers['content-type'] ?? ''}\n`;
  return `"${createHash('sha256').update(type).update(body).digest('base64url')}"`;
}

/** True when `If-None-Match` names the ETag. It is compared weakly, since proxies that compress make ETags weak. */
export function matchesEntityTag(ifNoneMatch: string, entityTag: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//u, ''));
  return tags.includes('*') || tags.includes(entityTag);
}

/** The header fields that tell a caller what is left of its rate limit. */
export const RATE_LIMIT_FIELDS = ['ratelimit-policy', 'ratelimit'] as const;

/**
 * Tells a caller what it may still send, by the structured fields of draft-ietf-httpapi-ratelimit-headers-10: the quota
 * `q` in a window of `w` seconds, and the remaining requests `r` until the window ends in `t` seconds.
 */
export function setRateLimitFields(response: ServerResponse, allowance: Allowance): void {
  const { perMinute, remaining, resetSeconds } = allowance;
  response.setHeader('ratelimit-policy', `"per-caller";q=${perMinute};w=60`);
  response.setHeader('ratelimit', `"per-caller";r=${remaining};t=${resetSeconds}`);
}

/**
 * Tells how the read cache served the query, by RFC 9111 and RFC 9211: `Age` is that of the oldest response that was
 * used, in whole seconds, and `Cache-Status` is a hit where no call was made.
 */
export function setCacheStatus({ response }: OutgoingResponse, { request: { readCacheUse } }: Caller): void {
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
