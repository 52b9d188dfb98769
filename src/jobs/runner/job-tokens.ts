import { type BoundToken, bindOwnToken, type JobBinding } from '../caller-keys.ts';

/** The API tokens of the jobs that run in this process, in memory only. */
export class JobTokens {
  /** The gateway's own token, with which any process may go on. Null where it has none. */
  readonly own: BoundToken | null;
  readonly #byJob = new Map<string, KeptToken>();
  /** Tokens of parts that are being stored, since their job may be claimed before its ID is known. */
  readonly #arriving = new Map<string, { readonly token: BoundToken; requests: number }>();
  #claims = 0;

  constructor(binding: JobBinding) {
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

  keep(jobId: string, token: BoundToken): void {
    this.#byJob.set(jobId, { token, keptAtClaim: this.#claims });
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
    for (const [jobId, { keptAtClaim }] of this.#byJob)
      if (keptAtClaim < this.#claims && !isRunning(jobId)) this.#byJob.delete(jobId);
  }
}

interface KeptToken {
  readonly token: BoundToken;
  /** The number of claims that had begun before. */
  readonly keptAtClaim: number;
}
