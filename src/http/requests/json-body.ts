import type { BackendError } from '../../domain/errors.ts';

/** The body of a request, whole, until somebody has made something of it. */
export class ReceivedBody {
  /** Why there is none, for the façade to say; null where nothing went wrong. */
  readonly failure: BackendError | null;
  #bytes: Buffer<ArrayBuffer> | null;

  constructor(bytes: Buffer<ArrayBuffer> | null, failure: BackendError | null = null) {
    this.#bytes = bytes;
    this.failure = failure;
  }

  /** Empty where there was none, and once it was dropped. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#bytes ?? Buffer.of();
  }

  /** Whatever is done from now on takes no memory for the bytes. */
  drop(): void {
    this.#bytes = null;
  }
}
