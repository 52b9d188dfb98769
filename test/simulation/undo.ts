import type { ArticleUpdate } from '../../src/core/articles/bulk-updates.ts';
import { MAX_KEPT_TEXTS } from '../../src/core/base/limits.ts';
import type { SharedState } from '../../src/core/shared-state.ts';
import { emptyModelState, ModelLedger } from '../jobs/state/model-ledger.ts';
import { createSharedWorld } from '../support/memory-shared-state.ts';
import {
  HEALTHY_DISK,
  NO_FAULTS,
  pickDiskFaults,
  pickProcessFaults,
  pickReadLags,
  pickServiceFaults,
} from './simulate.ts';
import { pickBusyToken, runOthers } from './world/busy-token.ts';
import { Client, type ClientOptions } from './world/clients.ts';
import { SeededRandom } from './world/random.ts';
import { LANGUAGES, type ReceivedUpdate, type ServiceArticles } from './world/service-articles.ts';
import { textOf } from './world/service-checks.ts';
import { SimulatedGateway } from './world/simulated-gateway.ts';
import { type ReceivedItem, SimulatedService } from './world/simulated-service.ts';
import { VirtualTime } from './world/virtual-time.ts';

const MAX_STEPS = 300_000;

/** The calls that a job leaves to others. */
const RESERVED_CALLS = 2;

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

interface UndoneText {
  readonly articleId: string;
  readonly languageCode: string;
  readonly kind: string;
  readonly reason: string | undefined;
}

/** Submits a job that keeps what it changes, and reverts it once it is done. */
class UndoClient extends Client {
  readonly articles: readonly string[];
  readonly updates: ArticleUpdate[] = [];
  outcomes: readonly UndoneText[] = [];

  readonly #setsTexts: boolean;

  constructor(name: string, options: ClientOptions, setsTexts: boolean) {
    super(name, options);
    this.#setsTexts = setsTexts;
    this.articles = options.articleIds.filter(() => options.random.chance(0.7));
  }

