import { createHash } from 'node:crypto';
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
import { idKeyOf, isSameId, storedFormOf } from '../../core/base/text.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { isSameValue } from '../../core/field-changes.ts';

/** What one item of a write has set. */
export type WrittenItem =
  | { readonly update: ArticleUpdate }
  /** Null where the article was unpublished. */
  | { readonly target: UpdateTarget; readonly publicVersionNumber: number | null };

/** The time of a write by the service's clock, in milliseconds since 1970: after the one and not after the other. */
export interface ServicePeriod {
  readonly earliest: number;
  readonly latest: number;
}

/** A header `Date`, and the times of some services, are of the second in which they were made. */
const PRECISION_MS = 1_000;

/** The period of a call: `serviceTime` is that of its answer; the others are `performance.now()`. */
export function servicePeriodOf(serviceTime: number | null, sentAt: number, answeredAt: number): ServicePeriod | null {
  if (serviceTime === null) return null;
  const earliest = serviceTime - (answeredAt - sentAt) - PRECISION_MS;
  return { earliest, latest: serviceTime + PRECISION_MS };
}

interface RecentWrite {
  readonly item: WrittenItem;
  /** False where it is not known whether the service has applied the write. */
  readonly isKnown: boolean;
  /** Null where no answer tells the service's time. */
  readonly period: ServicePeriod | null;
  /** `performance.now()` when the outcome came. */
  readonly endedAt: number;
}

interface WriteAfterOthers extends RecentWrite {
  readonly earlier: readonly RecentWrite[];
}

/** A read that found an article. `isDefaultLanguage`: false where that is not known. */
export interface ReadOfArticle {
  readonly source: 'list' | 'article';
  readonly isDefaultLanguage: boolean;
}

/** The milliseconds after a write in which each read may not show it yet: see docs/service.md, "Reads after writes". */
export type ReadLags = Readonly<Record<ReadOfArticle['source'], number>>;

export const READ_LAGS_MS: ReadLags = { list: MAX_LIST_LAG_MS, article: MAX_ARTICLE_LAG_MS };

