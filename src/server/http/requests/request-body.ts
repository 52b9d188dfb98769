import type { IncomingMessage } from 'node:http';
import { type JsonParseOptions, parseBoundedJson } from '../../../core/base/json.ts';
import { contentTypeProblem, type HeaderReader } from '../../../core/base/media-types.ts';
import { err, ok, type Result } from '../../../core/base/result.ts';
import type { Caller } from '../../../core/callers/caller.ts';
import { type RequestMemory, SMALL_BYTES } from '../memory.ts';
import { badRequest, type HttpError, outOfMemory } from '../responses/errors.ts';
import type { OutgoingResponse } from '../responses/send-response.ts';

/** A request that has passed the door, with its body. */
export interface ReceivedRequest {
  readonly request: IncomingMessage;
  readonly caller: Caller;
  readonly body: ReceivedBody;
  readonly outgoing: OutgoingResponse;
}

/** Begins to send the response to a request of one route. */
export type RouteHandler = (received: ReceivedRequest) => Promise<void>;

/** The first capacity of the buffer for a body without a Content-Length. */
const INITIAL_BYTES = 4 * 1024;

/** Its end would be waited for without end. */
const READ_ALREADY = 'The body was read before the gateway got the request: what parses bodies must come after it.';

/** Bytes that are no text would be lost. */
const READ_AS_TEXT = 'The body is read as a text: setEncoding must not be called for the requests of the gateway.';

/** The whole body of a request, until it is parsed. */
export class ReceivedBody {
  /** Empty when there was no body, and after `drop`. */
  bytes: Buffer<ArrayBuffer>;

  constructor(bytes: Buffer<ArrayBuffer> = Buffer.alloc(0)) {
    this.bytes = bytes;
  }

  /** Frees the memory of the bytes. Many large bodies would else stay until the next garbage collection of all. */
  drop(): void {
    const { buffer, length } = this.bytes;
    this.bytes = Buffer.alloc(0);
    if (length > SMALL_BYTES) buffer.transfer(0);
  }
}

/** `gone`: the client closed the connection. */
type BodyFailure = 'too-large' | 'out-of-memory' | 'gone';

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

/**
 * Receives the whole body of a request. Memory is charged for the bytes that have arrived, not for the Content-Length.
 * After a failure the rest of the body is discarded, so that the connection can be used again; the timeouts of the
 * server bound that.
 */
export function receiveBody(
  request: IncomingMessage,
  maxBytes: number,
  memory: RequestMemory,
): Promise<Result<Buffer<ArrayBuffer>, BodyFailure>> {
  if (request.readableDidRead) throw new Error(READ_ALREADY);
  const { promise, resolve, reject } = Promise.withResolvers<Result<Buffer<ArrayBuffer>, BodyFailure>>();
  const length = Number(request.headers['content-length'] ?? maxBytes);
  let buffer = new ArrayBuffer(0);
  let size = 0;
  // One buffer is smaller than many chunks. It doubles, so that a body in chunks of one byte costs no more than another.
  const hasRoom = (bytes: number): boolean => {
    if (bytes <= buffer.byteLength) return true;
    const capacity = Math.min(Math.max(bytes, 2 * buffer.byteLength, INITIAL_BYTES), length);
    const isCharged = memory.charge(capacity);
    if (isCharged) buffer = buffer.transfer(capacity);
    return isCharged;
  };
  const store = (chunk: Buffer | string): void => {
    if (typeof chunk === 'string') {
      reject(new Error(READ_AS_TEXT));
      discard('gone');
    } else if (size + chunk.length > maxBytes) discard('too-large');
    else if (!hasRoom(size + chunk.length)) discard('out-of-memory');
    else size += chunk.copy(Buffer.from(buffer), size);
  };
  const discard = (failure: BodyFailure): void => {
    request.off('data', store).resume();
    buffer = buffer.transfer(0);
    size = 0;
    memory.endInput();
    resolve(err(failure));
  };
  const leave = () => resolve(err('gone'));
  // The first of these settles the body. A request that was destroyed before emits none of them any more.
  request.on('data', store).once('end', () => resolve(ok(Buffer.from(buffer, 0, size))));
  request.once('close', leave).on('error', leave);
  if (request.destroyed) leave();
  else if (length > maxBytes) discard('too-large');
  // A paused request would not begin by itself.
  else request.resume();
  return promise;
}

/** Null when GraphQL takes a body with these headers. */
export function contentTypeError(headers: HeaderReader): HttpError | null {
  const problem = contentTypeProblem(headers, /^application\/json$/u);
  return problem === null ? null : { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message: problem };
}

/** Parses the JSON of a request. */
export async function parseRequestJson(
  bytes: Uint8Array,
  options: JsonParseOptions,
): Promise<Result<unknown, HttpError>> {
  const parsed = await parseBoundedJson(bytes, options);
  if (parsed.ok) return parsed;
  const failure = parsed.error;
  switch (failure.kind) {
    case 'encoding':
      return err(badRequest('The request body is not UTF-8.'));
    case 'limit':
      return err({ status: 400, code: 'LIMIT_EXCEEDED', message: `The request body ${failure.problem}.` });
    case 'syntax': {
      const position = failure.position === null ? '' : ` (position ${failure.position})`;
      return err(badRequest(`The request body is not JSON${position}.`));
    }
    case 'out-of-memory':
      return err(outOfMemory);
  }
}
