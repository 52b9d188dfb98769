import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** No answer of the service comes near it: a bulk answer of 10,000 items has about 2 MB. Holds packed and unpacked. */
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024;

/** Far deeper than any answer of the service is nested. What walks through one by recursion keeps its stack. */
const MAX_DEPTH = 200;

const unzip = promisify(gunzip);

/**
 * The JSON of an answer; undefined where there is none to be read: an empty body, an HTML page, half a document, one
 * nested without end, a packing that was not asked for, or one that unpacks to more than an answer may have. The media
 * type is not looked at: it is the proxies on the way that get it wrong.
 */
export async function readAnswerBody(bytes: Uint8Array, contentEncoding: string | undefined): Promise<unknown> {
  const plain = await unpacked(bytes, (contentEncoding ?? 'identity').trim().toLowerCase());
  if (plain === null || isTooDeep(plain)) return undefined;
  try {
    const answer: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plain));
    return answer;
  } catch {
    return undefined;
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

const [QUOTE, BACKSLASH] = Buffer.from('"\\');
const OPENING = new Set(Buffer.from('[{'));
const CLOSING = new Set(Buffer.from(']}'));

/** Counts brackets outside of strings. In UTF-8 no byte of another character looks like one of them. */
function isTooDeep(json: Uint8Array): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length && depth <= MAX_DEPTH; index += 1) {
    const byte = json[index] ?? 0;
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) index += byte === BACKSLASH ? 1 : 0;
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
  }
  return depth > MAX_DEPTH;
}
