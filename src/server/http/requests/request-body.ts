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

/** Sends the response to a request of one route. */
export type RouteHandler = (received: ReceivedRequest) => Promise<void> | undefined;

/** The first capacity of the buffer for a body that comes in several chunks. */
const INITIAL_BUFFER_BYTES = 4 * 1024;

/** A body from this size has a buffer of its own. A smaller one may share that of a chunk with the next request. */
const COPIED_BYTES = SMALL_BYTES;

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
    if (length >= COPIED_BYTES) buffer.transfer(0);
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
export function receiveBody(request: IncomingMessage, options: ReceiveBodyOptions): Promise<BodyResult> {
  if (request.readableDidRead) throw new Error(READ_ALREADY);
  // Its events have gone by.
  if (request.destroyed) return Promise.resolve(err('gone'));
  return new BodyReader(request, options).body;
}

class BodyReader {
  readonly #request: IncomingMessage;
  readonly #options: ReceiveBodyOptions;
  /** The Content-Length. Null without one. */
  readonly #length: number | null;
  readonly #ending = Promise.withResolvers<BodyResult>();
  readonly body = this.#ending.promise;
  /** A single chunk, or a buffer with capacity for more than one. */
  #buffer: Buffer<ArrayBuffer> = NO_BYTES;
  #size = 0;
  #isEnded = false;

  constructor(request: IncomingMessage, options: ReceiveBodyOptions) {
    this.#request = request;
    this.#options = options;
    const { 'content-length': length } = request.headers;
    this.#length = length === undefined ? null : Number(length);
    const endIfIncomplete = () => {
      if (!request.readableEnded) this.#end(err('gone'));
    };
    request.on('data', (chunk: Buffer<ArrayBuffer> | string) => {
      if (typeof chunk === 'string') this.#fail(new Error(READ_AS_TEXT));
      else this.#append(chunk);
    });
    request.on('end', () => this.#end(ok(this.#buffer.subarray(0, this.#size))));
    // These have no effect after the end of the body.
    request.on('close', endIfIncomplete);
    request.on('error', endIfIncomplete);
    // A paused request would not begin by itself.
    request.resume();
    // A body that is too large is refused before it has arrived.
    if (this.#length !== null && this.#length > options.maxBytes) this.#end(err('too-large'));
  }

  #append(chunk: Buffer<ArrayBuffer>): void {
    if (this.#isEnded) return;
    const size = this.#size + chunk.length;
    if (size > this.#options.maxBytes) this.#end(err('too-large'));
    else if (!this.#store(chunk, size)) this.#end(err('out-of-memory'));
  }

  /** Small chunks are copied into one buffer, since each chunk that is kept takes some 250 bytes more than it holds. */
  #store(chunk: Buffer<ArrayBuffer>, size: number): boolean {
    if (this.#size === 0 && size === this.#length && size < COPIED_BYTES) {
      if (!this.#options.memory.charge(size)) return false;
      this.#buffer = chunk;
    } else {
      if (size > this.#buffer.length && !this.#grow(size)) return false;
      chunk.copy(this.#buffer, this.#size);
    }
    this.#size = size;
    return true;
  }

  /** Doubles the capacity, so that a body in chunks of one byte costs no more than one in a single chunk. */
  #grow(size: number): boolean {
    const { memory, maxBytes } = this.#options;
    const maxCapacity = this.#length ?? maxBytes;
    const capacity = Math.min(Math.max(size, 2 * this.#buffer.length, INITIAL_BUFFER_BYTES), maxCapacity);
    if (!memory.charge(capacity)) return false;
    // The smaller buffer is freed at once.
    const { buffer } = this.#buffer;
    this.#buffer = Buffer.from(this.#size === 0 ? new ArrayBuffer(capacity) : buffer.transfer(capacity));
    return true;
  }

  #fail(thrown: unknown): void {
    this.#ending.reject(thrown);
    this.#end(err('gone'));
  }

  #end(body: BodyResult): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#buffer = NO_BYTES;
    if (!body.ok) {
      this.#options.memory.endInput();
      this.#request.resume();
    }
    this.#ending.resolve(body);
  }
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
