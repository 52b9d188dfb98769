import { type NotAttempted, notAttemptedAfter } from '../../core/articles/article-outcomes.ts';
import type { Article } from '../../core/articles/articles.ts';
import type { UpdateTarget } from '../../core/articles/bulk-updates.ts';
import { type ArticleUpdateItem, ruleOf } from '../../core/articles/forks.ts';
import { changedSince, isPlaced, lastChangeOf, revisionOf } from '../../core/articles/revisions.ts';
import type { BackendResult } from '../../core/backend.ts';
import { joinLeases, openLease } from '../../core/base/lease.ts';
import { ok } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { type BackendError, unavailable } from '../../core/errors.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import type { ChunkReads } from '../reads/chunk-reads.ts';
import { type ChunkItem, type ChunkStep, type PreparedChunk, REFUSES_CALLS } from './chunk-steps.ts';

interface RevisionOptions {
  readonly upstream: Upstream;
  /** All items of the request. */
  readonly updates: readonly ArticleUpdateItem[];
  /** Returns a reader that has read nothing yet. */
  readonly readAnew: (caller: Caller) => ChunkReads;
}

/** The longest time between the end of the reads and the call, in milliseconds. */
const MAX_READ_AGE_MS = 1_000;

/**
 * The steps of one request with items that expect revisions: see docs/service.md, "Revisions". The first compares, before
 * the request's first write to an article, all items of that article, so that what the request writes itself does not
 * count. The last compares again what forks or slow reads have delayed, and lets the call begin only in time.
 */
export class RevisionSteps {
  readonly #options: RevisionOptions;
  /** The items that expect a revision, by `idKeyOf` of their articles. */
  readonly #expecting: ReadonlyMap<string, readonly ArticleUpdateItem[]>;
  readonly #compared = new Map<ArticleUpdateItem, NotAttempted | null>();
  readonly #writtenIds = new Set<string>();
  #readStartedAt = 0;
  #readEndedAt = 0;

  constructor(options: RevisionOptions) {
    this.#options = options;
    const expecting = options.updates.filter(({ ifRevision }) => ifRevision !== undefined);
    this.#expecting = Map.groupBy(expecting, ({ articleId }) => idKeyOf(articleId));
  }

