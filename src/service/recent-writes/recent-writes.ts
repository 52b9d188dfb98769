import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ArticleOutcome } from '../../core/articles/article-outcomes.ts';
import type { Article, UnshownWrite } from '../../core/articles/articles.ts';
import { type ArticleUpdate, MEMBERS, type UpdateTarget } from '../../core/articles/bulk-updates.ts';
import {
  MAX_ARTICLE_LAG_MS,
  MAX_LIST_LAG_MS,
  MAX_WRITES_OF_ARTICLE,
  RECENT_WRITES_BYTES,
} from '../../core/base/limits.ts';
import { isSameValue } from '../../core/base/members.ts';
import { idKeyOf, isSameId, storedFormOf } from '../../core/base/text.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { WritePeriod } from '../../core/callers/request-report.ts';
import { HiddenWrites } from './hidden-writes.ts';
import { NotedCalls } from './noted-calls.ts';

/** The public version that a publication has left; null where none is public. */
interface WrittenPublication {
  readonly target: UpdateTarget;
  readonly publicVersionNumber: number | null;
}

/** The values that one item of a write has set. */
export type WrittenItem = ArticleUpdate | WrittenPublication;

/** The precision of a header `Date`, and of the times of some services: they are cut to seconds. */
const PRECISION_MS = 1_000;

/** The period of a call. `serviceTime` is the time in its answer; the others are `performance.now()`. */
export function servicePeriodOf(serviceTime: number | null, sentAt: number, answeredAt: number): WritePeriod | null {
  if (serviceTime === null) return null;
  const earliest = serviceTime - (answeredAt - sentAt) - PRECISION_MS;
  return { earliest, latest: serviceTime + PRECISION_MS };
}

interface RecentWrite {
  readonly item: WrittenItem;
  /** False where it is not known whether the service has applied the write. */
  readonly isKnown: boolean;
  /** The period of the write; null where no answer has the service's time. */
  readonly period: WritePeriod | null;
  /** `performance.now()` when the outcome was known. */
  readonly endedAt: number;
  /** The memory that it takes, about. */
  readonly bytes: number;
}

interface WriteAfterOthers extends RecentWrite {
  readonly earlier: readonly RecentWrite[];
}

/** A read that found an article. `isDefaultLanguage` is false where that is not known. */
export interface ReadOfArticle {
  readonly source: 'list' | 'article';
  readonly isDefaultLanguage: boolean;
}

/** A read, and `performance.now()` before it. */
export interface ReadMoment extends Pick<ReadOfArticle, 'source'> {
  readonly readAt: number;
}

/** The milliseconds after a write for which each kind of read may not show it: see docs/service.md, "Reads after writes". */
export type ReadLags = Readonly<Record<ReadOfArticle['source'], number>>;

export const READ_LAGS_MS: ReadLags = { list: MAX_LIST_LAG_MS, article: MAX_ARTICLE_LAG_MS };

/** The bytes of a write besides its texts: the objects, and its entries in the maps. */
const WRITE_BYTES = 512;

/** The outcome of the items of one call that have the same one. */
interface CallOutcome extends Pick<RecentWrite, 'isKnown' | 'period' | 'endedAt'> {
  /** The key of the token. */
  readonly token: string | null;
}

/**
 * What this process has written in the last minute, by API token and article, so that a read which does not show it yet is
 * not taken for what is there now:
 *
 *     recentWrites.note(caller, { items, outcomes, period });
 *     if (recentWrites.findUnshown(caller, article, { source: 'list', isDefaultLanguage: true }) !== null) …
 *
 * Values are compared and never given out. The articles that were written longest ago make room for others.
 */
export class RecentWrites {
  readonly #keyOf: (caller: Caller) => string | null;
  readonly #lagsMs: ReadLags;
  readonly #landsMs: number;
  readonly #articles = new LRUCache<string, readonly RecentWrite[]>({ maxSize: RECENT_WRITES_BYTES });
  readonly #hidden = new HiddenWrites();
  /** The calls since the last read: while nobody reads, they need not be sorted by article. */
  readonly #unsorted = new NotedCalls<CallOutcome, WrittenItem>(() => this.#forgetSorted());

  /**
   * `keyOf` returns the key of a caller's token; null without one. `landsMs`: a write with an unknown outcome may take effect
   * so long after its call has ended.
   */
  constructor(keyOf: (caller: Caller) => string | null, lagsMs: ReadLags, landsMs: number) {
    this.#keyOf = keyOf;
    this.#lagsMs = lagsMs;
    this.#landsMs = landsMs;
  }

