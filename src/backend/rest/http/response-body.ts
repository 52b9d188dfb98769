import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { JsonBounds } from '../../../domain/json/json-scanner.ts';
import { type ParseRoom, parseJson } from '../../../domain/json/parse-json.ts';
import { turnOfLargeStep } from '../../../domain/json/tick-queue.ts';

/** No answer of the service comes near it: a bulk answer of 10,000 items has about 2 MB. Holds packed and unpacked. */
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024;

/**
 * All answers that are read at one time: 256 of the largest would be more memory than the gateway should have. One that
 * has no room among the others counts as too large.
 */
export const MAX_BYTES_AT_ONCE = 64 * 1024 * 1024;

/** A bulk answer of 10,000 items has some 60,000 values. 10 MB of brackets would take 200 MB once parsed. */
const BOUNDS: JsonBounds = { maxValues: 500_000, maxListItems: Number.POSITIVE_INFINITY };

const unzip = promisify(gunzip);

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON of an answer; undefined where there is none to be read: an empty body, an HTML page, half a document, one
 * of too many parts or nested too deep, a packing that was not asked for, or one that unpacks to more than an answer may
 * have. The media type is not looked at: it is the proxies on the way that get it wrong. Large ones are parsed in steps,
 * between which others have their turn.
 */
export async function readAnswerBody(bytes: Uint8Array, contentEncoding: string | undefined): Promise<unknown> {
  const plain = await unpacked(bytes, (contentEncoding ?? 'identity').trim().toLowerCase());
  if (plain === null) return undefined;
  const parsed = await parseJson({ bytes: plain, decode }, BOUNDS, ROOM);
  return parsed.ok ? parsed.value : undefined;
}

/** The bytes that are read at one time have a bound of their own. */
const ROOM: ParseRoom = { turn: turnOfLargeStep, charge: () => true };

function decode(bytes: Uint8Array): string | null {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return null;
  }
}

async function unpacked(bytes: Uint8Array, encoding: string): Promise<Uint8Array | null> {
  if (encoding === 'identity' || encoding === '' || bytes.length === 0) return bytes;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return null;
  const chunkSize = Math.min(Math.max(bytes.length * USUAL_RATIO, SMALL), LARGE);
  return unzip(bytes, { maxOutputLength: MAX_ANSWER_BYTES, chunkSize }).catch(() => null);
}

/**
 * Every chunk that is unpacked takes a turn of the event loop, which under load is what takes the time: most answers come
 * out in one chunk, and the largest in ten.
 */
const [USUAL_RATIO, SMALL, LARGE] = [8, 16 * 1024, 1024 * 1024];
