import type { PayloadResult } from '../calls/read-response.ts';
import type { ServiceCall } from '../calls/service-call.ts';

export interface FlightOutcome {
  readonly payload: PayloadResult;
  /**
   * Null where the service answered, so that another call would have had the same answer. `own-limit`: the caller had no
   * time or no calls left, and nothing was sent.
   */
  readonly failure: 'own-limit' | 'unanswered' | null;
  /** Milliseconds that a caller must have for another call to be of use. */
  readonly usefulFromMs: number;
  readonly isKept: boolean;
}

/** A call in flight that equal reads may share. */
export class ReadFlight {
  /** The generation of its scope before the call. */
  readonly generation: string;
  readonly outcome: Promise<FlightOutcome>;
  readonly #sent = { at: performance.now() };

  constructor(generation: string, call: ServiceCall, send: (call: ServiceCall) => Promise<FlightOutcome>) {
    this.generation = generation;
    this.outcome = send({ ...call, sent: this.#sent });
  }

  /** `performance.now()` when the call was sent last, or when it began to wait for that. */
  get sentAt(): number {
    return this.#sent.at;
  }

  mayServe(generation: string, maxAgeMs: number): boolean {
    return this.generation === generation && performance.now() - this.#sent.at < maxAgeMs;
  }
}