  /** Adds the items of one call after their outcomes are known. */
  note(
    caller: Caller,
    call: {
      readonly items: readonly WrittenItem[];
      readonly outcomes: readonly Pick<ArticleOutcome, 'kind'>[];
      readonly period: WritePeriod | null;
    },
  ): void {
    const [token, endedAt] = [this.#keyOf(caller), performance.now()];
    for (const kind of ['updated', 'unknown'] as const) {
      const items = call.items.filter((_, index) => call.outcomes[index]?.kind === kind).map(keptFormOf);
      if (items.length === 0) continue;
      const outcome = { token, isKnown: kind === 'updated', period: call.period, endedAt };
      if (this.#unsorted.tryAdd(outcome, items)) continue;
      this.#sortByArticle();
      this.#sort(outcome, items);
    }
  }

  /** Sorted writes are earlier than unsorted ones. Where a later write was forgotten, an earlier one would count as the last. */
  #forgetSorted(): void {
    this.#articles.clear();
    this.#hidden.clear();
  }

  /** Takes some microseconds for each item, for which an update without reads after it has no use. */
  #sortByArticle(): void {
    for (const { outcome, items } of this.#unsorted.takeAll()) this.#sort(outcome, items);
  }

  #sort({ token, ...outcome }: CallOutcome, items: readonly WrittenItem[]): void {
    for (const item of items) {
      if (!('target' in item)) this.#hidden.note(item, { token, ...outcome });
      const key = tokenArticleKeyOf(token, targetOf(item).articleId);
      // Reads leave out those that are too old.
      const earlier = this.#articles.peek(key)?.slice(1 - MAX_WRITES_OF_ARTICLE) ?? [];
      const writes = [...earlier, { item, ...outcome, bytes: bytesOf(item) }];
      let size = 2 * key.length;
      for (const { bytes } of writes) size += bytes;
      this.#articles.set(key, writes, { size });
    }
  }

