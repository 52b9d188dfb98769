import type { Clock } from '../../core/base/clock.ts';
import { type GatewayCredentials, type JobCredential, ownCredential } from '../caller-keys.ts';

/** How long a token is kept after a request brought it. Within that time its job is claimed, also after another process has died. */
const KEEP_MS = 120_000;

/** The API tokens with which jobs run in this process, by their credential hashes, in memory only. */
export class JobTokens {
  readonly #kept = new Map<string, { readonly token: JobCredential; readonly until: number }>();
  readonly #clock: Pick<Clock, 'monotonic'>;

  constructor(credentials: GatewayCredentials, clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    if (credentials.serviceUrl !== null && credentials.ownToken === null) return;
    const token = ownCredential(credentials);
    this.#kept.set(token.credentialHash, { token, until: Number.POSITIVE_INFINITY });
  }

  /** The hashes of the tokens that are kept. The set changes with them. */
  get credentialHashes(): ReadonlySetLike<string> {
    return this.#kept;
  }

  /** Keeps a token from now on. It is called before a request stores a job, and while a job runs. */
  keep(token: JobCredential): void {
    const before = this.#kept.get(token.credentialHash);
    const until = Math.max(before?.until ?? 0, this.#clock.monotonic() + KEEP_MS);
    this.#kept.set(token.credentialHash, { token: before?.token ?? token, until });
  }

  /** The token of a job that was claimed. */
  get(credentialHash: string): JobCredential {
    const kept = this.#kept.get(credentialHash);
    if (kept === undefined) throw new Error('A job was claimed without its token.');
    return kept.token;
  }

  /** Forgets the tokens that were not kept again in time. */
  forgetUnused(): void {
    const now = this.#clock.monotonic();
    for (const [credentialHash, { until }] of this.#kept) if (until <= now) this.#kept.delete(credentialHash);
  }
}