/** The bytes of a write besides its texts: the objects, and its places in the map. */
const WRITE_BYTES = 512;

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
  readonly #articles = new LRUCache<string, readonly RecentWrite[]>({
    maxSize: RECENT_WRITES_BYTES,
    sizeCalculation: (writes, key) => 2 * key.length + writes.reduce((sum, { item }) => sum + bytesOf(item), 0),
  });

  /** `keyOf` names the token of a caller; null without one. */
  constructor(keyOf: (caller: Caller) => string | null, lagsMs: ReadLags) {
    this.#keyOf = keyOf;
    this.#lagsMs = lagsMs;
  }

  /** Notes the items of one call, once their outcomes are there. */
  note(
    caller: Caller,
    call: {
      readonly items: readonly WrittenItem[];
      readonly outcomes: readonly Pick<ArticleOutcome, 'kind'>[];
      readonly period: ServicePeriod | null;
    },
  ): void {
    const endedAt = performance.now();
    for (const [index, item] of call.items.entries()) {
      const kind = call.outcomes[index]?.kind;
      if (kind !== 'updated' && kind !== 'unknown') continue;
      const key = this.#articleKeyOf(caller, targetOf(item).articleId);
      const isRecent = (write: RecentWrite) => endedAt - write.endedAt < this.#lagsMs.list;
      const earlier = (this.#articles.peek(key) ?? []).filter(isRecent).slice(1 - MAX_WRITES_OF_ARTICLE);
      const isKnown = kind === 'updated';
      this.#articles.set(key, [...earlier, { item: withPrints(item), isKnown, period: call.period, endedAt }]);
    }
  }

  /** Tells what the read does not show of the recent writes of its article; null where it shows all. */
  findUnshown(caller: Caller, article: Article, read: ReadOfArticle): UnshownWrite | null {
    return findUnshown(this.#recentOf(caller, article, read), article, read);
  }

  /**
   * True where the read may be of the time before the last update of its text, which may have made a version: neither the time
   * of the article nor a value that is new shows that it is not.
   */
  mayLackVersion(caller: Caller, article: Article, read: ReadOfArticle): boolean {
    return mayLackVersion(this.#recentOf(caller, article, read), article, read);
  }

  #recentOf(caller: Caller, article: Article, read: ReadOfArticle): readonly RecentWrite[] {
    const now = performance.now();
    return (this.#articles.get(this.#articleKeyOf(caller, article.articleId)) ?? []).filter(
      ({ endedAt }) => now - endedAt < this.#lagsMs[read.source],
    );
  }

  #articleKeyOf(caller: Caller, articleId: string): string {
    return JSON.stringify([this.#keyOf(caller), idKeyOf(articleId)]);
  }
}

function findUnshown(writes: readonly RecentWrite[], article: Article, read: ReadOfArticle): UnshownWrite | null {
  const unshown = unshownMembers(writes, article, read);
  if (unshown.size === 0) return null;
  const publicVersionNumber = unshown.has(PUBLICATION)
    ? writtenPublicVersion(writes, article, read)
    : article.publicVersionNumber;
  return { isUpdate: unshown.size > Number(unshown.has(PUBLICATION)), publicVersionNumber };
}

/**
 * Goes back from the last write to the last known one of each member. Where later ones have an unknown outcome, only a value that
 * all of them have set is sure, since any other may be an old one.
 */
function unshownMembers(writes: readonly RecentWrite[], article: Article, read: ReadOfArticle): ReadonlySet<string> {
  const members = new Set<string>();
  const settled = new Set<string>();
  for (const [index, write] of [...writes.entries()].toReversed()) {
    const earlier = writes.slice(0, index);
    // The article was changed again after the write, so that the read shows this one and all before it.
    if (write.period !== null && isModifiedAfter(article, write.period.latest)) break;
    for (const { name, isShown } of writtenMembers({ ...write, earlier }, article, read)) {
      if (!isShown && !settled.has(name)) members.add(name);
      if (write.isKnown) settled.add(name);
    }
  }
  return members;
}

function mayLackVersion(writes: readonly RecentWrite[], article: Article, read: ReadOfArticle): boolean {
  const updates = writes.filter(({ item }) => 'update' in item && isOfSameText(item.update, article, read));
  const last = updates.at(-1);
  if (last === undefined) return false;
  if (last.period !== null && isModifiedAfter(article, last.period.latest)) return false;
  const write = { ...last, earlier: updates.slice(0, -1) };
  return !(isChangedBy(write, article) && !hasOtherTitle(write, article)) && !hasNewValue(write, article);
}

/** True where the read shows another title than the update has set: within the second, another writer's change may be before it. */
const hasOtherTitle = ({ item }: RecentWrite, { title }: Article): boolean =>
  'update' in item && item.update.title != null && !isAsWritten('title', title, item.update.title);

/** True where the read shows a text or a status of the update, and a known update before it had set another one, which the read is not before. */
const hasNewValue = ({ item, earlier }: WriteAfterOthers, article: Article): boolean =>
  'update' in item &&
  MEMBERS.some(([name, { compare, isShared }]) => {
    const at = earlier.findLastIndex((write) => 'update' in write.item && write.item.update[name] != null);
    const before = earlier[at];
    if (compare === null || isShared || before?.isKnown !== true || !('update' in before.item)) return false;
    const { seen, asked } = compare(article, item.update);
    const isNew = asked != null && !isSameValue(before.item.update[name], item.update[name]);
    return (
      isNew && isAsWritten(name, seen, asked) && isChangedBy({ ...before, earlier: earlier.slice(0, at) }, article)
    );
  });

/** The public version that the writes have left; undefined where that is not known. */
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

/** The members that a write has set in what was read of its article. */
function writtenMembers(write: WriteAfterOthers, article: Article, read: ReadOfArticle): readonly WrittenMember[] {
  const { item } = write;
  const isOfText = isOfSameText(targetOf(item), article, read);
  if ('target' in item)
    return isOfText ? [{ name: PUBLICATION, isShown: item.publicVersionNumber === article.publicVersionNumber }] : [];
  const isChangedByIt = isChangedBy(write, article);
  return MEMBERS.flatMap(([name, { compare, isShared }]) => {
    if (compare === null || item.update[name] === undefined || !(isShared || isOfText)) return [];
    const { seen, asked } = compare(article, item.update);
    if (asked === undefined || (seen === undefined && read.source === 'article')) return [];
    const isTold = seen !== undefined && isAsWritten(name, seen, asked);
    return [{ name, isShown: isTold || (isChangedByIt && (seen === undefined || read.source === 'article')) }];
  });
}

/** Another writer's change within that time passes for that of the write: see docs/service.md, "Reads after writes". */
const isChangedBy = ({ period, earlier }: WriteAfterOthers, article: Article): boolean =>
  [period?.earliest, ...earlier.map((write) => write.period?.latest)].every(
    (time) => time !== undefined && isModifiedAfter(article, time),
  );

/** `moment` is in milliseconds since 1970. */
const isModifiedAfter = ({ modifiedAt }: Article, moment: number): boolean =>
  modifiedAt !== null && modifiedAt.getTime() > moment;

/** True where a write of the target has changed the text that was read. Its language is compared without regard to case. */
function isOfSameText(
  { languageCode, versionNumber }: UpdateTarget,
  article: Article,
  { isDefaultLanguage }: ReadOfArticle,
): boolean {
  const isOfLanguage = languageCode == null ? isDefaultLanguage : isSameId(languageCode, article.languageCode);
  const isLatest = article.versionNumber === (article.latestVersionNumber ?? article.versionNumber);
  return isOfLanguage && (versionNumber == null ? isLatest : versionNumber === article.versionNumber);
}

const targetOf = (item: WrittenItem): UpdateTarget => ('target' in item ? item.target : item.update);

/** Replaces the texts by prints of them. */
function withPrints(item: WrittenItem): WrittenItem {
  if ('target' in item) return item;
  const { source: _source, ...update } = item.update;
  return {
    update: {
      ...update,
      ...(update.title != null && { title: printOf(update.title) }),
      ...(update.content != null && { content: printOf(update.content) }),
      ...(update.htmlContent != null && { htmlContent: printOf(update.htmlContent) }),
      ...(update.categoryId != null && { categoryId: printOf(idKeyOf(update.categoryId)) }),
    },
  };
}

const MAX_PRINTED_CHARACTERS = 64;

/** Equal for texts that the service may have stored as the same: their ends, line ends and Unicode form may differ. */
function printOf(text: string): string {
  const plain = storedFormOf(text);
  return plain.length > MAX_PRINTED_CHARACTERS ? createHash('sha256').update(plain).digest('base64') : plain;
}

/** `asked` is a print where it is a text or the ID of a category, which has no case. */
function isAsWritten(name: string, seen: unknown, asked: unknown): boolean {
  if (typeof asked !== 'string') return isSameValue(seen, asked);
  const text = `${seen ?? ''}`;
  return asked === printOf(name === 'categoryId' ? idKeyOf(text) : text);
}

const bytesOf = (item: WrittenItem): number =>
  Object.values('target' in item ? item.target : item.update).reduce<number>(
    (bytes, value) => bytes + (typeof value === 'string' ? 2 * value.length : 0),
    WRITE_BYTES,
  );
