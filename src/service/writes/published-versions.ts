import { setTimeout as sleep } from 'node:timers/promises';
import { type ArticleOutcome, type NotAttempted, notAttemptedAfter } from '../../core/articles/article-outcomes.ts';
import { LISTED_WITH_PUBLIC_VERSION } from '../../core/articles/article-previews.ts';
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
import { readArticlesOfUpdates } from '../reads/article-search.ts';
import { RequestCache, type RequestCacheOptions } from '../reads/request-cache.ts';
import type { ChunkStep, PreparedItem } from './chunk-steps.ts';
import { type Forks, stoppedFork } from './forks.ts';
import { errorBeforeWrite, type WriteCaller } from './write-response.ts';

interface StepOptions extends Omit<RequestCacheOptions, 'readCache' | 'upstream'> {
  readonly upstream: Upstream;
  readonly forks: Forks;
}

/** What becomes of the items of one text. */
type Plan =
  | { readonly kind: 'send' }
  | { readonly kind: 'end'; readonly outcome: NotAttempted }
  | { readonly kind: 'fork'; readonly target: ForkTarget; readonly userId: string };

type Plans = ReadonlyMap<string, Plan>;

const SEND: Plan = { kind: 'send' };

/**
 * The step of a request with items that must not change a published version: it forks the version, or skips the item. All
 * articles are read once, past the read cache. Null where no item has a rule.
 */
export async function createPublishedStep(
  options: StepOptions,
  writer: WriteCaller,
  items: readonly ArticleUpdateItem[],
): BackendResult<ChunkStep | null> {
  const ruled = items.flatMap((item) => {
    const rule = ruleOf(item);
    return rule === undefined ? [] : [{ item, rule }];
  });
  if (ruled.length === 0) return ok(null);
  const targets = ruled.map(({ item: { articleId, languageCode, versionNumber } }) => ({
    articleId,
    languageCode,
    versionNumber,
  }));
  const cache = new RequestCache({ ...options, readCache: null }, writer.caller);
  const articles = await readArticlesOfUpdates(cache, targets, LISTED_WITH_PUBLIC_VERSION);
  if (!articles.ok && (ruled.length === items.length || IS_OF_REQUEST.has(articles.error.kind)))
    return err(errorBeforeWrite(articles.error, 'The articles'));
  const plans = ruled.map(({ item, rule }, index): [string, Plan] => [
    textKeyOf(item),
    articles.ok
      ? planOf({ item, rule, read: articles.value[index] ?? null }, options.forks)
      : { kind: 'end', outcome: publishedNotKnown(articles.error.message) },
  ]);
  return ok(createStep(options, writer, new Map(plans)));
}

/** The kinds of errors that all items of the request have. */
const IS_OF_REQUEST: ReadonlySet<BackendError['kind']> = new Set(['too-costly', 'unauthenticated', 'rate-limited']);

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

/** Each version is forked once in a request, before the first chunk that changes it. */
function createStep({ upstream, forks }: StepOptions, writer: WriteCaller, plans: Plans): ChunkStep {
  const made = new Map<string, ArticleOutcome>();
  let later: NotAttempted | null = null;
  const planFor = ({ update, ended }: PreparedItem): Plan =>
    (ended === undefined && ruleOf(update) !== undefined && plans.get(textKeyOf(update))) || SEND;

  return async (chunk) => {
    const missing = new Map(
      chunk.items.map(planFor).flatMap((plan) => {
        const key = plan.kind === 'fork' ? forkKeyOf(plan.target) : '';
        return plan.kind === 'fork' && !made.has(key) ? [[key, plan] as const] : [];
      }),
    );
    const calls = new ChunkCalls(upstream, chunk.caller);
    let left = missing.size;
    for (const [key, { target, userId }] of missing) {
      const caller: Result<Caller, BackendError> = later === null ? await calls.forFork(left) : ok(chunk.caller);
      if (!caller.ok) later = notAttemptedAfter(caller.error);
      const { outcome, laterOutcome } =
        later === null && caller.ok
          ? await forks.fork({ ...writer, caller: caller.value }, target, userId)
          : stoppedFork(target, later ?? NOT_SHOWN_YET);
      made.set(key, outcome);
      later = laterOutcome;
      left -= 1;
    }
    const items = chunk.items.map((item) => afterForks(item, planFor(item), made));
    return { items, caller: calls.forUpdate(), laterOutcome: later ?? chunk.laterOutcome };
  };
}

/** The item goes to the draft, or ends as its fork has. */
function afterForks(item: PreparedItem, plan: Plan, made: ReadonlyMap<string, ArticleOutcome>): PreparedItem {
  if (plan.kind === 'send') return item;
  const { update } = item;
  const { articleId } = update;
  if (plan.kind === 'end') return { update, ended: { ...plan.outcome, articleId } };
  const outcome = made.get(forkKeyOf(plan.target));
  if (outcome?.draftVersionNumber === undefined) return { update, ended: { ...NOT_SHOWN_YET, ...outcome, articleId } };
  const { draftVersionNumber: versionNumber } = outcome;
  const { languageCode } = plan.target;
  return { update: { ...update, languageCode, versionNumber }, draftVersionNumber: versionNumber };
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
