import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isObject, type JsonBounds, parseBoundedJson } from '../../core/base/json.ts';
import { MAX_CONCURRENT_PARSES, MAX_RESPONSE_BYTES, MAX_RESPONSE_VALUES } from '../../core/base/limits.ts';
import { ok } from '../../core/base/result.ts';
import { mostOf, Semaphore } from '../../core/base/semaphore.ts';
import type { TickQueue } from '../../core/base/tick-queue.ts';
import { HIDDEN_TOKEN, MIN_HIDDEN_TOKEN_LENGTH } from '../../core/callers/hidden-tokens.ts';
import type { RequestResult } from './service-call.ts';

const RESPONSE_BOUNDS: JsonBounds = { maxValues: MAX_RESPONSE_VALUES, maxListItems: Number.POSITIVE_INFINITY };

export interface ResponseMemory {
  bytes: number;
  readonly parsing: Semaphore;
  /** The ticks in which large responses are parsed. */
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

/** The codings of a body that can't be decoded here, and that is no JSON without decoding. */
export class UnknownCoding {
  readonly names: string;

  constructor(names: string) {
    this.names = names;
  }
}

/** The coding that calls accept. */
const GZIP: ReadonlySet<string> = new Set(['gzip', 'x-gzip']);

/** Codings that no call accepts, so that a body with one of them is not read. */
const OTHER_CODINGS: ReadonlySet<string> = new Set(['br', 'deflate', 'zstd']);

/** Labels of a body without a coding. Other labels may be charsets, or codings. */
const NO_CODINGS: ReadonlySet<string> = new Set(['', 'identity', 'none']);

/**
 * Parses the JSON of a response; undefined where the bytes are no JSON within the bounds. The media type is ignored,
 * since proxies change it. Few responses are decompressed at one time, and a large one is parsed in a tick of its own.
 */
export async function readResponseBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  { memory, timeoutMs }: { readonly memory: ResponseMemory; readonly timeoutMs: number },
): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  if (contentEncoding === undefined) return parseJson(bytes, memory);
  const labels = contentEncoding.split(',').map((label) => label.trim().toLowerCase());
  const unknown = labels.filter((label) => !GZIP.has(label) && !NO_CODINGS.has(label));
  return memory.parsing.run({ key: '', deadline: performance.now() + timeoutMs }, async () => {
    const isReadable = !unknown.some((label) => OTHER_CODINGS.has(label));
    const isZipped = labels.some((label) => GZIP.has(label));
    const json = isReadable && isZipped ? await tryUnzip(bytes) : bytes;
    const parsed = isReadable && json !== null ? await parseJson(json, memory) : undefined;
    return parsed === undefined && unknown.length > 0 ? new UnknownCoding(namesOf(unknown)) : parsed;
  });
}

/** Undefined where the bytes are no JSON within the bounds. */
async function parseJson(bytes: Uint8Array, { ticks }: ResponseMemory): Promise<unknown> {
  // The parser charges no memory, since `ResponseMemory` bounds the bytes already.
  const budget = { nextTick: () => ticks.nextTick('response'), charge: () => true };
  const parsed = await parseBoundedJson(bytes, { bounds: RESPONSE_BOUNDS, budget });
  return parsed.ok ? parsed.value : undefined;
}

const unzip = promisify(gunzip);

/** Null where the bytes are damaged or too large. */
function tryUnzip(bytes: Uint8Array): Promise<Uint8Array | null> {
  // Each chunk takes one tick of the event loop, which is most of the time under load. With these sizes most responses
  // fit in one chunk, and the largest in ten.
  const chunkSize = Math.min(Math.max(8 * bytes.length, 16 * 1024), 1024 * 1024);
  return unzip(bytes, { maxOutputLength: MAX_RESPONSE_BYTES, chunkSize }).catch(() => null);
}

const MAX_NAMES_LENGTH = 60;

const namesOf = (labels: readonly string[]): string =>
  JSON.stringify(
    labels
      .join(', ')
      .slice(0, MAX_NAMES_LENGTH)
      .replace(/[^ -~]/gu, '?'),
  );

/**
 * Masks the token in messages of the envelope and in the `details` of items, where the service quotes it: no answer may
 * show a token, least of all the service credential. Other members are left as they are.
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

/** Masks the texts of a value at any depth. It runs only where the token occurs, since 10 MB take half a second. */
function maskTexts(value: unknown, apiToken: string): unknown {
  const json = JSON.stringify(value);
  if (!json.includes(JSON.stringify(apiToken).slice(1, -1))) return value;
  return JSON.parse(json, (_name, text: unknown) => (typeof text === 'string' ? mask(text, apiToken) : text));
}

const maskDetails = (item: unknown, apiToken: string): unknown =>
  isObject(item) && typeof item['details'] === 'string' && item['details'].includes(apiToken)
    ? { ...item, details: mask(item['details'], apiToken) }
    : item;