  /** Returns the recent writes of the article that the read does not show; null where it shows all. */
  findUnshown(caller: Caller, article: Article, read: ReadOfArticle): UnshownWrite | null {
    return findUnshown(this.#recentOf(caller, article, read), article, read);
  }

  /**
   * True where the read may be older than the last update of its text, which may have made a version: neither the
   * article's time nor a new value shows that it is newer.
   */
  mayLackVersion(caller: Caller, article: Article, read: ReadOfArticle): boolean {
    return mayLackVersion(this.#recentOf(caller, article, read), article, read);
  }

  /**
   * Finds what the recent writes of `hidden` of an article, with whatever token, have left; 'unknown' where outcomes are.
   * Undefined where there were none. Another process may have run a job since, so that for a job only those count that no
   * read may show yet.
   */
  lastHiddenOf(caller: Caller): (articleId: string) => boolean | 'unknown' | undefined {
    const read = { source: caller.isBackground ? 'article' : 'list', readAt: performance.now() } as const;
    return (articleId) => {
      const { isKnown, values } = this.#hiddenIn(caller, articleId, read);
      const [hidden] = values;
      return (isKnown && values.size === 1) || hidden === undefined ? hidden : 'unknown';
    };
  }

  /**
   * True where the recent writes of `hidden` can't make a read of an article wrong: it shows all of them, or all of them have
   * set what it shows.
   */
  showsHidden(caller: Caller, { articleId, hidden }: Pick<Article, 'articleId' | 'hidden'>, read: ReadMoment): boolean {
    const { values } = this.#hiddenIn(caller, articleId, read);
    return values.size === 0 || values.isSubsetOf(new Set([hidden]));
  }

  /** The values of `hidden` that a read may lack: back to the last write whose outcome is known, where there is one. */
  #hiddenIn(caller: Caller, articleId: string, { source, readAt }: ReadMoment) {
    this.#sortByArticle();
    const since = readAt - this.#lagsMs[source];
    const recent = this.#hidden
      .of(articleId, this.#keyOf(caller))
      .filter(({ isKnown, endedAt }) => endedAt + (isKnown ? 0 : this.#landsMs) > since);
    if (recent.length === 0) return NO_HIDDEN;
    const known = recent.findLastIndex(({ isKnown }) => isKnown);
    return { isKnown: known >= 0, values: new Set(recent.slice(Math.max(0, known)).map(({ hidden }) => hidden)) };
  }

  #recentOf(caller: Caller, article: Article, read: ReadOfArticle): readonly RecentWrite[] {
    const now = performance.now();
    return this.#writesOf(caller, article.articleId).filter(({ endedAt }) => now - endedAt < this.#lagsMs[read.source]);
  }

  #writesOf(caller: Caller, articleId: string): readonly RecentWrite[] {
    this.#sortByArticle();
    return this.#articles.peek(tokenArticleKeyOf(this.#keyOf(caller), articleId)) ?? [];
  }
}

/** The result for an article whose recent writes have not set `hidden`, which is the usual case. */
const NO_HIDDEN: { readonly isKnown: boolean; readonly values: ReadonlySet<boolean> } = {
  isKnown: false,
  values: new Set(),
};

/** The key of an article for what is known of it with a token, whose key has no space. */
const tokenArticleKeyOf = (token: string | null, articleId: string): string => `${token} ${idKeyOf(articleId)}`;

function findUnshown(writes: readonly RecentWrite[], article: Article, read: ReadOfArticle): UnshownWrite | null {
  const unshown = unshownMembers(writes, article, read);
  if (unshown.size === 0) return null;
  const publicVersionNumber = unshown.has(PUBLICATION)
    ? writtenPublicVersion(writes, article, read)
    : article.publicVersionNumber;
  const isApplied = [...unshown.values()].includes(true);
  return { isApplied, isUpdate: unshown.size > Number(unshown.has(PUBLICATION)), publicVersionNumber };
}

/**
 * Goes back from the last write to the last known one of each member. Where later ones have an unknown outcome, only a
 * value that all of them have set is certain, since any other may be an old one. The values are true for what a known write
 * has set, unless the read shows what a later one with an unknown outcome has set.
 */
function unshownMembers(
  writes: readonly RecentWrite[],
  article: Article,
  read: ReadOfArticle,
): ReadonlyMap<string, boolean> {
  const members = new Map<string, boolean>();
  const settled = new Set<string>();
  const maybeReplaced = new Set<string>();
  for (const { name, isShown, isKnown } of membersFromLast(writes, article, read)) {
    const isCertain = (isKnown && !maybeReplaced.has(name)) || members.get(name) === true;
    if (!isShown && !settled.has(name)) members.set(name, isCertain);
    if (isKnown) settled.add(name);
    else if (isShown) maybeReplaced.add(name);
  }
  return members;
}

/** The members of the writes, the last write first, back to one before which the article was changed. */
function* membersFromLast(writes: readonly RecentWrite[], article: Article, read: ReadOfArticle) {
  for (const [index, write] of [...writes.entries()].toReversed()) {
    // The article was changed after this write, so the read shows this write and all before it.
    if (write.period !== null && isModifiedAfter(article, write.period.latest)) return;
    const { isKnown } = write;
    const earlier = writes.slice(0, index);
    for (const member of writtenMembers({ ...write, earlier }, article, read)) yield { ...member, isKnown };
  }
}

function mayLackVersion(writes: readonly RecentWrite[], article: Article, read: ReadOfArticle): boolean {
  const updates = writes.filter(({ item }) => !('target' in item) && isOfSameText(item, article, read));
  const last = updates.at(-1);
  if (last === undefined) return false;
  if (last.period !== null && isModifiedAfter(article, last.period.latest)) return false;
  const write = { ...last, earlier: updates.slice(0, -1) };
  return !(isChangedBy(write, article) && !hasOtherTitle(write, article)) && !hasNewValue(write, article);
}

/** True where the read shows another title than the update has set: within the second, another writer's change may be before it. */
const hasOtherTitle = ({ item }: RecentWrite, { title }: Article): boolean =>
  !('target' in item) && item.title != null && !isAsWritten('title', title, item.title);

/** True where the read shows a text or a status of the update, and a known update before it had set another one, which the read is not before. */
const hasNewValue = ({ item, earlier }: WriteAfterOthers, article: Article): boolean =>
  !('target' in item) &&
  MEMBERS.some(([name, { compare, isShared }]) => {
    const at = earlier.findLastIndex((write) => !('target' in write.item) && write.item[name] != null);
    const before = earlier[at];
    if (compare === null || isShared || before?.isKnown !== true || 'target' in before.item) return false;
    const { seen, asked } = compare(article, item);
    const isNew = asked != null && !isSamePrint(before.item[name], item[name]);
    return (
      isNew && isAsWritten(name, seen, asked) && isChangedBy({ ...before, earlier: earlier.slice(0, at) }, article)
    );
  });

function writtenPublicVersion(
  writes: readonly RecentWrite[],
  article: Article,
  read: ReadOfArticle,
): number | null | undefined {
  const publications = writes.flatMap(({ item, isKnown }) =>
    'target' in item && isOfSameText(item.target, article, read)
      ? [{ version: item.publicVersionNumber, isKnown }]
      : [],
  );
  const last = publications.slice(publications.findLastIndex(({ isKnown }) => isKnown));
  const [known, ...later] = last;
  return known?.isKnown && later.every(({ version }) => version === known.version) ? known.version : undefined;
}

const PUBLICATION = 'publicVersionNumber';

interface WrittenMember {
  readonly name: string;
  readonly isShown: boolean;
}

function writtenMembers(write: WriteAfterOthers, article: Article, read: ReadOfArticle): readonly WrittenMember[] {
  const { item } = write;
  const isOfText = isOfSameText(targetOf(item), article, read);
  if ('target' in item)
    return isOfText ? [{ name: PUBLICATION, isShown: item.publicVersionNumber === article.publicVersionNumber }] : [];
  const isChangedByIt = isChangedBy(write, article);
  return MEMBERS.flatMap(([name, { compare, isShared }]) => {
    if (compare === null || item[name] === undefined || !(isShared || isOfText)) return [];
    const { seen, asked } = compare(article, item);
    if (asked === undefined || (seen === undefined && read.source === 'article')) return [];
    const isTold = seen !== undefined && isAsWritten(name, seen, asked);
    return [{ name, isShown: isTold || (isChangedByIt && (seen === undefined || read.source === 'article')) }];
  });
}

/**
 * True where the article changed at the time of the write. A change by somebody else in that time counts as well: see
 * docs/service.md, "Reads after writes".
 */
const isChangedBy = ({ period, earlier }: WriteAfterOthers, article: Article): boolean =>
  [period?.earliest, ...earlier.map((write) => write.period?.latest)].every(
    (time) => time !== undefined && isModifiedAfter(article, time),
  );

/** `moment` is in milliseconds since 1970. */
const isModifiedAfter = ({ modifiedAt }: Article, moment: number): boolean =>
  modifiedAt !== null && modifiedAt.getTime() > moment;

/**
 * True where the write has changed the text that was read, also in a version that is newer than the latest one which the read
 * shows. Language codes are compared without regard to case.
 */
function isOfSameText(
  { languageCode, versionNumber }: UpdateTarget,
  article: Article,
  { isDefaultLanguage }: ReadOfArticle,
): boolean {
  const isOfLanguage = languageCode == null ? isDefaultLanguage : isSameId(languageCode, article.languageCode);
  const latest = article.latestVersionNumber ?? article.versionNumber;
  const isLatest = article.versionNumber === latest;
  const isOfVersion = versionNumber === article.versionNumber;
  return isOfLanguage && (versionNumber == null ? isLatest : isOfVersion || (isLatest && versionNumber > latest));
}

const targetOf = (item: WrittenItem): UpdateTarget => ('target' in item ? item.target : item);

/** Leaves out the source, which no read returns, and replaces long texts by their digests. Most items stay as they are. */
function keptFormOf(item: WrittenItem): WrittenItem {
  if ('target' in item) return item;
  const { title, content, htmlContent, categoryId, source } = item;
  if (source == null && categoryId == null && ![title, content, htmlContent].some(isLong)) return item;
  const texts = { title: keep(title), content: keep(content), htmlContent: keep(htmlContent) };
  return { ...item, ...texts, categoryId: keep(categoryId && idKeyOf(categoryId)), source: undefined };
}

/** A shorter text takes no more memory than the rest of what is known of a write. */
const MAX_KEPT_CHARACTERS = 256;

const isLong = (text: string | null | undefined): boolean => text != null && text.length > MAX_KEPT_CHARACTERS;

const keep = (text: string | null | undefined) => (text && isLong(text) ? printOf(text) : text);

/** A form that is equal for texts that may be stored as the same: their ends, line ends and Unicode form may differ. */
function printOf(text: string): string {
  const plain = storedFormOf(text);
  return plain.length > MAX_KEPT_CHARACTERS ? hash('sha256', plain, 'base64') : plain;
}

/** Compares a value of a member with what a write has set. Texts and IDs may be digests; the case of the latter is ignored. */
const isAsWritten = (name: string, seen: unknown, asked: unknown): boolean =>
  isSamePrint(name === 'categoryId' && typeof seen === 'string' ? idKeyOf(seen) : seen, asked);

const isSamePrint = (one: unknown, other: unknown): boolean =>
  typeof other === 'string' ? printOf(`${one ?? ''}`) === printOf(other) : isSameValue(one, other);

function bytesOf(item: WrittenItem): number {
  const { articleId } = targetOf(item);
  let chars = articleId.length;
  if (!('target' in item)) {
    const { title, content, htmlContent, categoryId } = item;
    for (const text of [title, content, htmlContent, categoryId]) chars += text?.length ?? 0;
  }
  return WRITE_BYTES + 2 * chars;
}
