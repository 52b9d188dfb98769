import type { IncomingMessage } from 'node:http';
import { type JsonParseFailure, type JsonParseOptions, parseBoundedJson } from '../../../core/base/json.ts';
import { contentTypeProblem, type HeaderReader } from '../../../core/base/media-types.ts';
import { err, ok, type Result } from '../../../core/base/result.ts';
import type { Caller } from '../../../core/callers/caller.ts';
import { type BackendError, rejected } from '../../../core/errors.ts';
import { createServiceError } from '../../../core/notices.ts';
import { type RequestMemory, SMALL_BYTES } from '../memory.ts';
import {
  badRequest,
  bodyTooLarge,
  type HttpError,
  limitExceeded,
  OUT_OF_MEMORY,
  outOfMemory,
  unsupportedMediaType,
} from '../responses/errors.ts';
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

/** Bytes that each chunk of a body takes beyond what it holds. */
const CHUNK_OVERHEAD = 256;

const NO_BYTES = Buffer.alloc(0);

/** Its end would be waited for without end. */
const READ_ALREADY = 'The body was read before the gateway got the request: what parses bodies must come after it.';

/** Bytes that are no text would be lost. */
const READ_AS_TEXT = 'The body is read as a text: setEncoding must not be called for the requests of the gateway.';

/** The whole body of a request, until it is parsed. */
export class ReceivedBody {
  /** Empty when there was no body, and after `drop`. */
  bytes: Buffer<ArrayBuffer>;
  /** The reason why the body was not received, which the façade reports. Null when it was. */
  readonly failure: BackendError | null;

  constructor(bytes: Buffer<ArrayBuffer> = NO_BYTES, failure: BackendError | null = null) {
    this.bytes = bytes;
    this.failure = failure;
  }

  /** Frees the memory of the bytes. Many large bodies would else stay until the next garbage collection of all. */
  drop(): void {
    const { buffer, length } = this.bytes;
    this.bytes = NO_BYTES;
    // A small body may share its buffer with others.
    if (length > SMALL_BYTES && length === buffer.byteLength) buffer.transfer(0);
  }
}

interface ReceiveBodyOptions {
  readonly maxBytes: number;
  readonly memory: RequestMemory;
}

/** `gone`: the client closed the connection. */
type BodyFailure = 'too-large' | 'out-of-memory' | 'gone';

/** The failure of a body as the error of a backend, which the façade reports in its envelope. */
export function bodyErrorOf(failure: Exclude<BodyFailure, 'gone'>, maxBodyBytes: number): BackendError {
  if (failure === 'out-of-memory') return OUT_OF_MEMORY;
  const { status, message } = bodyTooLarge(maxBodyBytes);
  const serviceErrors = [createServiceError(message)];
  return rejected({ httpStatus: status, mayHaveApplied: false, serviceErrors, warnings: [], information: [] });
}

type BodyResult = Result<Buffer<ArrayBuffer>, BodyFailure>;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

/**
 * Receives the whole body of a request. Memory is charged for the bytes that have arrived, not for the Content-Length.
 * After a failure the rest of the body is discarded, so that the connection can be used again; the timeouts of the
 * server bound that.
 */
export function receiveBody(request: IncomingMessage, { maxBytes, memory }: ReceiveBodyOptions): Promise<BodyResult> {
  if (request.readableDidRead) throw new Error(READ_ALREADY);
  const { promise, resolve, reject } = Promise.withResolvers<BodyResult>();
  const chunks: Buffer<ArrayBuffer>[] = [];
  let size = 0;
  const store = (chunk: Buffer<ArrayBuffer> | string): void => {
    if (typeof chunk === 'string') return reject(new Error(READ_AS_TEXT));
    size += chunk.length;
    chunks.push(chunk);
    if (size > maxBytes) discard('too-large');
    else if (!memory.charge(size + CHUNK_OVERHEAD * chunks.length)) discard('out-of-memory');
  };
  const discard = (failure: BodyFailure): void => {
    request.off('data', store).resume();
    chunks.length = 0;
    memory.endInput();
    resolve(err(failure));
  };
  const leave = () => resolve(err('gone'));
  // The first of these settles the body. A request that was destroyed before emits none of them any more.
  request.on('data', store).once('end', () => resolve(ok(joinChunks(chunks.splice(0)))));
  request.once('close', leave).on('error', leave);
  if (request.destroyed) leave();
  else if (Number(request.headers['content-length'] ?? 0) > maxBytes) discard('too-large');
  // A paused request would not begin by itself.
  else request.resume();
  return promise;
}

function joinChunks(chunks: readonly Buffer<ArrayBuffer>[]): Buffer<ArrayBuffer> {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

/** Null when GraphQL takes a body with these headers. */
export function contentTypeError(headers: HeaderReader): HttpError | null {
  const problem = contentTypeProblem(headers, /^application\/json$/u);
  return problem === null ? null : unsupportedMediaType(problem);
}

type ParsedJson = Result<unknown, HttpError>;

/** Parses the JSON of a request. Small texts are parsed synchronously. */
export function parseRequestJson(bytes: Uint8Array, options: JsonParseOptions): ParsedJson | Promise<ParsedJson> {
  const parsed = parseBoundedJson(bytes, options);
  return parsed instanceof Promise ? parsed.then(withHttpError) : withHttpError(parsed);
}

function withHttpError(parsed: Result<unknown, JsonParseFailure>): ParsedJson {
  if (parsed.ok) return parsed;
  const failure = parsed.error;
  switch (failure.kind) {
    case 'encoding':
      return err(badRequest('The request body is not UTF-8.'));
    case 'limit':
      return err(limitExceeded(`The request body ${failure.problem}.`));
    case 'syntax': {
      const position = failure.position === null ? '' : ` (position ${failure.position})`;
      return err(badRequest(`The request body is not JSON${position}.`));
    }
    case 'out-of-memory':
      return err(outOfMemory);
  }
}
