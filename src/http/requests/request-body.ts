import type { IncomingMessage } from 'node:http';
import { MAX_UNTRUSTED_BYTES } from '../../base/limits.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { BackendError } from '../../domain/errors.ts';
import type { RequestMemory } from '../memory/request-memory.ts';

/** The first capacity of the buffer for a body that comes in several chunks. */
const INITIAL_BUFFER_BYTES = 4 * 1024;

/** A body from this size has a buffer of its own. A smaller one may share that of a chunk with the next request. */
const COPIED_BYTES = 64 * 1024;

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

  constructor(bytes: Buffer<ArrayBuffer>, failure: BackendError | null = null) {
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
  /** Calls the service to check whether it accepts the caller's token. */
  readonly verify: () => Promise<Result<void, BackendError>>;
}

export type BodyFailure =
  | { readonly kind: 'too-large' }
  | { readonly kind: 'out-of-memory' }
  /** The caller may not send a body of this size. */
  | { readonly kind: 'refused'; readonly error: BackendError }
  /** The client closed the connection. */
  | { readonly kind: 'gone' };

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
  if (request.destroyed) return Promise.resolve(err({ kind: 'gone' }));
  const contentLength = request.headers['content-length'];
  const length = contentLength === undefined ? null : Number(contentLength);
  if (length !== null && length > options.maxBytes) {
    request.resume();
    return Promise.resolve(err({ kind: 'too-large' }));
  }
  return new Promise((resolve, reject) => new BodyReader({ request, options, length, resolve, reject }));
}

interface PendingBody {
  readonly request: IncomingMessage;
  readonly options: ReceiveBodyOptions;
  /** The Content-Length. Null without one. */
  readonly length: number | null;
  readonly resolve: (body: BodyResult) => void;
  readonly reject: (thrown: unknown) => void;
}

class BodyReader {
  readonly #pending: PendingBody;
  /** A single chunk, or a buffer with capacity for more than one. */
  #buffer: Buffer<ArrayBuffer> = NO_BYTES;
  #size = 0;
  #isEnded = false;
  #verification: Promise<Result<void, BackendError>> | null = null;

  constructor(pending: PendingBody) {
    this.#pending = pending;
    const { request, length } = pending;
    const endIfIncomplete = () => {
      if (!request.readableEnded) this.#end(err({ kind: 'gone' }));
    };
    request.on('data', (chunk: Buffer<ArrayBuffer> | string) => {
      if (typeof chunk === 'string') this.#fail(new Error(READ_AS_TEXT));
      else this.#append(chunk);
    });
    request.on('end', () => this.#finish());
    // These have no effect after the end of the body.
    request.on('close', endIfIncomplete);
    request.on('error', endIfIncomplete);
    // A paused request would not begin by itself.
    request.resume();
    if (length !== null && length > MAX_UNTRUSTED_BYTES) this.#verify();
  }

  #append(chunk: Buffer<ArrayBuffer>): void {
    if (this.#isEnded) return;
    const size = this.#size + chunk.length;
    if (size > this.#pending.options.maxBytes) this.#end(err({ kind: 'too-large' }));
    else if (!this.#store(chunk, size)) this.#end(err({ kind: 'out-of-memory' }));
    else if (size > MAX_UNTRUSTED_BYTES) this.#verify();
  }

  /** Small chunks are copied into one buffer, since each chunk that is kept takes some 250 bytes more than it holds. */
  #store(chunk: Buffer<ArrayBuffer>, size: number): boolean {
    const { options, length } = this.#pending;
    if (this.#size === 0 && size === length && size < COPIED_BYTES) {
      if (!options.memory.charge(size)) return false;
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
    const { options, length } = this.#pending;
    const maxCapacity = length ?? options.maxBytes;
    const capacity = Math.min(Math.max(size, 2 * this.#buffer.length, INITIAL_BUFFER_BYTES), maxCapacity);
    if (!options.memory.charge(capacity)) return false;
    // The smaller buffer is freed at once.
    const { buffer } = this.#buffer;
    this.#buffer = Buffer.from(this.#size === 0 ? new ArrayBuffer(capacity) : buffer.transfer(capacity));
    return true;
  }

  /** Starts the verification of the token. The body is received meanwhile, and is parsed only after it. */
  #verify(): void {
    if (this.#verification !== null) return;
    const { options } = this.#pending;
    this.#verification = options.verify();
    this.#verification.then(
      (verified) => {
        if (verified.ok) options.memory.markAccepted();
        else this.#end(err({ kind: 'refused', error: verified.error }));
      },
      (thrown) => this.#fail(thrown),
    );
  }

  /** Ends with the body, after the verification if there is one. A refused token has ended it already. */
  #finish(): void {
    const succeed = () => this.#end(ok(this.#buffer.subarray(0, this.#size)));
    if (this.#verification === null) succeed();
    else this.#verification.then(succeed, () => {});
  }

  #fail(thrown: unknown): void {
    this.#pending.reject(thrown);
    this.#end(err({ kind: 'gone' }));
  }

  #end(body: BodyResult): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#buffer = NO_BYTES;
    if (!body.ok) this.#pending.options.memory.endInput();
    this.#pending.resolve(body);
  }
}
