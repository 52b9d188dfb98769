import { setTimeout as sleep } from 'node:timers/promises';
import { type NotAttempted, notAttemptedAfter } from '../../core/articles/article-outcomes.ts';
import type { Article } from '../../core/articles/articles.ts';
import { textKeyOf } from '../../core/articles/bulk-updates.ts';
import {
  type ArticleUpdateItem,
  type ForkTarget,
  forkKeyOf,
  isPublished,
  type PublishedRule,
  publishedNotKnown,
  ruleOf,
  SKIPPED_AS_PUBLISHED,
} from '../../core/articles/forks.ts';
import type { BackendResult } from '../../core/backend.ts';
import { MAX_ARTICLE_LAG_MS } from '../../core/base/limits.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { type Caller, timeLeft } from '../../core/callers/caller.ts';
import { type BackendError, outOfTime } from '../../core/errors.ts';
import type { ReservedCalls } from '../../core/rate-limit.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { MIN_WRITE_MS } from '../calls/token-states.ts';
import type { ChunkReads } from '../reads/chunk-reads.ts';
import { type ChunkItem, type ChunkStep, type PreparedChunk, REFUSES_CALLS } from './chunk-steps.ts';
import type { RevisionSteps } from './expected-revisions.ts';
import { type ForkResult, type Forks, stoppedFork } from './forks.ts';
import type { WriteCaller } from './write-response.ts';

interface StepOptions {
  readonly upstream: Upstream;
  readonly forks: Forks;
  readonly writer: WriteCaller;
  /** Null where no item expects a revision. */
  readonly revisions: RevisionSteps | null;
}

/** What becomes of the items of one text. */
type Plan = { readonly kind: 'send' } | { readonly kind: 'end'; readonly outcome: NotAttempted } | ForkPlan;

interface ForkPlan {
  readonly kind: 'fork';
  readonly target: ForkTarget;
  readonly userId: string;
}

const isForkOf = (plan: Plan, key: string): boolean => plan.kind === 'fork' && forkKeyOf(plan.target) === key;

const SEND: Plan = { kind: 'send' };

/**
 * The step of one request with items that must not change a published version: it forks the version, or skips the item.
 * Each text is read once, before its first item, and each version is forked once.
 */
export function createPublishedStep({ upstream, forks, writer, revisions }: StepOptions): ChunkStep {
  const plans = new Map<string, Plan>();
  const made = new Map<string, ForkResult['outcome']>();
  const planFor = ({ update, unsent }: ChunkItem): Plan =>
    (unsent === undefined && ruleOf(update) !== undefined && plans.get(textKeyOf(update))) || SEND;

  /** Forks one version, unless all of its items have ended because what they expect has changed. */
  const forkOne = async (
    chunk: PreparedChunk,
    { target, userId }: ForkPlan,
    forFork: () => Promise<Result<Caller, BackendError>>,
  ): Promise<PreparedChunk> => {
    const key = forkKeyOf(target);
    const isOfFork = (item: ChunkItem) => isForkOf(planFor(item), key);
    const stop = (laterOutcome: NotAttempted) => {
      made.set(key, stoppedFork(target, laterOutcome).outcome);
      return { ...chunk, laterOutcome };
    };
    if (chunk.laterOutcome !== null) return stop(chunk.laterOutcome);
    const caller = await forFork();
    if (!caller.ok) return stop(notAttemptedAfter(caller.error));
    const compared =
      revisions === null ? ok(chunk) : await revisions.compareInTime(chunk, chunk.items.filter(isOfFork));
    if (!compared.ok) return stop(notAttemptedAfter(compared.error));
    const { items } = compared.value;
    if (!items.some(isOfFork)) return { ...chunk, items };
    const forker = { ...writer, caller: { ...caller.value, lease: compared.value.caller.lease } };
    const { outcome, laterOutcome } = await forks.fork(forker, target, userId);
    made.set(key, outcome);
    return { ...chunk, items, laterOutcome };
  };

  return async (chunk, current) => {
    const read = await readPlans(chunk.items, plans, { current, forks });
    if (!read.ok) return read;
    const missing = forksOf(chunk.items.map(planFor), made);
    const calls = new ChunkCalls(upstream, chunk.caller);
    let forked = chunk;
    let left = missing.size;
    for (const plan of missing.values()) {
      const count = left;
      forked = await forkOne(forked, plan, () => calls.forFork(count));
      left -= 1;
    }
    const items = forked.items.map((item) => afterForks(item, planFor(item), made));
    return ok({ items, caller: calls.forUpdate(), laterOutcome: forked.laterOutcome });
  };
}

/** The forks that are not made yet, each once, by `forkKeyOf`. */
const forksOf = (plans: readonly Plan[], made: ReadonlyMap<string, unknown>): ReadonlyMap<string, ForkPlan> =>
  new Map(
    plans.flatMap((plan) => {
      const key = plan.kind === 'fork' ? forkKeyOf(plan.target) : '';
      return plan.kind === 'fork' && !made.has(key) ? [[key, plan] as const] : [];
    }),
  );

interface PlanReads {
  readonly current: () => ChunkReads;
  readonly forks: Forks;
}

