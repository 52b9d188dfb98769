import type { IncomingMessage } from 'node:http';
import type { BackendError } from '../../domain/errors.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { RequestMemory } from '../memory/request-memory.ts';

/** A body larger than this is parsed only for a caller whose token the service accepts. */
const STRANGERS_BYTES = 1024 * 1024;

/** Room for a body that comes in more than one piece, to begin with. */
const FIRST_BYTES = 4 * 1024;

export interface BodyRules {
  readonly maxBytes: number;
  readonly memory: RequestMemory;
  /** Asks the service whether it accepts the caller's token. */
  readonly verify: () => Promise<Result<void, BackendError>>;
}

export type BodyFailure =
  | { readonly kind: 'too-large' }
  | { readonly kind: 'no-room' }
  /** Why the caller may not send so much. */
  | { readonly kind: 'refused'; readonly error: BackendError }
  /** The client went away, and there is nobody to answer. */
  | { readonly kind: 'gone' };

export type ReceivedBody = Result<Buffer<ArrayBuffer>, BodyFailure>;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

/**
 * Reads the whole body of a request, and charges what has come of it, not what the client has promised. Whatever fails,
 * the rest of the body is read and thrown away, so that the connection goes on; the server's own timeouts bound that.
 */
export function receiveBody(request: IncomingMessage, rules: BodyRules): Promise<ReceivedBody> {
  const promised = request.headers['content-length'];
  const length = promised === undefined ? null : Number(promised);
  if (length !== null && length > rules.maxBytes) {
    request.resume();
    return Promise.resolve(err({ kind: 'too-large' }));
  }
  return new Promise((resolve, reject) => new BodyReader({ request, rules, length, resolve, reject }));
}

interface Reading {
  readonly request: IncomingMessage;
  readonly rules: BodyRules;
  /** As the client has promised it; null where it has not. */
  readonly length: number | null;
  readonly resolve: (body: ReceivedBody) => void;
  readonly reject: (thrown: unknown) => void;
}

class BodyReader {
  readonly #reading: Reading;
  /** One chunk, or a buffer with room for more. */
  #buffer: Buffer<ArrayBuffer> = Buffer.of();
  #size = 0;
  #isOver = false;
  #verified: Promise<Result<void, BackendError>> | null = null;

  constructor(reading: Reading) {
    this.#reading = reading;
    const { request, length } = reading;
    const giveUp = () => {
      if (!request.readableEnded) this.#end(err({ kind: 'gone' }));
    };
    request.on('data', (chunk: Buffer<ArrayBuffer>) => this.#take(chunk));
    request.on('end', () => this.#finish());
    // After the end these change nothing.
    request.on('close', giveUp);
    request.on('error', giveUp);
    if (length !== null && length > STRANGERS_BYTES) this.#verify();
  }

  #take(chunk: Buffer<ArrayBuffer>): void {
    if (this.#isOver) return;
    const size = this.#size + chunk.length;
    if (size > this.#reading.rules.maxBytes) this.#end(err({ kind: 'too-large' }));
    else if (!this.#hold(chunk, size)) this.#end(err({ kind: 'no-room' }));
    else if (size > STRANGERS_BYTES) this.#verify();
  }

  /** Small chunks are copied together: each one kept as it came would take some 250 bytes, whatever it holds. */
  #hold(chunk: Buffer<ArrayBuffer>, size: number): boolean {
    const { rules, length } = this.#reading;
    if (this.#size === 0 && size === length) {
      if (!rules.memory.charge(size)) return false;
      this.#buffer = chunk;
    } else {
      if (size > this.#buffer.length && !this.#grow(size)) return false;
      chunk.copy(this.#buffer, this.#size);
    }
    this.#size = size;
    return true;
  }

  /** By doubling, so that a body in pieces of one byte costs no more than one in a single piece. */
  #grow(size: number): boolean {
    const { rules, length } = this.#reading;
    const most = length ?? rules.maxBytes;
    const room = Math.min(Math.max(size, 2 * this.#buffer.length, FIRST_BYTES), most);
    if (!rules.memory.charge(room)) return false;
    const larger = Buffer.allocUnsafeSlow(room);
    this.#buffer.copy(larger, 0, 0, this.#size);
    this.#buffer = larger;
    return true;
  }

  /** The body is read on meanwhile: it waits for the answer only before it is parsed. */
  #verify(): void {
    if (this.#verified !== null) return;
    const { rules } = this.#reading;
    this.#verified = rules.verify();
    this.#verified.then(
      (verified) => {
        if (verified.ok) rules.memory.setKnown();
        else this.#end(err({ kind: 'refused', error: verified.error }));
      },
      (thrown) => {
        this.#reading.reject(thrown);
        this.#end(err({ kind: 'gone' }));
      },
    );
  }

  /** An unaccepted token has ended it before, where there was need to ask. */
  #finish(): void {
    const succeed = () => this.#end(ok(this.#buffer.subarray(0, this.#size)));
    if (this.#verified === null) succeed();
    else this.#verified.then(succeed, () => {});
  }

  #end(body: ReceivedBody): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#buffer = Buffer.of();
    if (!body.ok) this.#reading.rules.memory.endInput();
    this.#reading.resolve(body);
  }
}
