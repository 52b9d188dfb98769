import { isDeepStrictEqual } from 'node:util';
import type { ArticleOutcome, CompletedBulkUpdate } from '../../../src/core/articles/article-outcomes.ts';
import type { ArticleUpdateJob, JobItemOutcome } from '../../../src/core/articles/article-update-jobs.ts';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import { ok } from '../../../src/core/base/result.ts';
import type { Caller } from '../../../src/core/callers/caller.ts';
import { createRequestFacts } from '../../../src/core/callers/request-facts.ts';
import { bulkUpdateAnswer } from '../../../src/core/writes/codec.ts';
import type { SeededRandom } from './random.ts';
import { LANGUAGES } from './service-articles.ts';
import type { ToldOutcome } from './service-checks.ts';
import type { SimulatedGateway } from './simulated-gateway.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Errors that the same request may not meet again. */
export const PASSING_ERRORS: ReadonlySet<string> = new Set(['unavailable', 'rate-limited', 'unauthenticated']);

/** Longer than any request takes. */
const PATIENCE_MS = 60_000;

export interface ClientOptions {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly articleIds: readonly [string, ...string[]];
  /** One of the living gateways; null while there is none. */
  readonly pickGateway: () => SimulatedGateway | null;
  readonly report: (violation: string) => void;
  /** The time in which any job ends. */
  readonly jobPatienceMs?: number;
}

/** A caller of one kind: it names its items, and remembers what it was told of them. */
export abstract class Client {
  readonly options: ClientOptions;
  readonly name: string;
  readonly told: ToldOutcome[] = [];

  constructor(name: string, options: ClientOptions) {
    this.name = name;
    this.options = options;
  }

  abstract run(): Promise<void>;

  /** New items for random articles, of which some come several times. The title of each is its marker. */
  newItems(count: number): readonly ArticleUpdate[] {
    const { random, articleIds } = this.options;
    return Array.from({ length: count }, (_, index) => this.newItem(random.pick(articleIds), index));
  }

  /** An update of some text of an article, which a service that normalizes texts may store in another form. */
  newItem(articleId: string, index: number, setsText = false): ArticleUpdate {
    const { random } = this.options;
    const end = random.chance(0.3) ? ' e\u0301\r\nend ' : '';
    return {
      ...{ articleId, title: `${this.name}.${index}${end}` },
      ...(random.chance(0.7) && { languageCode: random.pick(LANGUAGES) }),
      ...((setsText || random.chance(0.3)) && { content: `text of ${this.name}.${index}${end}` }),
      ...(random.chance(0.3) && { hidden: random.chance(0.5) }),
      ...(random.chance(0.3) && { order: random.between(1, 3) }),
    };
  }

  tell(items: readonly ArticleUpdate[], outcomes: readonly ArticleOutcome[], at = this.options.time.now): void {
    for (const [index, outcome] of outcomes.entries()) {
      this.told.push({ marker: items[index]?.title ?? '', outcome, at });
    }
  }

  /** The answer of a living gateway; null when it ended meanwhile, or none lives. */
  async ask<T>(request: (gateway: SimulatedGateway, caller: Caller) => Promise<T>): Promise<T | null> {
    const { time, random } = this.options;
    await time.sleep(random.between(1, 400));
    const gateway = this.options.pickGateway();
    if (gateway === null) return null;
    const timeout = time.sleep(PATIENCE_MS).then(() => null);
    const answer = gateway.process.run(() => request(gateway, this.#caller(gateway)));
    return Promise.race([answer, timeout]);
  }

  /** Submits a job until it is done; null where it is refused or does not end. */
  async untilDone(
    submit: (
      jobs: SimulatedGateway['jobs'],
      caller: Parameters<SimulatedGateway['jobs']['submit']>[0],
    ) => ReturnType<SimulatedGateway['jobs']['submit']>,
  ): Promise<ArticleUpdateJob | null> {
    const { time, random, report } = this.options;
    for (let poll = 1; poll <= 5_000; poll += 1) {
      // The same request again has no effect, and tells how the job is.
      const answer = await this.ask(({ jobs }, caller) => submit(jobs, caller));
      const job = answer?.ok ? answer.value.job : null;
      if (job !== null && job.endedAt !== null) return job;
      if (job?.state === 'PAUSED') await this.ask(({ jobs }, caller) => jobs.resume(caller, job.jobId));
      if (answer && !answer.ok && !PASSING_ERRORS.has(answer.error.kind)) {
        report(`${this.name} was refused: ${answer.error.message}`);
        return null;
      }
      await time.sleep(random.between(200, 3_000));
    }
    report(`${this.name} did not end`);
    return null;
  }

  /** The outcomes of a job of at most a hundred items. */
  async resultsOf(jobId: string): Promise<readonly JobItemOutcome[]> {
    for (;;) {
      const page = { page: { limit: 100 }, outcomes: null };
      const results = await this.ask(({ jobs }, caller) => jobs.results(caller, jobId, page));
      if (results?.ok) return results.value.edges.map(({ node }) => node);
    }
  }

  #caller({ apiToken, lendsToken }: SimulatedGateway): Caller {
    const request = createRequestFacts();
    return {
      apiToken,
      ...(lendsToken && { sentToken: 'of the gateway' }),
      address: '127.0.0.1',
      request,
      deadline: performance.now() + 30_000,
      requestTimeoutMs: 30_000,
    };
  }
}

/** Sends small updates, each once. */
export class InteractiveClient extends Client {
  async run(): Promise<void> {
    const { time, random } = this.options;
    const items = this.newItems(random.between(1, 6));
    for (let index = 0; index < items.length; ) {
      await time.sleep(random.between(0, 15_000));
      const updates = items.slice(index, index + random.between(1, 3));
      index += updates.length;
      const result = await this.ask((gateway, caller) => gateway.backend.bulkUpdateArticles(caller, updates));
      if (result?.ok) this.tell(updates, result.value.outcomes);
    }
  }
}

/** Sends one update with a key, again and again until it is answered, and then once more. */
export class KeyedClient extends Client {
  async run(): Promise<void> {
    const updates = this.newItems(this.options.random.between(1, 4));
    const first = await this.#sendUntilAnswered(updates);
    const toldAt = this.options.time.now;
    const second = await this.#sendUntilAnswered(updates);
    if (first === null || second === null) return;
    this.tell(updates, first.outcomes, toldAt);
    if (!isDeepStrictEqual(first.outcomes, second.outcomes)) {
      this.options.report(`${this.name} was answered differently with one key`);
    }
  }

  async #sendUntilAnswered(updates: readonly ArticleUpdate[]): Promise<CompletedBulkUpdate | null> {
    for (let attempt = 1; attempt <= 200; attempt += 1) {
      const result = await this.ask(({ keys, backend }, caller) =>
        keys.run(caller, {
          operation: 'bulkUpdateArticles',
          idempotencyKey: this.name,
          input: updates,
          send: (leased) => backend.bulkUpdateArticles(leased, updates),
          answer: bulkUpdateAnswer,
          outcomeUnknown: () => ok({ ...NO_NOTICES, outcomes: updates.map(unknownOutcome) }),
        }),
      );
      if (result?.ok) return result.value.value;
      await this.options.time.sleep(this.options.random.between(100, 5_000));
    }
    this.options.report(`${this.name} was never answered`);
    return null;
  }
}

const NO_NOTICES = { serviceErrors: [], warnings: [], information: [], extensionData: null } as const;

const unknownOutcome = ({ articleId }: ArticleUpdate) => ({ kind: 'unknown', articleId, details: null }) as const;
