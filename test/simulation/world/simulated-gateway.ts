import type { Backend } from '../../../src/core/backend.ts';
import { MAX_ARTICLE_LAG_MS } from '../../../src/core/base/limits.ts';
import { silentLog } from '../../../src/core/base/log.ts';
import { err } from '../../../src/core/base/result.ts';
import type { SharedState } from '../../../src/core/shared-state.ts';
import type { IdempotencyKeys } from '../../../src/core/writes/idempotency-keys.ts';
import { withPipeline } from '../../../src/core/writes/pipeline.ts';
import type { ArticleUpdateJobs } from '../../../src/jobs/article-update-jobs.ts';
import { createJobs, type Jobs } from '../../../src/jobs/create-jobs.ts';
import type { Ledger } from '../../../src/jobs/state/ledger.ts';
import { LEASE_EXPIRED, type RequestResult } from '../../../src/service/calls/service-call.ts';
import type { HttpRequest } from '../../../src/service/calls/service-client.ts';
import { MIN_WRITE_MS } from '../../../src/service/calls/token-states.ts';
import { mergeWrites } from '../../../src/service/merging/merging.ts';
import { openRestBackend, type RestBackendOptions } from '../../../src/service/rest-backend.ts';
import { accessLedger, type DiskFaults, type ProcessFaults, SimulatedProcess } from './crashing.ts';
import type { SeededRandom } from './random.ts';
import type { SimulatedService } from './simulated-service.ts';
import { runOutside, type VirtualTime } from './virtual-time.ts';

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;

export interface GatewayOptions {
  readonly name: string;
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly service: SimulatedService;
  /** The ledger that all gateways share. */
  readonly ledger: Ledger;
  readonly diskFaults: () => DiskFaults;
  readonly processFaults: () => ProcessFaults;
  /** True where the writes of this gateway do not check their leases, to show that the simulation finds that. */
  readonly ignoresLeases: boolean;
  readonly onStop: () => void;
  readonly bulkSize: number;
  /** True where the token is the gateway's own, so that its jobs go on without their callers. */
  readonly lendsToken: boolean;
  readonly report: (violation: string) => void;
  /** Whether it reads which articles are hidden before it updates them. The default is true. */
  readonly keepsHidden?: boolean;
  /** What gateways share beside the ledger; null where each is on its own. */
  readonly shared?: SharedState | null;
  /** Replaces its backend by a broken one. */
  readonly breakBackend?: ((backend: Backend) => Backend) | undefined;
  readonly readLagsMs?: RestBackendOptions['readLagsMs'];
}

/** A gateway in front of the service, from its writes down to the calls, without its HTTP server. */
export class SimulatedGateway {
  readonly apiToken = 'token';
  readonly lendsToken: boolean;
  readonly backend: Backend;
  readonly #jobs: Jobs;
  readonly #options: GatewayOptions;
  readonly process: SimulatedProcess;
  /** Articles of writes in flight. */
  readonly #writing = new Set<string>();

  constructor(options: GatewayOptions) {
    const { name, bulkSize, lendsToken, keepsHidden = true } = options;
    this.#options = options;
    this.lendsToken = lendsToken;
    this.process = new SimulatedProcess({ ...options, faults: options.processFaults });
    const rest = openRestBackend({
      baseUrl: 'http://service.test',
      timeoutMs: TIMEOUT_MS,
      bulkSize,
      maxReadCalls: 60,
      keepsHidden,
      log: silentLog,
      sendHttp: (request) => this.#send(request),
      shared: options.shared ?? null,
      ...(options.readLagsMs && { readLagsMs: options.readLagsMs }),
    });
    this.backend = withPipeline(options.breakBackend?.(rest) ?? rest, {
      merging: mergeWrites({ maxItems: bulkSize, minTimeLeftMs: MIN_WRITE_MS }),
    });
    const ledger = accessLedger(options.ledger, {
      ...options,
      process: this.process,
      faults: options.diskFaults,
    });
    this.#jobs = createJobs({
      backend: this.backend,
      openLedger: async () => ledger,
      settings: {
        maxItems: 10_000,
        maxBytes: 10_000_000,
        openMs: 3_600_000,
        keepMs: 30 * DAY_MS,
        bulkSize,
        keepsHidden,
        callTimeoutMs: TIMEOUT_MS,
        readLagMs: MAX_ARTICLE_LAG_MS,
      },
      credentials: { serviceUrl: 'http://service.test', ownToken: lendsToken ? this.apiToken : null },
      log: (level, message, fields) => {
        if (level === 'error' && fields?.['error'] !== undefined) this.#reportBug(message, fields['error']);
      },
      newOwner: () => name,
    });
    this.process.run(() => this.#jobs.start());
  }

  get jobs(): ArticleUpdateJobs {
    return this.#jobs.articleUpdateJobs;
  }

  get keys(): IdempotencyKeys {
    return this.#jobs.idempotencyKeys;
  }

  /** Ends the process at once. What it has sent stays on its way. */
  kill(): void {
    this.process.isAlive = false;
  }

  /** Ends the process as a signal to stop does. */
  async stop(): Promise<void> {
    await this.process.run(() => this.#jobs.close());
    this.kill();
  }

  async #send(request: HttpRequest): Promise<RequestResult> {
    const { service, time, ignoresLeases } = this.#options;
    const startedAt = time.now;
    await this.process.connect();
    if (!ignoresLeases && request.lease?.isExpired()) return err(LEASE_EXPIRED);
    const articleIds = this.#beginWriting(request);
    const begunAt = time.now;
    const result = await runOutside(() => service.send(request, this.#options.name));
    for (const articleId of articleIds) this.#writing.delete(articleId);
    await this.process.whileAlive(null);
    service.noteRead(request, { gateway: this.#options.name, startedAt, begunAt, hasFailed: !result.ok });
    return result;
  }

  /** Two writes of one article must not be in flight at one time, since either may come first. */
  #beginWriting({ method, url, body }: HttpRequest): readonly string[] {
    if (method !== 'PUT' || body === undefined || url.endsWith('/fork')) return [];
    const articleIds = this.#options.service.articles.decodeItems(body).map(({ articleId }) => articleId);
    for (const articleId of articleIds) {
      if (this.#writing.has(articleId)) this.#options.report(`two writes of ${articleId} were in flight together`);
      this.#writing.add(articleId);
    }
    return articleIds;
  }

  #reportBug(message: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#options.report(`${message}: ${text}`);
  }
}
