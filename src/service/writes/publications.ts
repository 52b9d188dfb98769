import {
  type ArticleOutcome,
  type CompletedBulkUpdate,
  type NotAttempted,
  outcomesForAll,
} from '../../core/articles/article-outcomes.ts';
import { LISTED_WITH_PUBLIC_VERSION, missingArticleIssue } from '../../core/articles/article-previews.ts';
import type { Article } from '../../core/articles/articles.ts';
import { textKeyOf, type UpdateTarget } from '../../core/articles/bulk-updates.ts';
import { articleNamedIn } from '../../core/articles/named-articles.ts';
import {
  type ArticlePublications,
  failedPublicationText,
  PUBLICATION_KINDS,
  type PublicationWrite,
  versionOf,
} from '../../core/articles/publications.ts';
import { revisionOutcome, revisionUnread } from '../../core/articles/revisions.ts';
import type { BackendResult, Writes } from '../../core/backend.ts';
import { MAX_ARTICLE_LAG_MS, MAX_PUBLISHED_ITEMS } from '../../core/base/limits.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { BackendError } from '../../core/errors.ts';
import { splitIntoChunks, WRITES } from '../../core/writes/declarations.ts';
import type { WriteOperation } from '../calls/service-call.ts';
import { readArticlesOfUpdates } from '../reads/article-search.ts';
import { RequestCache, type RequestCacheOptions } from '../reads/request-cache.ts';
import type { RecentWrites } from '../recent-writes/recent-writes.ts';
import { encodePublishing, encodeUnpublishing } from '../v2/publications.ts';
import type { ArticleWritesOptions } from './bulk-updates.ts';
import { inTime, sendWhileFresh, unsentError } from './fresh-reads.ts';
import { looksWithin } from './looks.ts';
import { type ChunkResult, isContentRejection, readChunkResponse, sendChunks } from './send-chunks.ts';
import { errorBeforeWrite, runLoggedWrite, sendWrite, type WriteResponse } from './write-response.ts';

type PublicationOptions = ArticleWritesOptions &
  Pick<RequestCacheOptions, 'requestReads' | 'maxCalls' | 'ticks'> & {
    readonly recentWrites: RecentWrites;
    /** The pauses before articles are read again whose latest version is not sure, in milliseconds. */
    readonly versionPausesMs: readonly number[];
  };

/** Reads articles; `ageMs` is the time since the first answer. */
type ReadArticles = (
  targets: readonly UpdateTarget[],
  onlyLists: boolean,
) => Promise<{ readonly articles: Result<readonly (Article | null)[], BackendError>; readonly ageMs: number }>;

type NoteOutcomes = (chunk: readonly LocatedItem[], outcomes: readonly ArticleOutcome[]) => void;

/** An item that is sent, with the members that the service needs. */
interface LocatedItem extends Pick<Article, 'articleId' | 'languageCode' | 'projectVersionId'> {
  /** Its position in the request. */
  readonly index: number;
  readonly item: UpdateTarget;
  readonly versionNumber: number;
}

/** Calls the service for the articles of one project version and language at a time. */
export function createPublications({
  upstream,
  bulkSize,
  log,
  recentWrites,
  versionPausesMs,
  ...reads
}: PublicationOptions): Pick<Writes, PublicationWrite> {
  // Reads that decide on a write, or tell its outcome, pass the read cache by.
  const cacheOptions = { ...reads, upstream, readCache: null, recentWrites };
  const publicationOf =
    (write: PublicationWrite): Writes[PublicationWrite] =>
    (caller, publications) =>
      runLoggedWrite(write, { upstream, caller, log }, (writer) =>
        sendPublications(write, publications, {
          bulkSize: Math.min(bulkSize, MAX_PUBLISHED_ITEMS),
          caller,
          send: (chunk, sender) => sendWrite({ ...writer, caller: sender }, callOf(write, chunk, publications)),
          read: async (targets, onlyLists) => {
            const { projectVersions } = publications;
            const selection = { ...LISTED_WITH_PUBLIC_VERSION, onlyLists, ...(projectVersions && { projectVersions }) };
            const cache = new RequestCache(cacheOptions, caller);
            const articles = await readArticlesOfUpdates(cache, targets, selection);
            return { articles, ageMs: cache.ageMs };
          },
          // Jobs don't pause: their items are sent again later.
          looks: looksWithin(caller, caller.isBackground ? [] : versionPausesMs, CALLS_MS),
          note: (chunk, outcomes) => {
            const items = chunk.map(({ versionNumber, item: _, ...target }) => ({
              target,
              publicVersionNumber: write === 'publishArticles' ? versionNumber : null,
            }));
            recentWrites.note(caller, { items, outcomes, period: writer.lastCall.period });
          },
        }),
      );
  return { publishArticles: publicationOf('publishArticles'), unpublishArticles: publicationOf('unpublishArticles') };
}

