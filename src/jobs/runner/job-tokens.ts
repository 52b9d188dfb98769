import type { Clock } from '../../core/base/clock.ts';
import { type BoundToken, bindOwnToken, type JobBinding } from '../caller-keys.ts';

/**
 * A token is kept for so long after a request brought it. Meanwhile the job that it starts is claimed, also where the ledger
 * is slow, or still takes another process for alive that ran the job.
 */
const KEEP_MS = 120_000;

/** The API tokens with which jobs run in this process, by their bindings, in memory only. */
export class JobTokens {
  readonly #kept = new Map<string, { readonly token: BoundToken; readonly until: number }>();
  readonly #clock: Pick<Clock, 'monotonic'>;

  constructor(binding: JobBinding, clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    if (binding.serviceUrl !== null && binding.ownToken === null) return;
    const token = bindOwnToken(binding);
    this.#kept.set(token.bindingKey, { token, until: Number.POSITIVE_INFINITY });
  }

  /** Jobs with these bindings may run in this process. Tells at any moment those that are kept then. */
  get bindingKeys(): ReadonlySetLike<string> {
    return this.#kept;
  }

  /** Called before a request stores something that may start a job, and while one runs. */
  keep(token: BoundToken): void {
    const before = this.#kept.get(token.bindingKey);
    const until = Math.max(before?.until ?? 0, this.#clock.monotonic() + KEEP_MS);
    this.#kept.set(token.bindingKey, { token: before?.token ?? token, until });
  }

  get(bindingKey: string): BoundToken {
    const kept = this.#kept.get(bindingKey);
    if (kept === undefined) throw new Error('A job was claimed without its token.');
    return kept.token;
  }

  forgetUnused(): void {
    const now = this.#clock.monotonic();
    for (const [bindingKey, { until }] of this.#kept) if (until <= now) this.#kept.delete(bindingKey);
  }
}
