import type { IncomingMessage } from 'node:http';
import { type JsonParseOptions, parseBoundedJson } from '../../../core/base/json.ts';
import { contentTypeProblem, type HeaderReader } from '../../../core/base/media-types.ts';
import { err, ok, type Result } from '../../../core/base/result.ts';
import type { Caller } from '../../../core/callers/caller.ts';
import type { BackendError } from '../../../core/errors.ts';
import { type RequestMemory, SMALL_BYTES } from '../memory.ts';
import { badRequest, bodyTooLarge, type HttpError, OUT_OF_MEMORY } from '../responses/errors.ts';
import type { OutgoingResponse } from '../responses/send-response.ts';

/** A request that has passed the door, with its body. */
export interface ReceivedRequest {
  readonly request: IncomingMessage;
  readonly caller: Caller;
  /** Empty where there was no body. */
  readonly body: Buffer<ArrayBuffer>;
  readonly outgoing: OutgoingResponse;
}

/** Begins to send the response to a request of one route. */
export type RouteHandler = (received: ReceivedRequest) => Promise<void>;

/** The first capacity of the buffer for a body without a Content-Length. */
const INITIAL_BYTES = 4 * 1024;

const NOT_RAW =
  'The gateway needs the body as it was sent: what reads bodies, or sets their encoding, must come after the gateway.';

/** Null where the client closed the connection. */
type BodyFailure = HttpError | BackendError | null;

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
  if (request.readableDidRead || request.readableEncoding !== null) throw new Error(NOT_RAW);
  const { promise, resolve } = Promise.withResolvers<Result<Buffer<ArrayBuffer>, BodyFailure>>();
  const length = Number(request.headers['content-length'] ?? maxBytes);
  // One buffer is smaller than many chunks. It doubles, so that a body in chunks of one byte costs no more than another.
  let buffer: Buffer<ArrayBuffer> = Buffer.alloc(0);
  let size = 0;
  const hasRoom = (bytes: number, chunk: Buffer<ArrayBuffer>): boolean => {
    if (bytes <= buffer.length) return true;
    // Most small bodies come as one chunk, which needs no copy.
    const isWhole = chunk.length === length && length <= SMALL_BYTES;
    const capacity = Math.min(Math.max(bytes, 2 * buffer.length, INITIAL_BYTES), length);
    const isCharged = memory.charge(capacity);
    if (isCharged) buffer = isWhole ? chunk : Buffer.from(buffer.buffer.transfer(capacity));
    return isCharged;
  };
  const store = (chunk: Buffer<ArrayBuffer>): void => {
    if (size + chunk.length > maxBytes) discard(bodyTooLarge(maxBytes));
    else if (!hasRoom(size + chunk.length, chunk)) discard(OUT_OF_MEMORY);
    else if (buffer === chunk) size = length;
    else size += chunk.copy(buffer, size);
  };
  const discard = (failure: BodyFailure): void => {
    request.off('data', store).resume();
    free(buffer);
    buffer = Buffer.alloc(0);
    size = 0;
    memory.end();
    resolve(err(failure));
  };
  const leave = () => resolve(err(null));
  // The first of these settles the body. A request that was destroyed before emits none of them any more.
  request.on('data', store).once('end', () => resolve(ok(buffer.subarray(0, size))));
  request.once('close', leave).on('error', leave);
  if (request.destroyed) leave();
  else if (length > maxBytes) discard(bodyTooLarge(maxBytes));
  // A paused request would not begin by itself.
  else request.resume();
  return promise;
}

/** Null when GraphQL takes a body with these headers. */
export function contentTypeError(headers: HeaderReader): HttpError | null {
  const problem = contentTypeProblem(headers, /^application\/json$/u);
  return problem === null ? null : { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message: problem };
}

/** Many large buffers would else stay until the next garbage collection of all. */
function free(bytes: Buffer<ArrayBuffer>): void {
  if (bytes.length > SMALL_BYTES) bytes.buffer.transfer(0);
}

/** The error code of JSON-RPC for text that is not JSON. */
const PARSE_ERROR = -32_700;

/** Parses the JSON of a request, and frees its bytes. `name` is that of the JSON in messages. */
export async function parseRequestJson(
  bytes: Buffer<ArrayBuffer>,
  options: JsonParseOptions,
  name = 'The request body',
): Promise<Result<unknown, HttpError>> {
  const parsed = await parseBoundedJson(bytes, options);
  free(bytes);
  if (parsed.ok) return parsed;
  const failure = parsed.error;
  switch (failure.kind) {
    case 'encoding':
      return err(badRequest(`${name} is not UTF-8.`));
    case 'limit':
      return err({ status: 400, code: 'LIMIT_EXCEEDED', message: `${name} ${failure.problem}.` });
    case 'syntax': {
      const position = failure.position === null ? '' : ` (position ${failure.position})`;
      return err({ ...badRequest(`${name} is not JSON${position}.`), rpcCode: PARSE_ERROR });
    }
    case 'out-of-memory':
      return err({ status: 503, code: 'UNAVAILABLE', message: OUT_OF_MEMORY.message });
  }
}
