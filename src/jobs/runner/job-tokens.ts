import type { Clock } from '../../base/clock.ts';
import { type BoundToken, bindOwnToken, type JobBinding } from '../caller-keys.ts';
import { ALIVE_MS } from '../ledger-session.ts';

/** The API tokens of the jobs that run in this process, in memory only. */
export class JobTokens {
  /** The gateway's own token, with which any process may go on. Null where it has none. */
  readonly own: BoundToken | null;
  readonly #byJob = new Map<string, KeptToken>();
  /** Tokens of parts that are being stored, since their job may be claimed before its ID is known. */
  readonly #arriving = new Map<string, { readonly token: BoundToken; requests: number }>();
  readonly #clock: Pick<Clock, 'monotonic'>;
  #claims = 0;

  constructor(binding: JobBinding, clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.own = binding.serviceUrl !== null && binding.ownToken === null ? null : bindOwnToken(binding);
  }

  /** Keeps the token while a request stores something that may start a job. */
  async whileArriving<T>(token: BoundToken, store: () => Promise<T>): Promise<T> {
    const entry = this.#arriving.get(token.bindingKey) ?? { token, requests: 0 };
    this.#arriving.set(token.bindingKey, entry);
    entry.requests += 1;
    try {
      return await store();
    } finally {
      entry.requests -= 1;
      if (entry.requests === 0) this.#arriving.delete(token.bindingKey);
    }
  }

  /** Keeps the token of a job that this process is to run, once it can claim it. */
  keep(jobId: string, token: BoundToken): void {
    this.#byJob.set(jobId, { token, keptAtClaim: this.#claims, keptAt: this.#clock.monotonic() });
  }

  /** The token goes with the run. */
  keepForRun(jobId: string, token: BoundToken): void {
    this.#byJob.set(jobId, { token, keptAtClaim: this.#claims, keptAt: Number.NEGATIVE_INFINITY });
  }

  /** The token of a binding; null where no request has brought it to this process. */
  find(bindingKey: string): BoundToken | null {
    if (this.own?.bindingKey === bindingKey) return this.own;
    const kept = this.#byJob.values().find(({ token }) => token.bindingKey === bindingKey);
    return kept?.token ?? this.#arriving.get(bindingKey)?.token ?? null;
  }

  /** Jobs with these bindings may run in this process. */
  bindingKeys(): readonly string[] {
    const own = this.own === null ? [] : [this.own.bindingKey];
    const kept = this.#byJob.values().map(({ token }) => token.bindingKey);
    return [...new Set([...own, ...kept, ...this.#arriving.keys()])];
  }

  beginClaim(): void {
    this.#claims += 1;
  }

  /** Forgets the tokens of jobs that this process could have claimed since it has them, and does not run. */
  endClaim(isRunning: (jobId: string) => boolean): void {
    const latest = this.#clock.monotonic() - KEEP_MS;
    for (const [jobId, { keptAtClaim, keptAt }] of this.#byJob)
      if (keptAtClaim < this.#claims && keptAt < latest && !isRunning(jobId)) this.#byJob.delete(jobId);
  }
}

interface KeptToken {
  readonly token: BoundToken;
  /** The number of claims that had begun before. */
  readonly keptAtClaim: number;
  /** `Clock.monotonic` when a request brought it. */
  readonly keptAt: number;
}

/**
 * A job can't be claimed while the ledger takes the process that ran it for alive. A caller who resumes it meanwhile finds it
 * running, and is not asked to come again.
 */
const KEEP_MS = 2 * ALIVE_MS;
