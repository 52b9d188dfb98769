import type { NotAttempted } from '../../core/articles/article-outcomes.ts';
import type { Article } from '../../core/articles/articles.ts';
import { textKeyOf } from '../../core/articles/bulk-updates.ts';
import { type ArticleUpdateItem, ruleOf } from '../../core/articles/forks.ts';
import { draftOutcome, revisionOutcome, revisionUnread } from '../../core/articles/revisions.ts';
import type { BackendResult } from '../../core/backend.ts';
import { joinLeases, type Lease } from '../../core/base/lease.ts';
import { ok } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import type { ChunkReads } from '../reads/chunk-reads.ts';
import { type ChunkItem, type ChunkStep, type PreparedChunk, REFUSES_CALLS } from './chunk-steps.ts';
import { leaseAfterReads } from './fresh-reads.ts';

interface RevisionOptions {
  readonly upstream: Upstream;
  readonly updates: readonly ArticleUpdateItem[];
  /** Returns a reader that has read nothing yet. */
  readonly readAnew: (caller: Caller) => ChunkReads;
}

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
  /** What the last comparison has read of each text, by `textKeyOf` of its article and language. */
  readonly #shown = new Map<string, Article>();
  /** By `textKeyOf`: each lease expires when what was read of the text is too old for a call. */
  readonly #leases = new Map<string, Lease>();

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
    const articles = await this.#read(current(reserved.caller), due);
    if (!articles.ok && REFUSES_CALLS.has(articles.error.kind)) {
      if (reserved !== chunk) reserved.caller.reserved?.release();
      return articles;
    }
    for (const [index, item] of due.entries())
      this.#compared.set(
        item,
        articles.ok ? this.#outcomeOf(item, articles.value[index] ?? null) : revisionUnread(articles.error),
      );
    return ok(withOutcomes(reserved, this.#compared));
  };

  readonly last: ChunkStep = (chunk) => this.compareInTime(chunk, chunk.items);

  /** Notes the items of a call that was sent. What the request writes itself does not count. */
  noteSent(items: readonly ChunkItem[]): void {
    for (const { update, unsent } of items) if (!unsent) this.#writtenIds.add(idKeyOf(update.articleId));
  }

  /** Compares items again where what was read of them is too old, or a draft was made since. The call gets a lease. */
  async compareInTime(chunk: PreparedChunk, items: readonly ChunkItem[]): BackendResult<PreparedChunk> {
    const due = items.filter(
      ({ update, unsent }) =>
        update.ifRevision !== undefined && !unsent && !this.#writtenIds.has(idKeyOf(update.articleId)),
    );
    const leaseOf = ({ update }: ChunkItem) => this.#leases.get(textKeyOf(update));
    const isExpired = due.some((item) => item.draftVersionNumber !== undefined || leaseOf(item)?.isExpired() !== false);
    const checked = isExpired ? await this.#compareAgain(chunk, due) : ok(chunk);
    if (!checked.ok) return checked;
    const { caller } = checked.value;
    const lease = joinLeases([caller.lease, ...due.map(leaseOf)]);
    return ok({ ...checked.value, caller: { ...caller, lease } });
  }

  async #compareAgain(chunk: PreparedChunk, items: readonly ChunkItem[]): BackendResult<PreparedChunk> {
    const targets = items.map(({ update, draftVersionNumber }) =>
      draftVersionNumber === undefined ? update : { ...update, isForked: true },
    );
    const articles = await this.#read(this.#options.readAnew(chunk.caller), targets);
    if (!articles.ok && REFUSES_CALLS.has(articles.error.kind)) return articles;
    const outcomes = new Map(
      targets.map((target, index) => [
        items[index],
        articles.ok ? this.#outcomeOf(target, articles.value[index] ?? null) : revisionUnread(articles.error),
      ]),
    );
    return ok({ ...chunk, items: chunk.items.map((item) => withOutcome(item, outcomes.get(item))) });
  }

  /** Reads the version of each item, and the latest one of an item that has a draft. */
  async #read(reader: ChunkReads, items: readonly ArticleUpdateItem[]): BackendResult<readonly (Article | null)[]> {
    const articles = await reader.ofUpdates(
      items.map(({ articleId, languageCode, versionNumber, isForked, ifRevision }) => ({
        articleId,
        languageCode,
        versionNumber: isForked ? undefined : versionNumber,
        ifRevision,
      })),
    );
    const lease = leaseAfterReads(reader.ageMs);
    for (const item of items) this.#leases.set(textKeyOf(item), lease);
    return articles;
  }

  #outcomeOf(item: ArticleUpdateItem, article: Article | null): NotAttempted | null {
    if (article === null) return null;
    const { articleId, languageCode } = article;
    const key = textKeyOf({ articleId, languageCode });
    if (item.isForked) return draftOutcome(item, article, this.#shown.get(key));
    this.#shown.set(key, article);
    return revisionOutcome(item, article);
  }
}

const withOutcomes = (
  chunk: PreparedChunk,
  outcomes: ReadonlyMap<ArticleUpdateItem, NotAttempted | null>,
): PreparedChunk => ({ ...chunk, items: chunk.items.map((item) => withOutcome(item, outcomes.get(item.update))) });

const withOutcome = (item: ChunkItem, unsent: NotAttempted | null | undefined): ChunkItem =>
  unsent && !item.unsent ? { ...item, unsent } : item;

/**
 * Reserves the call of the chunk before the reads, so that it need not wait after them, and with the first of these, which
 * may be the one that shows whether a window has begun. Where the rate limit has none to reserve, each call waits for its
 * own. With forks, their step reserves the call.
 */
async function reserveCall(
  upstream: Upstream,
  chunk: PreparedChunk,
  updates: readonly ArticleUpdateItem[],
): Promise<PreparedChunk> {
  const { caller } = chunk;
  if (caller.reserved !== undefined || updates.some(ruleOf)) return chunk;
  const reserved = await upstream.reserve(caller, { least: 2, most: 2 });
  return reserved.ok ? { ...chunk, caller: { ...caller, reserved: reserved.value } } : chunk;
}
