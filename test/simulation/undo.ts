import type { ArticleUpdateJob } from '../../src/domain/articles/article-update-jobs.ts';
import type { ArticleUpdate } from '../../src/domain/articles/bulk-updates.ts';
import { emptyModelState, ModelLedger } from '../state/model-ledger.ts';
import { NO_FAULTS, pickDiskFaults, pickProcessFaults, pickServiceFaults } from './simulate.ts';
import { Client, type ClientOptions } from './world/clients.ts';
import { SeededRandom } from './world/random.ts';
import { SimulatedGateway } from './world/simulated-gateway.ts';
import { SimulatedService } from './world/simulated-service.ts';
import { VirtualTime } from './world/virtual-time.ts';

const MAX_STEPS = 300_000;

/** What the contract says may lie between a read and its write. */
const WINDOW_MS = 1_000;

/** How often the runs met what they are about. */
export interface UndoReport {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly met: {
    readonly kills: number;
    readonly edits: number;
    readonly putBack: number;
    readonly changedSince: number;
    /** Edits that a revert has overwritten within the stated second, or while its call was under way. */
    readonly inWindow: number;
  };
}

/** Submits a job that keeps what it changes, and reverts it once it is done. */
class UndoClient extends Client {
  readonly articles: readonly string[];
  outcomes: readonly { readonly articleId: string; readonly kind: string; readonly reason: string | undefined }[] = [];

  constructor(name: string, options: ClientOptions) {
    super(name, options);
    this.articles = options.articleIds.filter(() => options.random.chance(0.7));
  }

  async run(): Promise<void> {
    const { random } = this.options;
    const updates = this.articles.map(
      (articleId, index): ArticleUpdate => ({
        ...{ articleId, title: `${this.name}.${index}` },
        ...(random.chance(0.5) && { languageCode: 'en' }),
        ...(random.chance(0.3) && { content: `text of ${this.name}.${index}` }),
      }),
    );
    if (updates.length === 0) return;
    const part = {
      idempotencyKey: this.name,
      startIndex: 0,
      moreToCome: false,
      keepBefore: 'ALWAYS',
      updates,
    } as const;
    const job = await this.#untilDone((gateway, caller) => gateway.submit(caller, part));
    if (job === null || !job.isRevertible) return;
    const request = { jobId: job.jobId, idempotencyKey: `undo ${this.name}` };
    const undone = await this.#untilDone((gateway, caller) => gateway.revert(caller, request));
    if (undone === null) return;
    const page = { page: { limit: 100 }, outcomes: null };
    for (;;) {
      const results = await this.ask(({ jobs }, caller) => jobs.results(caller, undone.jobId, page));
      if (!results?.ok) continue;
      this.outcomes = results.value.edges.map(({ node: { outcome } }) => ({
        ...{ articleId: outcome.articleId, kind: outcome.kind },
        reason: outcome.kind === 'not-attempted' ? outcome.reason : undefined,
      }));
      return;
    }
  }

  async #untilDone(
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
      if (answer && !answer.ok && !PASSING.has(answer.error.kind)) {
        report(`${this.name} was refused: ${answer.error.message}`);
        return null;
      }
      await time.sleep(random.between(200, 3_000));
    }
    report(`${this.name} did not end`);
    return null;
  }
}

const PASSING: ReadonlySet<string> = new Set(['unavailable', 'rate-limited', 'unauthenticated']);

/** A job and its revert beside an editor, in front of one or two gateways that are killed, cut off and stopped. */
export async function simulateUndo(seed: number): Promise<UndoReport> {
  const random = new SeededRandom(seed);
  const time = new VirtualTime(random);
  const restore = time.install();
  try {
    return await runUndo(seed, random, time);
  } finally {
    restore();
  }
}

