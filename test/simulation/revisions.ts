import { LISTED_WITH_PUBLIC_VERSION } from '../../src/core/articles/article-previews.ts';
import type { ArticleUpdate } from '../../src/core/articles/bulk-updates.ts';
import { withRule } from '../../src/core/articles/forks.ts';
import { isPlaced, revisionOf } from '../../src/core/articles/revisions.ts';
import type { Backend } from '../../src/core/backend.ts';
import { storedFormOf } from '../../src/core/base/text.ts';
import { emptyModelState, ModelLedger } from '../jobs/state/model-ledger.ts';
import {
  HEALTHY_DISK,
  NO_FAULTS,
  pickDiskFaults,
  pickProcessFaults,
  pickReadLags,
  pickServiceFaults,
} from './simulate.ts';
import { Client, type ClientOptions, InteractiveClient } from './world/clients.ts';
import type { ProcessFaults } from './world/crashing.ts';
import { SeededRandom } from './world/random.ts';
import { LANGUAGES, type ReadLags } from './world/service-articles.ts';
import { textOf } from './world/service-checks.ts';
import { type GatewayOptions, SimulatedGateway } from './world/simulated-gateway.ts';
import { SimulatedService } from './world/simulated-service.ts';
import { VirtualTime } from './world/virtual-time.ts';

const MAX_STEPS = 300_000;

interface Breakage {
  readonly gateway?: Partial<Pick<GatewayOptions, 'breakBackend' | 'ignoresLeases' | 'readLagsMs'>>;
  /** What makes it show soon. */
  readonly processFaults?: ProcessFaults;
  readonly lags?: ReadLags;
}

const withRevisions =
  (revisionOf: (revision: string | undefined) => string | undefined) =>
  (backend: Backend): Backend => ({
    ...backend,
    bulkUpdateArticles: (caller, updates) =>
      backend.bulkUpdateArticles(
        caller,
        updates.map((update) => ({ ...update, ifRevision: revisionOf(update.ifRevision) })),
      ),
  });

/** Faults that the simulation must find, each by a name that says what is wrong. */
export const BREAKAGES: Readonly<Record<string, Breakage>> = {
  'items are sent whatever their revisions are': { gateway: { breakBackend: withRevisions(() => undefined) } },
  'writes begin however old their reads are': {
    gateway: { ignoresLeases: true },
    processFaults: { ...NO_FAULTS, beforeRequest: 0.3 },
  },
  'what the gateway has just written does not count': {
    gateway: { readLagsMs: { list: 0, article: 0 } },
    lags: { list: 5_000, article: 5_000 },
  },
  'revisions never fit': { gateway: { breakBackend: withRevisions((revision) => revision && 'another') } },
};

/** How often the runs met what they are about. */
export interface RevisionReport {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly met: {
    readonly kills: number;
    readonly edits: number;
    readonly updated: number;
    readonly forked: number;
    readonly changedSince: number;
    /** Changes by others that an item has overwritten in the stated window, or while its call was under way. */
    readonly inWindow: number;
  };
}

/** An item with `ifRevision`, and what was shown when its caller read the revision. */
interface RevisedItem {
  readonly update: ArticleUpdate;
  readonly shownTitle: string;
  /** When that read began. */
  readonly readAt: number;
  /** The account that its request forks with. */
  readonly userId: string;
}

/** Reads texts, thinks, and writes what still has the revision, in a request or a job, with or without forks. */
class RevisionEditor extends Client {
  readonly items: RevisedItem[] = [];

  async run(): Promise<void> {
    for (let round = this.options.random.between(1, 6); round > 0; round -= 1)
      await this.#edit(`${this.name}-${round}`);
  }

  async #edit(userId: string): Promise<void> {
    const { time, random, articleIds } = this.options;
    await time.sleep(random.between(0, 20_000));
    const targets = articleIds.flatMap((articleId) =>
      random.chance(0.4) ? [{ articleId, languageCode: random.pick(LANGUAGES) }] : [],
    );
    const readAt = time.now;
    const selection = { ...LISTED_WITH_PUBLIC_VERSION, withRevision: true };
    const articles = await this.ask(({ backend }, caller) => backend.articlesOfUpdates(caller, targets, selection));
    if (!articles?.ok) return;
    const items = targets.flatMap((target, position): RevisedItem[] => {
      const article = articles.value[position] ?? null;
      const ifRevision = article && isPlaced(article) ? revisionOf(article) : null;
      if (!article || ifRevision === null) return [];
      const update = { ...this.newItem(target.articleId, this.items.length + position), ...target, ifRevision };
      return [{ update, shownTitle: article.title ?? '', readAt, userId }];
    });
    if (items.length === 0) return;
    this.items.push(...items);
    await time.sleep(random.chance(0.5) ? 0 : random.between(0, 30_000));
    await this.#send(
      items.map(({ update }) => update),
      random.chance(0.5) ? userId : null,
    );
  }

  async #send(updates: readonly ArticleUpdate[], forkingUserId: string | null): Promise<void> {
    const { random } = this.options;
    const rule = forkingUserId === null ? undefined : ({ kind: 'FORK', userId: forkingUserId } as const);
    if (random.chance(0.5)) {
      const result = await this.ask(({ backend }, caller) =>
        backend.bulkUpdateArticles(caller, withRule(updates, rule)),
      );
      if (result?.ok) this.tell(updates, result.value.outcomes);
      return;
    }
    const idempotencyKey = updates[0]?.title ?? '';
    const part = { idempotencyKey, startIndex: 0, moreToCome: false, ifPublished: rule, updates } as const;
    const job = await this.untilDone((jobs, caller) => jobs.submit(caller, part));
    if (job === null) return;
    const results = await this.resultsOf(job.jobId);
    this.tell(
      updates,
      results.map(({ outcome }) => outcome),
    );
  }
}