interface PublicationCalls {
  readonly bulkSize: number;
  readonly caller: Caller;
  readonly send: (chunk: readonly LocatedItem[], sender: Caller) => Promise<WriteResponse>;
  readonly read: ReadArticles;
  /** Each step is a read. */
  readonly looks: AsyncIterable<void>;
  readonly note: NoteOutcomes;
}

/** The time that a read and a call after a pause may take at least, in milliseconds. */
const CALLS_MS = 2_000;

async function sendPublications(
  write: PublicationWrite,
  { items }: ArticlePublications,
  { bulkSize, caller, send, read, looks, note }: PublicationCalls,
): BackendResult<CompletedBulkUpdate> {
  const articles = await readUntilSure(write, items, { read, looks });
  if (!articles.ok) return err(errorBeforeWrite(articles.error, 'The articles'));
  const { located, outcomes } = locate(write, items, articles.value);
  const versionLanguages = Map.groupBy(located, ({ projectVersionId, languageCode }) =>
    JSON.stringify([projectVersionId, languageCode]),
  );
  const chunks = [...versionLanguages.values()].flatMap((versionLanguage) =>
    splitIntoChunks(versionLanguage, bulkSize),
  );
  const revisions = new ExpectedRevisions(located, read);
  const sent = await sendChunks<LocatedItem, ArticleOutcome, WriteResponse | null>({
    chunks,
    send: (chunk) =>
      sendWhileFresh<WriteResponse | null>(caller, {
        readAndSend: async () => {
          const ageMs = await revisions.compare(chunk);
          const open = revisions.openOf(chunk);
          return open.length === 0 ? null : send(open, ageMs === null ? caller : inTime(caller, ageMs));
        },
        errorOf: unsentError,
      }),
    read: async (response, chunk) => {
      const open = revisions.openOf(chunk);
      revisions.noteWritten(open);
      const result = await readResponse(write, { response, chunk: open, read, note });
      return { ...result, ...revisions.complete(chunk, result) };
    },
    skip: outcomesForAll,
  });
  if (!sent.ok) return sent;
  for (const [position, { index }] of chunks.flat().entries()) {
    const outcome = sent.value.outcomes[position];
    if (outcome !== undefined) outcomes.set(index, outcome);
  }
  return ok({ ...sent.value, outcomes: items.flatMap((_, index) => outcomes.get(index) ?? []) });
}

/** A text is an article in one language. */
const textOf = ({ articleId, languageCode }: Pick<LocatedItem, 'articleId' | 'languageCode'>): string =>
  textKeyOf({ articleId: idKeyOf(articleId), languageCode });

/**
 * Compares the items that expect a revision just before their call, and before the request's first write to their text,
 * since what the request writes itself does not count.
 */
class ExpectedRevisions {
  readonly #expecting: readonly LocatedItem[];
  readonly #read: ReadArticles;
  readonly #unsent = new Map<LocatedItem, NotAttempted>();
  readonly #writtenTexts = new Set<string>();

  constructor(items: readonly LocatedItem[], read: ReadArticles) {
    this.#expecting = items.filter(({ item }) => item.ifRevision !== undefined);
    this.#read = read;
  }

