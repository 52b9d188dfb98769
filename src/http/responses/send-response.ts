import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { RequestMemory } from '../memory/request-memory.ts';

/** What is larger is sent in pieces, so that it can be seen how fast a client takes it. */
const PIECE_BYTES = 64 * 1024;

/** Headers of every answer that does not set them itself: an answer is for the one who asked. */
const EVERY_ANSWER = ['x-content-type-options', 'nosniff', 'cache-control', 'no-store'] as const;

/** When to come again, in seconds, where nobody knows better: readiness is looked at every 5 s. */
const RETRY_AFTER_SECONDS = 5;

/** Where an answer goes, and what it may hold until it was taken. */
export interface Reply {
  readonly response: ServerResponse;
  readonly memory: RequestMemory;
  /** Says in place of a large answer that there is no room for it; null where something was written that must be told. */
  readonly refuse: (() => void) | null;
}

/** An answer that is small. */
export function sendText(response: ServerResponse, { status, headers, text }: TextAnswer): void {
  setEvery(response);
  response.writeHead(status, { ...retryAfter(status), ...headers }).end(text);
}

export interface TextAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

export interface JsonAnswer {
  readonly mediaType: string;
  /** As text, or in UTF-8 where it is large. */
  readonly json: string | Uint8Array;
  /** Null where no rate limit has a part in the answer. */
  readonly retryAfterSeconds: number | null;
}

// Not `async`, and so on all the way: a function that waits would keep its arguments in memory.
export function sendJson(reply: Reply, { mediaType, json, retryAfterSeconds }: JsonAnswer): Promise<void> | undefined {
  const { response } = reply;
  const type = `${mediaType}; charset=utf-8`;
  if (retryAfterSeconds !== null) response.setHeader('retry-after', retryAfterSeconds);
  else if (typeof json === 'string' && json.length <= PIECE_BYTES) {
    // Names and values in turn: node:http writes them as they are, which saves 3 of the 20 µs that it takes with headers set one by one.
    const length = `${Buffer.byteLength(json)}`;
    response.writeHead(200, [...EVERY_ANSWER, 'content-type', type, 'content-length', length]).end(json);
    return;
  }
  setEvery(response);
  response.setHeader('content-type', type);
  return sendBytes(reply, typeof json === 'string' ? Buffer.from(json) : json);
}

/** Writes an answer of the fetch kind. */
export async function sendResponse(reply: Reply, answer: Response): Promise<void> {
  const body = await answer.bytes();
  const { response } = reply;
  const vary = response.getHeader('vary');
  response.statusCode = answer.status;
  setEvery(response);
  for (const [name, value] of Object.entries(retryAfter(answer.status))) response.setHeader(name, value);
  response.setHeaders(answer.headers);
  if (typeof vary === 'string') response.setHeader('vary', joined(vary, answer.headers.get('vary')));
  return sendBytes(reply, body);
}

const joined = (vary: string, other: string | null): string => (other === null ? vary : `${vary}, ${other}`);

function setEvery(response: ServerResponse): void {
  for (let at = 0; at + 1 < EVERY_ANSWER.length; at += 2) {
    response.setHeader(EVERY_ANSWER[at] ?? '', EVERY_ANSWER[at + 1] ?? '');
  }
}

const retryAfter = (status: number): Readonly<Record<string, string>> =>
  status === 429 || status === 503 ? { 'retry-after': `${RETRY_AFTER_SECONDS}` } : {};

function sendBytes({ response, memory, refuse }: Reply, bytes: Uint8Array): Promise<void> | undefined {
  const hasRoom = memory.addAnswer(bytes, () => response.destroy(), refuse !== null);
  if (!hasRoom && refuse !== null) {
    for (const name of response.getHeaderNames()) if (!KEPT.has(name)) response.removeHeader(name);
    refuse();
    return;
  }
  response.setHeader('content-length', bytes.length);
  return sendPieces(response, bytes);
}

/** Headers that were set before the answer was made, and hold for any. */
const KEPT: ReadonlySet<string> = new Set([
  'vary',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'connection',
]);

/**
 * The pieces share the memory of the whole. Between two of them others have their turn: until the sockets are full a piece
 * is taken at once, which for hundreds of large answers took more than a second.
 */
async function sendPieces(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  let at = 0;
  while (bytes.length - at > PIECE_BYTES) {
    const isTaken = response.write(bytes.subarray(at, at + PIECE_BYTES));
    if (!isTaken && !(await canGoOn(response))) return;
    await setImmediate();
    at += PIECE_BYTES;
  }
  response.end(bytes.subarray(at));
}

/** False where the client is gone. */
function canGoOn(response: ServerResponse): Promise<boolean> {
  if (response.closed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const decide = () => {
      response.off('drain', decide);
      response.off('close', decide);
      resolve(!response.closed);
    };
    response.once('drain', decide);
    response.once('close', decide);
  });
}
