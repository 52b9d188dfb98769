import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isObject, type JsonBounds, parseBoundedJson } from '../../../base/json.ts';
import { MAX_CONCURRENT_PARSES, MAX_RESPONSE_BYTES, MAX_RESPONSE_VALUES } from '../../../base/limits.ts';
import { ok } from '../../../base/result.ts';
import { mostOf, Semaphore } from '../../../base/semaphore.ts';
import type { TickQueue } from '../../../base/tick-queue.ts';
import { HIDDEN_TOKEN, MIN_HIDDEN_TOKEN_LENGTH } from '../../../domain/callers/hidden-tokens.ts';
import type { RequestResult } from './service-call.ts';

const RESPONSE_BOUNDS: JsonBounds = { maxValues: MAX_RESPONSE_VALUES, maxListItems: Number.POSITIVE_INFINITY };

/** The memory that all responses share. */
export interface ResponseMemory {
  bytes: number;
  readonly parsing: Semaphore;
  /** Large responses are parsed in ticks of their own. */
  readonly ticks: TickQueue;
}

export const createResponseMemory = (maxWaiting: number, ticks: TickQueue): ResponseMemory => ({
  bytes: 0,
  parsing: new Semaphore({
    slots: mostOf(MAX_CONCURRENT_PARSES, MAX_CONCURRENT_PARSES),
    waiting: mostOf(maxWaiting, maxWaiting),
  }),
  ticks,
});

const unzip = promisify(gunzip);

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the JSON of a response; undefined where the bytes are no JSON within the bounds. The media type is ignored,
 * since proxies on the way get it wrong. Few responses are decompressed at one time, and a large one is parsed in a tick of
 * its own.
 */
export const readResponseBody = (
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  { memory, timeoutMs }: { readonly memory: ResponseMemory; readonly timeoutMs: number },
): Promise<unknown> =>
  memory.parsing.run({ key: '', deadline: performance.now() + timeoutMs }, async () => {
    const json = await decompressBody(bytes, contentEncoding);
    if (json === null) return undefined;
    // No memory is charged, since `ResponseMemory` bounds the bytes already.
    const budget = { nextTick: () => memory.ticks.nextTick('response'), charge: () => true };
    const parsed = await parseBoundedJson({ bytes: json, decoder: UTF_8 }, { bounds: RESPONSE_BOUNDS, budget });
    return parsed.ok ? parsed.value : undefined;
  });

/** Null where the response is too large, damaged, or in an encoding other than gzip. */
async function decompressBody(bytes: Uint8Array, contentEncoding: string | undefined): Promise<Uint8Array | null> {
  const encoding = (contentEncoding ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '' || bytes.length === 0) return bytes;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return null;
  // Each chunk takes one tick of the event loop, which under load is most of the time. With these sizes most responses come
  // out in one chunk, and the largest in ten.
  const chunkSize = Math.min(Math.max(8 * bytes.length, 16 * 1024), 1024 * 1024);
  return unzip(bytes, { maxOutputLength: MAX_RESPONSE_BYTES, chunkSize }).catch(() => null);
}

/**
 * Masks the token where the service quotes it in a message of the envelope or in the `details` of an item, since no
 * answer shows a token, least of all a lent one. Other members hold what was read, and are left as they are.
 */
export function withoutQuotedToken(result: RequestResult, apiToken: string): RequestResult {
  if (!result.ok || apiToken.length < MIN_HIDDEN_TOKEN_LENGTH || !isObject(result.value.body)) return result;
  const masked = Object.entries(result.value.body).map(([name, value]) => {
    if (MESSAGE_MEMBERS.has(name)) return [name, maskTexts(value, apiToken)] as const;
    const areItems = ITEM_MEMBERS.has(name) && Array.isArray(value);
    return [name, areItems ? value.map((item: unknown) => maskDetails(item, apiToken)) : value] as const;
  });
  return ok({ ...result.value, body: Object.fromEntries(masked) });
}

const MESSAGE_MEMBERS: ReadonlySet<string> = new Set(['errors', 'warnings', 'information', 'extension_data']);

const ITEM_MEMBERS: ReadonlySet<string> = new Set(['data', 'result']);

const mask = (text: string, apiToken: string): string => text.replaceAll(apiToken, HIDDEN_TOKEN);

/** Masks all texts of a value, at any depth. Nearly none quotes the token, and 10 MB would take half a second. */
function maskTexts(value: unknown, apiToken: string): unknown {
  const json = JSON.stringify(value);
  if (!json.includes(JSON.stringify(apiToken).slice(1, -1))) return value;
  return JSON.parse(json, (_name, text: unknown) => (typeof text === 'string' ? mask(text, apiToken) : text));
}

const maskDetails = (item: unknown, apiToken: string): unknown =>
  isObject(item) && typeof item['details'] === 'string' && item['details'].includes(apiToken)
    ? { ...item, details: mask(item['details'], apiToken) }
    : item;