/** Reads the texts that have no plan yet. Where it stays unknown whether a version is published, its items are not sent. */
async function readPlans(
  items: readonly ChunkItem[],
  plans: Map<string, Plan>,
  { current, forks }: PlanReads,
): BackendResult<void> {
  const ruled = items.flatMap(({ update: item, unsent }) => {
    const rule = unsent === undefined ? ruleOf(item) : undefined;
    return rule === undefined || plans.has(textKeyOf(item)) ? [] : [{ item, rule }];
  });
  if (ruled.length === 0) return ok(undefined);
  const targets = ruled.map(({ item: { articleId, languageCode, versionNumber } }) => ({
    articleId,
    languageCode,
    versionNumber,
  }));
  const articles = await current().ofUpdates(targets);
  if (!articles.ok && REFUSES_CALLS.has(articles.error.kind)) return articles;
  for (const [index, { item, rule }] of ruled.entries())
    plans.set(
      textKeyOf(item),
      articles.ok
        ? planOf({ item, rule, read: articles.value[index] ?? null }, forks)
        : { kind: 'end', outcome: publishedNotKnown(articles.error.message) },
    );
  return ok(undefined);
}

interface RuledItem {
  readonly item: ArticleUpdateItem;
  readonly rule: PublishedRule;
  readonly read: Article | null;
}

function planOf({ item, rule, read }: RuledItem, { drafts }: Forks): Plan {
  // The service says that an article does not exist.
  if (read === null) return SEND;
  const { articleId, versionNumber: named } = item;
  const draft = named == null ? drafts.find(read) : null;
  const isBehind = draft !== null && draft > read.versionNumber;
  const article: Article = isBehind ? { ...read, versionNumber: draft, status: 'DRAFT' } : read;
  const isPublic = isPublished(article, true);
  const mayLackDraft = isPublic === true && named == null && read.mayLackVersion === true && !isBehind;
  if (isPublic === null || mayLackDraft) return { kind: 'end', outcome: NOT_SHOWN_YET };
  if (!isPublic) return SEND;
  if (rule.kind === 'SKIP') return { kind: 'end', outcome: SKIPPED_AS_PUBLISHED };
  const { languageCode, versionNumber } = article;
  return { kind: 'fork', target: { articleId, languageCode, versionNumber }, userId: rule.userId };
}

const NOT_SHOWN_YET = publishedNotKnown(
  'the service does not show yet what the gateway has written to the article a moment ago.',
  Math.ceil(MAX_ARTICLE_LAG_MS / 1_000),
);

/** The item goes to the draft, or ends as its fork has. */
function afterForks(item: ChunkItem, plan: Plan, made: ReadonlyMap<string, ForkResult['outcome']>): ChunkItem {
  if (plan.kind === 'send') return item;
  if (plan.kind === 'end') return { ...item, unsent: plan.outcome };
  const outcome = made.get(forkKeyOf(plan.target)) ?? NOT_SHOWN_YET;
  if (outcome.kind !== 'updated') return { ...item, unsent: outcome };
  const { draftVersionNumber: versionNumber } = outcome;
  const { languageCode } = plan.target;
  return { ...item, update: { ...item.update, languageCode, versionNumber }, draftVersionNumber: versionNumber };
}

/**
 * The calls of a chunk with forks. A fork begins only where there is time for its call and for the one of the chunk, and
 * the rate limit has both: the latter is reserved before the first fork.
 */
class ChunkCalls {
  readonly #upstream: Upstream;
  readonly #caller: Caller;
  readonly #reserved: ReservedCalls[] = [];
  #left = 0;

  constructor(upstream: Upstream, caller: Caller) {
    this.#upstream = upstream;
    this.#caller = caller;
  }

  /** The caller of the next of so many forks. Waits for the rate limit while there is time. */
  async forFork(forks: number): Promise<Result<Caller, BackendError>> {
    const caller = this.#caller;
    while (this.#left === 0) {
      const reserved = await this.#reserve(forks);
      if (reserved.ok) continue;
      const { error } = reserved;
      const pauseMs = error.kind === 'rate-limited' ? 1_000 * (error.retryAfterSeconds ?? 1) : Number.POSITIVE_INFINITY;
      if (timeLeft(caller) < pauseMs + this.#neededMs) return reserved;
      await sleep(pauseMs);
    }
    if (timeLeft(caller) < this.#neededMs) return err(outOfTime(caller.requestTimeoutMs));
    this.#left -= 1;
    const part = this.#reserved.at(-1);
    // The last call of the first reservation is that of the chunk.
    const kind = this.#reserved.length === 1 ? 'read' : 'write';
    return ok(part === undefined ? caller : { ...caller, reserved: { ...part, take: () => part.take(kind) } });
  }

  async #reserve(forks: number): Promise<Result<void, BackendError>> {
    const ofUpdate = this.#reserved.length === 0 ? 1 : 0;
    const reserved = await this.#upstream.reserve(this.#caller, { least: 1 + ofUpdate, most: forks + ofUpdate });
    if (!reserved.ok) return reserved;
    this.#reserved.push(reserved.value);
    this.#left = reserved.value.calls - ofUpdate;
    return ok(undefined);
  }

  /** The time that a fork and the call of the chunk may take. */
  get #neededMs(): number {
    return 2 * (this.#upstream.tokenStateOf(this.#caller)?.minTimeLeftMs('write') ?? MIN_WRITE_MS);
  }

  /** The caller of the call of the chunk, which releases all that was not taken. */
  forUpdate(): Caller {
    const [first, ...others] = this.#reserved;
    if (first === undefined) return this.#caller;
    const release = () => {
      for (const part of [first, ...others]) part.release();
    };
    return { ...this.#caller, reserved: { ...first, release } };
  }
}