/** A change of a text, or a fork of it. */
interface Change {
  readonly articleId: string;
  readonly title: string | null;
  readonly at: number;
  /** The account that forked. */
  readonly userId: string | null;
}

/** Editors with and without revisions, in front of one or two gateways, and beside an editor who uses no gateway. */
export async function simulateRevisions(seed: number, breakage: Breakage = {}): Promise<RevisionReport> {
  const random = new SeededRandom(seed);
  const time = new VirtualTime(random);
  const restore = time.install();
  try {
    return await runRevisions(seed, { random, time, breakage });
  } finally {
    restore();
  }
}

async function runRevisions(
  seed: number,
  { random, time, breakage }: { random: SeededRandom; time: VirtualTime; breakage: Breakage },
): Promise<RevisionReport> {
  const violations: string[] = [];
  const met = { kills: 0, edits: 0, updated: 0, forked: 0, changedSince: 0, inWindow: 0 };
  const articleIds = ['a1', ...Array.from({ length: random.between(0, 3) }, (_, n) => `a${n + 2}`)] as const;
  let [diskFaults, processFaults] = [pickDiskFaults(random), breakage.processFaults ?? pickProcessFaults(random)];
  const service = new SimulatedService({
    ...{ time, random, articleIds, callsPerMinute: random.between(40, 120), faults: pickServiceFaults(random) },
    ...{ updatesInPlace: true, normalizes: random.chance(0.5), tellsStatus: true },
  });
  const { articles } = service;
  articles.lags = breakage.lags ?? pickReadLags(random);
  for (const articleId of articleIds)
    for (const language of LANGUAGES) if (random.chance(0.4)) articles.publish(articleId, language, 1);
  const changes: Change[] = [];
  const note = (change: Omit<Change, 'at'>) => changes.push({ ...change, at: time.now });
  const { apply, fork } = { apply: articles.apply.bind(articles), fork: articles.fork.bind(articles) };
  articles.apply = (update) => {
    note({ articleId: update.articleId, title: update.title, userId: null });
    apply(update);
  };
  articles.fork = (articleId, body) => {
    const draft = fork(articleId, body);
    if (draft !== null) note({ articleId, title: null, userId: draft.userId });
    met.forked += Number(draft !== null);
    return draft;
  };

  const gateways: (SimulatedGateway | null)[] = Array.from({ length: random.between(1, 2) }, () => null);
  const ledger = new ModelLedger(emptyModelState(), () => time.epochNow);
  const [bulkSize, lendsToken] = [random.between(1, 6), random.chance(0.5)];
  let started = 0;
  const start = (index: number) => {
    started += 1;
    gateways[index] = new SimulatedGateway({
      ...{ name: `gateway-${started}`, time, random, service, ledger, bulkSize, lendsToken, ignoresLeases: false },
      diskFaults: () => diskFaults,
      processFaults: () => processFaults,
      onStop: () => {},
      report: (violation) => violations.push(violation),
      ...breakage.gateway,
    });
  };
  for (const index of gateways.keys()) start(index);
  const pickGateway = () => {
    const [first, ...others] = gateways.filter((gateway) => gateway !== null);
    return first === undefined ? null : random.pick([first, ...others]);
  };
  const options: ClientOptions = {
    ...{ time, random, articleIds, pickGateway },
    report: (violation) => void violations.push(violation),
  };
  const editors = Array.from({ length: random.between(1, 3) }, (_, n) => new RevisionEditor(`editor-${n}`, options));
  const others = Array.from({ length: random.between(0, 3) }, (_, n) => new InteractiveClient(`other-${n}`, options));

  const healAt = random.between(20_000, 120_000);
  const hasEdits = random.chance(0.6);
  for (let n = hasEdits ? random.between(1, 200) : 0; n > 0; n -= 1)
    time.schedule(random.between(0, healAt), () => {
      met.edits += 1;
      articles.apply({ articleId: random.pick(articleIds), languageCode: random.pick(LANGUAGES), title: `edit.${n}` });
    });
  for (let kills = random.between(0, 3); kills > 0; kills -= 1)
    time.schedule(random.between(0, healAt - 1), () => {
      const index = random.between(0, gateways.length - 1);
      if (!gateways[index]) return;
      met.kills += 1;
      gateways[index].kill();
      gateways[index] = null;
      time.schedule(random.between(50, 20_000), () => start(index));
    });
  time.schedule(healAt, () => {
    service.isHealthy = true;
    [diskFaults, processFaults] = [HEALTHY_DISK, NO_FAULTS];
  });

  let running = editors.length + others.length;
  for (const client of [...editors, ...others])
    client
      .run()
      .catch((error: unknown) => violations.push(error instanceof Error ? `${error.stack}` : String(error)))
      .finally(() => {
        running -= 1;
      });
  if (!(await time.run(() => running === 0, MAX_STEPS))) violations.push('no end');
  await time.run(() => false, 2_000);

  violations.push(...checkItems(editors, others, { service, changes, met, isAlone: gateways.length === 1 }));
  return { seed, violations, met };
}

