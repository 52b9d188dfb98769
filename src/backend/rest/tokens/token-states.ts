import { isObject } from '../../../domain/articles/articles.ts';
import type { Result } from '../../../domain/result.ts';
import { decodeEnvelope, payloadOf } from '../../../v2/envelope.ts';
import { type BudgetQueue, createBudgetQueue, type WaitingRoom } from '../budget-queue.ts';
import { CallTimes } from '../call-time.ts';
import type { HttpAnswer } from '../exchange.ts';
import { Source } from '../http/circuit-breaker.ts';
import type { CallFailure } from '../http/request.ts';

/** How long a token counts as accepted after the last answer that showed it. */
const ACCEPTED_MS = 60 * 60_000;

/** What the service's answers have told of one API token. The token itself is not in it. */
export class TokenState {
  /** A hash of the token, by which it is found. */
  readonly key: string;
  readonly queue: BudgetQueue;
  readonly times = new CallTimes();
  /** The failures of its calls, as long as it is accepted. */
  readonly source = new Source();
  /** Calls that are on their way or wait. */
  users = 0;
  #acceptedUntil = Number.NEGATIVE_INFINITY;
  readonly #awaiting = new Set<() => void>();

  constructor(key: string, room: WaitingRoom) {
    this.key = key;
    this.queue = createBudgetQueue(room);
  }

  get isAccepted(): boolean {
    return this.#acceptedUntil > performance.now();
  }

  /** `performance.now()`. */
  get acceptedUntil(): number {
    return this.#acceptedUntil;
  }

  /** Calls back, once, when an answer shows that the service accepts the token. Gives what takes that back. */
  whenAccepted(callBack: () => void): () => void {
    this.#awaiting.add(callBack);
    return () => this.#awaiting.delete(callBack);
  }

  /** Learns from an answer whether the service accepts the token. */
  note(sent: Result<HttpAnswer, CallFailure>): void {
    if (!sent.ok) return;
    if (sent.value.httpStatus === 401) this.#acceptedUntil = Number.NEGATIVE_INFINITY;
    else if (showsAcceptance(sent.value)) {
      this.#acceptedUntil = performance.now() + ACCEPTED_MS;
      for (const callBack of this.#awaiting) callBack();
      this.#awaiting.clear();
    }
  }
}

/**
 * Only what a stranger can't bring about shows that the token is accepted: JSON that comes with success, or the service's
 * own refusal for want of permission. A proxy or firewall answers 400, 403, 404, 413 and 429 to any token.
 */
function showsAcceptance({ httpStatus, body }: HttpAnswer): boolean {
  if (httpStatus === 403) return decodeEnvelope(body) !== null;
  if (httpStatus < 200 || httpStatus > 299) return false;
  // Published examples of good answers have `success: false`, but those have content (facts, 3c).
  return isObject(body) ? body['success'] !== false || payloadOf(body) != null : Array.isArray(body);
}
