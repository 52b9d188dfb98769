import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
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
  return memory.parsing.run({ key: '', deadline: performance.now() + timeoutMs }, async () => {
    const { known, unknown } = codingsIn(contentEncoding);
    if (known.length > MAX_CODINGS) return new UnknownCoding(namesOf(known));
    const json = await decodeAll(bytes, known);
    const parsed = json === null ? undefined : await parseJson(json, memory);
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

interface DecodeOptions {
  readonly maxOutputLength: number;
  readonly chunkSize: number;
}

type Decode = (bytes: Uint8Array, options: DecodeOptions) => Promise<Uint8Array>;

const unzip = promisify(gunzip);
const unwrap = promisify(inflate);
const unwrapRaw = promisify(inflateRaw);
const unbrotli = promisify(brotliDecompress);
const unzstd = promisify(zstdDecompress);

/** `deflate` is the format with a header, which some servers leave out (RFC 9110, 8.4.1.2). */
const undeflate: Decode = (bytes, options) =>
  hasZlibHeader(bytes) ? unwrap(bytes, options) : unwrapRaw(bytes, options);

function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

/** The largest window of Zstandard over HTTP (RFC 9659). */
const MAX_ZSTD_WINDOW_LOG = 23;

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', unzip],
  ['x-gzip', unzip],
  ['deflate', undeflate],
  ['br', unbrotli],
  ['zstd', (bytes, options) => unzstd(bytes, { ...options, params: ZSTD_PARAMS })],
]);

const ZSTD_PARAMS = { [constants.ZSTD_d_windowLogMax]: MAX_ZSTD_WINDOW_LOG };

/** The most codings of one header. More are an attack or a mistake. */
const MAX_CODINGS = 3;

/** Labels of a body without a coding. Other unknown labels may be charsets, or codings. */
const NO_CODINGS: ReadonlySet<string> = new Set(['', 'identity', 'none']);

/** Splits the labels of a header `Content-Encoding` into those that can be decoded and the others. */
function codingsIn(header: string) {
  const labels = header.split(',').map((label) => label.trim().toLowerCase());
  const { known = [], unknown = [] } = Object.groupBy(
    labels.filter((label) => !NO_CODINGS.has(label)),
    (label) => (DECODERS.has(label) ? 'known' : 'unknown'),
  );
  return { known, unknown };
}

const MAX_NAMES_LENGTH = 60;

const namesOf = (labels: readonly string[]): string =>
  JSON.stringify(
    labels
      .join(', ')
      .slice(0, MAX_NAMES_LENGTH)
      .replace(/[^ -~]/gu, '?'),
  );

/** Decodes the bytes; null where the body is damaged or too large. The last coding of the header was applied last. */
async function decodeAll(bytes: Uint8Array, codings: readonly string[]): Promise<Uint8Array | null> {
  let decoded = bytes;
  for (const [index, coding] of codings.toReversed().entries()) {
    // Each chunk takes one tick of the event loop, which is most of the time under load. With these sizes most
    // responses fit in one chunk, and the largest in ten.
    const chunkSize = Math.min(Math.max(8 * decoded.length, 16 * 1024), 1024 * 1024);
    const options = { maxOutputLength: MAX_RESPONSE_BYTES, chunkSize };
    const next = await DECODERS.get(coding)?.(decoded, options).catch(() => null);
    // Two proxies may list one compression twice.
    const isRepeated = index > 0 && coding === codings.at(-index);
    if (next == null && !isRepeated) return null;
    decoded = next ?? decoded;
  }
  return decoded;
}

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