/** The violations of all items with revisions. */
function checkItems(
  editors: readonly RevisionEditor[],
  others: readonly Client[],
  { isAlone, ...world }: Omit<World, 'told'> & { readonly isAlone: boolean },
): readonly string[] {
  const { service, changes, met } = world;
  const told = new Map([...editors, ...others].flatMap((client) => client.told.map((one) => [one.marker, one])));
  return editors.flatMap(({ items }) =>
    items.flatMap((item) => {
      const outcome = told.get(item.update.title ?? '');
      met.updated += Number(outcome?.outcome.kind === 'updated');
      const isChanged = outcome?.outcome.kind === 'not-attempted' && outcome.outcome.reason === 'CHANGED_SINCE';
      met.changedSince += Number(isChanged);
      // What one gateway has just written counts above what another has written since.
      const isSure = isAlone && service.articles.lags.list === 0;
      return [
        ...findOverwritten(item, { ...world, told }),
        ...(isChanged && isSure ? findUntrueChange(item, outcome.at, changes) : []),
      ];
    }),
  );
}

interface World {
  readonly service: SimulatedService;
  readonly changes: readonly Change[];
  readonly told: ReadonlyMap<string, Client['told'][number]>;
  readonly met: { updated: number; changedSince: number; inWindow: number };
}

/** Violations of "nobody's edit is lost": changes between what the caller was shown and its item, outside of the window. */
function findOverwritten(
  { update, shownTitle }: RevisedItem,
  { service, changes, told, met }: World,
): readonly string[] {
  const { titles } = service.articles.find(update.articleId, update.languageCode ?? undefined);
  const own = titles.indexOf(update.title ?? '');
  const put = service.received.findLast(({ marker, fate }) => marker === update.title && fate === 'applied');
  if (own === -1 || put === undefined) return [];
  const shown = titles.findLastIndex((title) => storedFormOf(title) === storedFormOf(shownTitle));
  return titles.slice(shown + 1, own).flatMap((title) => {
    const lost = changes.find((change) => change.title === title);
    const text = { articleId: update.articleId, languageCode: update.languageCode ?? 'en' };
    if (lost === undefined) return [];
    const named = `${title} of ${textOf(update)} at ${lost.at} was overwritten by ${update.title} at ${put.begunAt}`;
    const written = told.get(title);
    const isOwn =
      service.received.some((item) => item.marker === title && item.gateway === put.gateway) &&
      written?.outcome.kind === 'updated' &&
      written.at < put.begunAt;
    const isAmbiguous =
      isInSecondOf(lost, { changes, service }) && service.mayMiss(text, lost.at, { write: put, isJoint: true });
    if (isOwn && !isAmbiguous) return [`${named}, by the gateway that had written it`];
    if (lost.at < put.begunAt && !service.mayMiss(text, lost.at, { write: put, isJoint: true })) return [named];
    met.inWindow += 1;
    return [];
  });
}

/** The seconds of a header `Date` and of a time in an article, and the time that an answer is on its way. */
const SECOND_OF_WRITE_MS = 2_200;

/**
 * True where somebody else changed the article in the second of a write, which the gateway takes for the write itself: see
 * docs/service.md, "Reads after writes".
 */
function isInSecondOf(
  { articleId, title, at }: Change,
  { changes, service }: Pick<World, 'changes' | 'service'>,
): boolean {
  const begunAt = service.received.find(({ marker }) => marker === title)?.begunAt ?? at;
  return changes.some(
    (change) =>
      change.articleId === articleId &&
      change.title !== title &&
      change.at >= begunAt - SECOND_OF_WRITE_MS &&
      change.at <= at,
  );
}

/** Violations of "no untrue CHANGED_SINCE": nobody has changed the article since its caller began to read it. */
function findUntrueChange(
  { update, readAt, userId }: RevisedItem,
  toldAt: number,
  changes: readonly Change[],
): readonly string[] {
  const isChanged = changes.some(
    (change) =>
      change.articleId === update.articleId &&
      change.at >= readAt &&
      change.at <= toldAt &&
      change.userId !== userId &&
      change.title !== update.title,
  );
  return isChanged ? [] : [`${update.title} is told CHANGED_SINCE, and nobody has changed ${textOf(update)}`];
}