  readonly first: ChunkStep = async (chunk, current) => {
    const { upstream, updates } = this.#options;
    const ids = new Set(chunk.items.map(({ update }) => idKeyOf(update.articleId)));
    const due = [...ids].flatMap((id) => this.#expecting.get(id) ?? []).filter((item) => !this.#compared.has(item));
    if (due.length === 0) return ok(withOutcomes(chunk, this.#compared));
    const reserved = await reserveCall(upstream, chunk, updates);
    const articles = await this.#read(current(), due);
    if (!articles.ok && REFUSES_CALLS.has(articles.error.kind)) {
      if (reserved !== chunk) reserved.caller.reserved?.release();
      return articles;
    }
    for (const [index, item] of due.entries())
      this.#compared.set(
        item,
        articles.ok ? revisionOutcome(item, articles.value[index] ?? null) : revisionUnread(articles.error),
      );
    return ok(withOutcomes(reserved, this.#compared));
  };

  readonly last: ChunkStep = async (chunk) => {
    const expecting = chunk.items.filter(({ update, unsent }) => update.ifRevision !== undefined && !unsent);
    if (expecting.length === 0) return ok(chunk);
    const isLate = performance.now() - this.#readEndedAt > MAX_READ_AGE_MS;
    const again = expecting.filter(
      ({ update, draftVersionNumber }) =>
        (isLate || draftVersionNumber !== undefined) && !this.#writtenIds.has(idKeyOf(update.articleId)),
    );
    for (const { update } of chunk.items) this.#writtenIds.add(idKeyOf(update.articleId));
    const checked = again.length === 0 ? ok(chunk) : await this.#compareAgain(chunk, again);
    if (!checked.ok) return checked;
    const { caller } = checked.value;
    const readMs = this.#readEndedAt - this.#readStartedAt;
    const lease = joinLeases([caller.lease, openLease(readMs + MAX_READ_AGE_MS)]);
    return ok({ ...checked.value, caller: { ...caller, lease } });
  };

  async #compareAgain(chunk: PreparedChunk, items: readonly ChunkItem[]): BackendResult<PreparedChunk> {
    const targets = items.map(({ update, draftVersionNumber }) =>
      draftVersionNumber === undefined ? update : { ...update, versionNumber: undefined },
    );
    const articles = await this.#read(this.#options.readAnew(chunk.caller), targets);
    if (!articles.ok && REFUSES_CALLS.has(articles.error.kind)) return articles;
    const outcomes = new Map(
      items.map((item, index) => [
        item,
        articles.ok ? outcomeAgain(item, articles.value[index] ?? null) : revisionUnread(articles.error),
      ]),
    );
    return ok({ ...chunk, items: chunk.items.map((item) => withOutcome(item, outcomes.get(item))) });
  }

  async #read(reader: ChunkReads, items: readonly ArticleUpdateItem[]): BackendResult<readonly (Article | null)[]> {
    this.#readStartedAt = performance.now();
    const articles = await reader.ofUpdates(
      items.map(({ articleId, languageCode, versionNumber, ifRevision }) => ({
        articleId,
        languageCode,
        versionNumber,
        ifRevision,
      })),
    );
    this.#readEndedAt = performance.now();
    return articles;
  }
}

/** The outcome of an item by what was read of its article; null where it may be sent. */
export function revisionOutcome(item: UpdateTarget, article: Article | null): NotAttempted | null {
  if (article === null) return null;
  if (article.unshown !== undefined) return writtenSince(item, article);
  if (!isPlaced(article) || revisionOf(article) === null) return revisionUnread(unavailable(NO_REVISION));
  return changedSince(item, article);
}

export const revisionUnread = (error: BackendError): NotAttempted => {
  const outcome = notAttemptedAfter(error);
  const reason = error.kind === 'forbidden' ? 'FORBIDDEN' : 'UNAVAILABLE';
  return { ...outcome, reason, details: `The revision was not compared, so the item was not sent. ${error.message}` };
};

/** The outcome after a fork: the draft must still be the latest version of the article. */
const outcomeAgain = ({ update, draftVersionNumber }: ChunkItem, article: Article | null): NotAttempted | null => {
  if (draftVersionNumber === undefined) return revisionOutcome(update, article);
  return article === null || article.versionNumber === draftVersionNumber
    ? null
    : otherDraft(draftVersionNumber, article);
};

const NO_REVISION = 'The service does not say when the article was changed.';

const CHANGED = { kind: 'not-attempted', reason: 'CHANGED_SINCE', retryAfterSeconds: null } as const;

const writtenSince = ({ ifRevision }: UpdateTarget, article: Article): NotAttempted => ({
  ...CHANGED,
  details: `The article no longer has the revision that was sent: ${ifRevision} was expected, and this gateway has written to the article within the last minute. The service does not show that yet; it shows version ${article.versionNumber}, and ${lastChangeOf(article)}.`,
});

const otherDraft = (expected: number, article: Article): NotAttempted => ({
  ...CHANGED,
  details: `While the published version was copied, another version was made: version ${expected}, the copy, was expected to be the latest, and version ${article.versionNumber} is there; ${lastChangeOf(article)}.`,
});

const withOutcomes = (
  chunk: PreparedChunk,
  outcomes: ReadonlyMap<ArticleUpdateItem, NotAttempted | null>,
): PreparedChunk => ({ ...chunk, items: chunk.items.map((item) => withOutcome(item, outcomes.get(item.update))) });

const withOutcome = (item: ChunkItem, unsent: NotAttempted | null | undefined): ChunkItem =>
  unsent && !item.unsent ? { ...item, unsent } : item;

/**
 * Reserves the call of the chunk before the reads, so that it need not wait after them. Where the rate limit has none to
 * reserve, the call waits for its own. With forks, their step reserves it.
 */
async function reserveCall(
  upstream: Upstream,
  chunk: PreparedChunk,
  updates: readonly ArticleUpdateItem[],
): Promise<PreparedChunk> {
  const { caller } = chunk;
  if (caller.reserved !== undefined || updates.some(ruleOf)) return chunk;
  const reserved = await upstream.reserve(caller, { least: 1, most: 1 });
  return reserved.ok ? { ...chunk, caller: { ...caller, reserved: reserved.value } } : chunk;
}