  /** Reads what the items of the texts of a chunk expect. Returns the time since the first answer; null without a read. */
  async compare(chunk: readonly LocatedItem[]): Promise<number | null> {
    const texts = new Set(chunk.map(textOf).filter((text) => !this.#writtenTexts.has(text)));
    const due = this.#expecting.filter((located) => texts.has(textOf(located)));
    if (due.length === 0) return null;
    const { articles, ageMs } = await this.#read(
      due.map(({ item }) => item),
      false,
    );
    for (const [index, located] of due.entries()) {
      const outcome = articles.ok
        ? revisionOutcome(located.item, withoutUnknownPublication(articles.value[index] ?? null))
        : revisionUnread(articles.error);
      if (outcome !== null) this.#unsent.set(located, outcome);
    }
    return ageMs;
  }

  /** The items that are to be sent. */
  openOf(chunk: readonly LocatedItem[]): readonly LocatedItem[] {
    return chunk.filter((item) => !this.#unsent.has(item));
  }

  noteWritten(sent: readonly LocatedItem[]): void {
    for (const item of sent) this.#writtenTexts.add(textOf(item));
  }

  /** The outcomes of a chunk, by those of its items that were sent. An error is one of the write where all were sent. */
  complete(chunk: readonly LocatedItem[], result: ChunkResult): Pick<ChunkResult, 'outcomes' | 'error'> {
    const ofSent = result.outcomes.values();
    const outcomes = chunk.flatMap((item): readonly ArticleOutcome[] => {
      const outcome = this.#unsent.get(item) ?? ofSent.next().value;
      return outcome === undefined ? [] : [{ ...outcome, articleId: item.articleId }];
    });
    return { outcomes, error: this.openOf(chunk).length < chunk.length ? null : result.error };
  }
}

/**
 * A publication whose outcome is unknown does not keep back another one, which is how it is repeated: whichever takes effect
 * last, no text is lost.
 */
const withoutUnknownPublication = (article: Article | null): Article | null => {
  if (article?.unshown === undefined || article.unshown.isApplied || article.unshown.isUpdate) return article;
  const { unshown: _unknown, ...read } = article;
  return read;
};

/** Reads articles again whose latest version the service may not show yet. Those that are not sure at the end stay so. */
async function readUntilSure(
  write: PublicationWrite,
  items: readonly UpdateTarget[],
  { read, looks }: Pick<PublicationCalls, 'read' | 'looks'>,
): BackendResult<readonly (Article | null)[]> {
  const found = new Map<UpdateTarget, Article | null>();
  let unsure = items;
  for await (const _ of looks) {
    const { articles } = await read(unsure.map(withoutVersion), false);
    if (!articles.ok && found.size === 0) return articles;
    if (!articles.ok) break;
    for (const [position, item] of unsure.entries()) found.set(item, articles.value[position] ?? null);
    unsure = items.filter((item) => isVersionUnsure(write, item, found.get(item) ?? null));
    if (unsure.length === 0) break;
  }
  return ok(items.map((item) => found.get(item) ?? null));
}

/** Lists have articles without a version. */
const withoutVersion = ({ articleId, languageCode }: UpdateTarget): UpdateTarget => ({ articleId, languageCode });

/**
 * Finds the version and the project version of each item. Items that do not exist, or that are in the requested state,
 * have an outcome already, unless an earlier item changes that.
 */
function locate(write: PublicationWrite, items: readonly UpdateTarget[], articles: readonly (Article | null)[]) {
  const { isDone, doneText, publication } = PUBLICATION_KINDS[write];
  const located: LocatedItem[] = [];
  const outcomes = new Map<number, ArticleOutcome>();
  const changed = new Set<string>();
  for (const [index, item] of items.entries()) {
    const { articleId } = item;
    const article = articles[index] ?? null;
    if (article === null) {
      const details = failedPublicationText(
        write,
        articleId,
        missingArticleIssue({ ...item, versionNumber: null }, index).message,
      );
      outcomes.set(index, { kind: 'failed', articleId, details });
      continue;
    }
    const { languageCode, projectVersionId, unshown } = article;
    const text = textOf(article);
    const known = publicVersionOf(article);
    const publicVersionNumber = known === undefined ? article.publicVersionNumber : known;
    const versionNumber = versionOf(write, item, { ...article, publicVersionNumber });
    if (isVersionUnsure(write, item, article)) outcomes.set(index, { ...NOT_SHOWN_YET, articleId });
    else if (versionNumber === null || (!unshown && isDone(publicVersionNumber, versionNumber) && !changed.has(text)))
      outcomes.set(index, { kind: 'updated', articleId, details: doneText, evidence: 'READ_BACK', publication });
    else {
      changed.add(text);
      located.push({ articleId, languageCode, projectVersionId, index, item, versionNumber });
    }
  }
  return { located, outcomes };
}

/** The public version; undefined where it is not known. */
const publicVersionOf = ({ unshown, publicVersionNumber }: Article): number | null | undefined =>
  unshown === undefined ? publicVersionNumber : unshown.publicVersionNumber;

/** True where the version that the item means may differ from the one that was read. */
const isVersionUnsure = (write: PublicationWrite, { versionNumber }: UpdateTarget, article: Article | null): boolean =>
  article !== null &&
  versionNumber == null &&
  (write === 'publishArticles'
    ? article.mayLackVersion === true || article.unshown?.isUpdate === true
    : publicVersionOf(article) === undefined);

const NOT_SHOWN_YET: NotAttempted = {
  kind: 'not-attempted',
  details:
    'Not sent, because the service does not show yet what the gateway has written to the article a moment ago, so that the ' +
    'version is not known.',
  reason: 'UNAVAILABLE',
  retryAfterSeconds: Math.ceil(MAX_ARTICLE_LAG_MS / 1_000),
};

function callOf(
  write: PublicationWrite,
  chunk: readonly LocatedItem[],
  publications: ArticlePublications,
): WriteOperation {
  const [{ languageCode, projectVersionId } = { languageCode: '', projectVersionId: '' }] = chunk;
  const path = ['Articles', 'bulkpublish', { id: languageCode }] as const;
  const call = { kind: 'write', staleReads: WRITES[write].staleReads, path } as const;
  return write === 'publishArticles'
    ? { ...call, method: 'POST', body: encodePublishing(chunk, publications) }
    : { ...call, method: 'DELETE', body: encodeUnpublishing(chunk, { ...publications, projectVersionId }) };
}

interface SentChunk {
  readonly response: WriteResponse | null;
  readonly chunk: readonly LocatedItem[];
  readonly read: ReadArticles;
  readonly note: NoteOutcomes;
}

/**
 * Reads the outcome of each item from the response. The content may be refused after a part was applied, so the
 * articles are read then: see docs/contract.md, "Publishing".
 */
async function readResponse(write: PublicationWrite, { response, chunk, read, note }: SentChunk): Promise<ChunkResult> {
  const { publication, isDone } = PUBLICATION_KINDS[write];
  if (response === null) return { outcomes: [], laterOutcome: null, error: null };
  const result = readChunkResponse(response, chunk);
  note(chunk, result.outcomes);
  if (!isContentRejection(response)) {
    const outcomes = result.outcomes.map((outcome) =>
      outcome.kind === 'updated' ? { ...outcome, publication } : outcome,
    );
    return { ...result, outcomes };
  }
  const { message = '', serviceErrors = [] } = result.error ?? {};
  const { articles } = await read(chunk.map(withoutVersion), true);
  const named = articleNamedIn(serviceErrors, chunk);
  const outcomes = chunk.map(({ articleId, versionNumber }, position): ArticleOutcome => {
    const article = articles.ok ? (articles.value[position] ?? null) : null;
    const publicVersion = article === null ? undefined : publicVersionOf(article);
    if (publicVersion !== undefined && isDone(publicVersion, versionNumber))
      return { kind: 'updated', articleId, details: SEEN, evidence: 'READ_BACK', publication };
    if (chunk.length === 1 || articleId === named) return { kind: 'failed', articleId, details: message };
    const details = result.outcomes[position]?.details ?? null;
    return { kind: 'unknown', articleId, details, readBack: article === null ? 'NOT_READABLE' : 'DIFFERS' };
  });
  return { outcomes, laterOutcome: null, error: null };
}

const SEEN = 'The service refused the call, but the article was read, and is as it was asked to be.';