  async run(): Promise<void> {
    const { random } = this.options;
    const several = this.articles.flatMap((articleId) =>
      Array.from({ length: this.#setsTexts ? 1 : random.between(1, 4) }, () => articleId),
    );
    const { updates } = this;
    // The items of an article need not follow one another.
    while (several.length > 0) {
      const [articleId = ''] = several.splice(random.between(0, several.length - 1), 1);
      updates.push(this.newItem(articleId, updates.length, this.#setsTexts));
    }
    if (updates.length === 0) return;
    const part = {
      idempotencyKey: this.name,
      startIndex: 0,
      moreToCome: false,
      keepBefore: 'ALWAYS',
      updates,
    } as const;
    const job = await this.untilDone((gateway, caller) => gateway.submit(caller, part));
    if (job === null || !job.isRevertible) return;
    const request = { jobId: job.jobId, idempotencyKey: `undo ${this.name}` };
    const undone = await this.untilDone((gateway, caller) => gateway.revert(caller, request));
    if (undone === null) return;
    this.outcomes = (await this.resultsOf(undone.jobId)).map(({ outcome, target }) => ({
      ...{ articleId: outcome.articleId, languageCode: target.languageCode ?? 'en', kind: outcome.kind },
      reason: outcome.kind === 'not-attempted' ? outcome.reason : undefined,
    }));
  }
}

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
  const busy = pickBusyToken(random);
  // Nothing but the rate limit and slow reads disturbs a calm run, so that its calls can be counted.
  const isCalm = busy !== null && random.chance(0.4);
  if (isCalm) [diskFaults, processFaults] = [HEALTHY_DISK, NO_FAULTS];
  const leastMs = random.between(5, 1_800);
  const service = new SimulatedService({
    ...{ time, random, articleIds, callsPerMinute: random.between(40, 120), faults: pickServiceFaults(random) },
    ...{ updatesInPlace: true, normalizes: random.chance(0.5) },
    ...busy?.service,
    ...(isCalm && { latencyMs: [leastMs, leastMs + 300] }),
  });
  service.isHealthy = isCalm;
  /** The last write of each text, and of each position, which all languages share: when, and whether it was an editor's. */
  const written = new Map<string, { readonly at: number; readonly isEdit: boolean }>();
  /** The texts that an editor has changed, and the articles whose position. */
  const edited = new Set<string>();
  const { articles } = service;
  articles.lags = pickReadLags(random);
  const apply = articles.apply.bind(articles);
  articles.apply = (update) => {
    const { title } = update;
    for (const key of changedKeysOf(update, articles)) {
      const last = written.get(key);
      if (isRevert(title) && last?.isEdit) {
        const isSent = (item: ReceivedItem) => textOf(item) === textOf(update) && item.marker === title;
        const sent = service.received.findLast(isSent);
        if (
          sent &&
          last.at < sent.begunAt &&
          !service.mayMiss(textNamedBy(key), last.at, { write: sent, isJoint: false })
        )
          violations.push(`the edit of ${key} at ${last.at} was overwritten by a call of ${sent.begunAt}`);
        else met.inWindow += 1;
      }
      written.set(key, { at: time.now, isEdit: false });
    }
    apply(update);
  };
  const edit = (articleId: string, n: number) => {
    met.edits += 1;
    const languageCode = random.pick(LANGUAGES);
    const order = random.chance(0.3) ? 100 + n : undefined;
    const title = order === undefined ? `edit.${n}` : articles.find(articleId, languageCode).title;
    const key = order === undefined ? textOf({ articleId, languageCode }) : articleId;
    edited.add(key);
    apply({ articleId, languageCode, title, order });
    written.set(key, { at: time.now, isEdit: true });
  };

  const gateways: (SimulatedGateway | null)[] = Array.from({ length: random.between(1, 2) }, () => null);
  const ledger = new ModelLedger(emptyModelState(), () => time.epochNow);
  const [bulkSize, lendsToken] = [random.between(1, isCalm ? 12 : 4), random.chance(0.5)];
  const shareState = stateSharing(isCalm);
  let started = 0;
  const start = (index: number) => {
    started += 1;
    gateways[index] = new SimulatedGateway({
      ...{ name: `gateway-${started}`, time, random, service, ledger, bulkSize, lendsToken, ignoresLeases: false },
      diskFaults: () => diskFaults,
      processFaults: () => processFaults,
      onStop: () => {},
      shared: shareState(),
      report: (violation) => violations.push(violation),
    });
  };
  for (const index of gateways.keys()) start(index);
  const pickGateway = () => {
    const [first, ...others] = gateways.filter((gateway) => gateway !== null);
    return first === undefined ? null : random.pick([first, ...others]);
  };
  const report = (violation: string) => void violations.push(violation);
  const client = new UndoClient('job', { time, random, articleIds, pickGateway, report }, isCalm);

  const healAt = random.between(20_000, 120_000);
  for (let n = random.between(0, 30); n > 0; n -= 1)
    time.schedule(random.between(0, healAt), () => edit(random.pick(articleIds), n));
  if (busy) runOthers(busy, { service, time }, healAt);
  for (let kills = isCalm ? 0 : random.between(0, 4); kills > 0; kills -= 1)
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
    [diskFaults, processFaults] = [HEALTHY_DISK, NO_FAULTS];
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

  if (isCalm && busy.others === null) {
    const { callsPerMinute } = busy.service;
    const { calls, texts } = { calls: service.calls, texts: client.articles.length };
    // A read that does not show what the job has written is made again, and its text may then need a call of its own.
    const repeated = articles.lacked.filter((titles) => titles.some((title) => !isRevert(title))).length;
    // Each gateway asks once whether the service accepts the token.
    const most = 2 * (mostCallsOf(texts, { callsPerMinute, bulkSize }) + repeated) + gateways.length;
    if (calls > most) violations.push(`a job of ${texts} texts and its revert took ${calls} calls, of ${most}`);
  }
  violations.push(...checkOutcomes(client, service, { edited, met }));
  return { seed, violations, met };
}

/** Gateways that share the ledger share the rate limit as well. Where clocks are set wrong, the model of that has none to use. */
function stateSharing(areClocksRight: boolean): () => SharedState | null {
  const world = createSharedWorld();
  return () => (areClocksRight ? world.gateway() : null);
}

/** The text that an update changes, and the article whose position. What is put back may be what an editor has set. */
function changedKeysOf(update: ReceivedUpdate, articles: ServiceArticles): readonly string[] {
  const { articleId, languageCode, title, order } = update;
  const movesArticle = order !== undefined && order !== articles.find(articleId).order;
  const leavesText = isRevert(title) && isTextOf(update, articles.find(articleId, languageCode));
  return [...(leavesText ? [] : [textOf(update)]), ...(movesArticle ? [articleId] : [])];
}

/** The text or the article of a changed key. */
function textNamedBy(key: string): { articleId: string; languageCode?: string } {
  const [articleId = '', languageCode] = key.split(' ');
  return { articleId, ...(languageCode !== undefined && { languageCode }) };
}

/** True where an update leaves a text as it is. */
const isTextOf = (update: ReceivedUpdate, { title, content }: Record<'title' | 'content', string>): boolean =>
  update.title === title && (update.content ?? content) === content;

/**
 * The most calls of a job: a read for each text, the calls of the texts that a window has room for, two more, and to note what
 * they have left at most a read for each text.
 */
function mostCallsOf(
  texts: number,
  { callsPerMinute, bulkSize }: { callsPerMinute: number; bulkSize: number },
): number {
  const perCall = Math.max(1, Math.min(MAX_KEPT_TEXTS, bulkSize, callsPerMinute - RESERVED_CALLS - 1));
  return 2 * texts + Math.ceil(texts / perCall) + 2;
}

/** Violations of "put back once, and equal to what stood before", and of "left as it is only where it was touched". */
function checkOutcomes(
  { outcomes, updates }: UndoClient,
  { received, articles }: SimulatedService,
  { edited, met }: { readonly edited: ReadonlySet<string>; readonly met: { putBack: number; changedSince: number } },
): readonly string[] {
  return outcomes.flatMap((outcome) => {
    const { articleId, languageCode, kind, reason } = outcome;
    const text = textOf(outcome);
    const puts = received.filter((item) => textOf(item) === text && isRevert(item.marker));
    const effective = puts.filter(({ fate }) => fate !== 'refused').length;
    const { title, content, hidden, order } = articles.find(articleId, languageCode);
    const own = updates.filter(
      (update) => update.articleId === articleId && (update.languageCode ?? 'en') === languageCode,
    );
    const sets = (name: 'hidden' | 'order', items = own) => items.some((update) => update[name] !== undefined);
    const isTouched = edited.has(text) || (edited.has(articleId) && sets('order'));
    // Items that did not arrive, and those that failed, have set nothing.
    const arrived = own.filter(({ title }) =>
      received.some(({ marker, fate }) => marker === title && (fate === 'applied' || fate === 'pending')),
    );
    met.putBack += Number(kind === 'updated');
    met.changedSince += Number(reason === 'CHANGED_SINCE');
    const isTextAsBefore = title === 'before' && content === 'before';
    const isAsBefore =
      isTextAsBefore && !(sets('hidden', arrived) && hidden) && !(sets('order', arrived) && order !== 1);
    return [
      ...(effective > 1 ? [`${text} was put back ${effective} times`] : []),
      ...(!isTouched && kind === 'updated' && !isAsBefore ? [`${text} was put back: ${title} ${hidden} ${order}`] : []),
      ...(!isTouched && reason === 'CHANGED_SINCE' ? [`${text} was touched by nobody`] : []),
    ];
  });
}

/** Titles of the job have its name. */
const isRevert = (title: string): boolean => !title.startsWith('job.');