async function runUndo(seed: number, random: SeededRandom, time: VirtualTime): Promise<UndoReport> {
  const violations: string[] = [];
  const met = { kills: 0, edits: 0, putBack: 0, changedSince: 0, inWindow: 0 };
  const articleIds = ['a1', ...Array.from({ length: random.between(1, 7) }, (_, n) => `a${n + 2}`)] as const;
  let [diskFaults, processFaults] = [pickDiskFaults(random), pickProcessFaults(random)];
  const service = new SimulatedService({
    ...{ time, random, articleIds, callsPerMinute: random.between(40, 120), faults: pickServiceFaults(random) },
    updatesInPlace: true,
  });
  /** The last write of each article: when, and whether it was an editor's. */
  const written = new Map<string, { readonly at: number; readonly isEdit: boolean }>();
  const edited = new Set<string>();
  const { articles } = service;
  const apply = articles.apply.bind(articles);
  articles.apply = (update) => {
    const { articleId, title } = update;
    const last = written.get(articleId);
    if (isRevert(title) && last?.isEdit) {
      const sent = service.received.findLast((item) => item.articleId === articleId && item.marker === title);
      if (last.at < (sent?.begunAt ?? 0) - WINDOW_MS)
        violations.push(`the edit of ${articleId} at ${last.at} was overwritten by a call of ${sent?.begunAt}`);
      else met.inWindow += 1;
    }
    written.set(articleId, { at: time.now, isEdit: false });
    apply(update);
  };
  const edit = (articleId: string, n: number) => {
    met.edits += 1;
    edited.add(articleId);
    apply({ articleId, title: `edit.${n}` });
    written.set(articleId, { at: time.now, isEdit: true });
  };

  const gateways: (SimulatedGateway | null)[] = Array.from({ length: random.between(1, 2) }, () => null);
  const ledger = new ModelLedger(emptyModelState(), () => time.epochNow);
  const [bulkSize, lendsToken] = [random.between(1, 4), random.chance(0.5)];
  let started = 0;
  const start = (index: number) => {
    started += 1;
    gateways[index] = new SimulatedGateway({
      ...{ name: `gateway-${started}`, time, random, service, ledger, bulkSize, lendsToken, ignoresFences: false },
      diskFaults: () => diskFaults,
      processFaults: () => processFaults,
      onStop: () => {},
      report: (violation) => violations.push(violation),
    });
  };
  for (const index of gateways.keys()) start(index);
  const pickGateway = () => {
    const [first, ...others] = gateways.filter((gateway) => gateway !== null);
    return first === undefined ? null : random.pick([first, ...others]);
  };
  const report = (violation: string) => void violations.push(violation);
  const client = new UndoClient('job', { time, random, articleIds, pickGateway, report });

  const healAt = random.between(20_000, 120_000);
  for (let n = random.between(0, 30); n > 0; n -= 1)
    time.schedule(random.between(0, healAt), () => edit(random.pick(articleIds), n));
  for (let kills = random.between(0, 4); kills > 0; kills -= 1)
    time.schedule(random.between(0, healAt - 1), () => {
      const index = random.between(0, gateways.length - 1);
      const gateway = gateways[index];
      if (!gateway) return;
      met.kills += 1;
      gateway.kill();
      gateways[index] = null;
      time.schedule(random.between(50, 20_000), () => start(index));
    });
  time.schedule(healAt, () => {
    service.isHealthy = true;
    diskFaults = { failBefore: 0, failAfter: 0, slow: 0 };
    processFaults = NO_FAULTS;
  });

  let isOver = false;
  client.run().then(
    () => {
      isOver = true;
    },
    (error: unknown) => {
      violations.push(error instanceof Error ? `${error.stack}` : String(error));
      isOver = true;
    },
  );
  if (!(await time.run(() => isOver, MAX_STEPS))) violations.push('no end');
  await time.run(() => false, 2_000);

  violations.push(...checkOutcomes(client, service, { edited, met }));
  return { seed, violations, met };
}

/** Violations of "put back once, and equal to what stood before", and of "left as it is only where it was touched". */
function checkOutcomes(
  { outcomes }: UndoClient,
  { received, articles }: SimulatedService,
  { edited, met }: { readonly edited: ReadonlySet<string>; readonly met: { putBack: number; changedSince: number } },
): readonly string[] {
  return outcomes.flatMap(({ articleId, kind, reason }) => {
    const puts = received.filter((item) => item.articleId === articleId && isRevert(item.marker));
    const effective = puts.filter(({ fate }) => fate !== 'refused').length;
    const { title, content } = articles.find(articleId);
    const isTouched = edited.has(articleId);
    met.putBack += Number(kind === 'updated');
    met.changedSince += Number(reason === 'CHANGED_SINCE');
    const isAsBefore = title === 'before' && content === 'before';
    return [
      ...(effective > 1 ? [`${articleId} was put back ${effective} times`] : []),
      ...(!isTouched && kind === 'updated' && !isAsBefore ? [`${articleId} was put back, and is ${title}`] : []),
      ...(!isTouched && reason === 'CHANGED_SINCE' ? [`${articleId} was touched by nobody`] : []),
    ];
  });
}

/** Titles of the job have its name. */
const isRevert = (title: string): boolean => !title.startsWith('job.');
