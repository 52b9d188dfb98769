import { digestOf } from '../base/digest.ts';
import { MAX_ARTICLE_LAG_MS } from '../base/limits.ts';
import { isSameValue } from '../base/members.ts';
import { idKeyOf } from '../base/text.ts';
import type { WritePeriod } from '../callers/request-report.ts';
import { type BackendError, unavailable } from '../errors.ts';
import { type NotAttempted, notAttemptedAfter } from './article-outcomes.ts';
import type { Article } from './articles.ts';
import type { UpdateTarget } from './bulk-updates.ts';

export type PlacedArticle = Article & { readonly categoryId: string | null };

/** True where the category of an article was read; entries of some lists lack it. */
export const isPlaced = (article: Article): article is PlacedArticle => article.categoryId !== undefined;

/**
 * The revision of an article in one language: an opaque text that is another one as soon as anything of it changes except
 * its position, which moves with those of its siblings. Null where the read shows no time, since then a change of the
 * text would not show.
 */
export function revisionOf(article: PlacedArticle): string | null {
  const { articleId, languageCode, versionNumber, publicVersionNumber, modifiedAt } = article;
  const { title, hidden, categoryId, status, translationStatus } = article;
  if (modifiedAt === null) return null;
  return digestOf([
    idKeyOf(articleId),
    idKeyOf(languageCode),
    versionNumber,
    publicVersionNumber,
    modifiedAt.toISOString(),
    title,
    hidden,
    categoryId === null ? null : idKeyOf(categoryId),
    status,
    translationStatus,
  ]);
}

/**
 * The outcome of an item whose article has another revision than the item expects. Null where it has that one, where none
 * is expected, and where there is no article, for which the write itself has an outcome.
 */
export function changedSince({ ifRevision }: UpdateTarget, article: PlacedArticle | null): NotAttempted | null {
  if (ifRevision === undefined || article === null || revisionOf(article) === ifRevision) return null;
  const found = `version ${article.versionNumber} with the revision ${revisionOf(article) ?? 'null'}`;
  const details = `The article no longer has the revision that was sent: ${ifRevision} was expected, and ${found} is there; ${lastChangeOf(article)}.`;
  return { kind: 'not-attempted', details, reason: 'CHANGED_SINCE', retryAfterSeconds: null };
}

export const isLatest = ({
  versionNumber,
  latestVersionNumber,
}: Pick<Article, 'versionNumber' | 'latestVersionNumber'>): boolean =>
  versionNumber === (latestVersionNumber ?? versionNumber);

/** When an article was last changed, as a clause. */
export const lastChangeOf = ({ modifiedAt }: Pick<Article, 'modifiedAt'>): string =>
  modifiedAt === null ? 'when it was last changed is not known' : `it was last changed at ${modifiedAt.toISOString()}`;

/**
 * The state of one text (an article in one language): all that its revision is made of, without the members that all texts
 * of an article share, since later items of a job may set these.
 */
export interface TextState {
  readonly versionNumber: number;
  readonly publicVersionNumber: number | null;
  /** In the form of ISO 8601. */
  readonly modifiedAt: string;
  /** The digest of the title and the translation status. */
  readonly rest: string;
}

/** The state of the latest version. Null for an older version, and where the read shows no time, since a change might not show. */
export function textStateOf(article: Article): TextState | null {
  const { versionNumber, publicVersionNumber, modifiedAt, title, translationStatus } = article;
  if (modifiedAt === null || !isLatest(article)) return null;
  const rest = digestOf([title, translationStatus]);
  return { versionNumber, publicVersionNumber, modifiedAt: modifiedAt.toISOString(), rest };
}

/** True where the read shows the text in exactly this state. */
export function hasTextState(noted: TextState, article: Article): boolean {
  const now = textStateOf(article);
  return now !== null && isSameTextState(now, noted);
}

export const isSameTextState = (one: TextState, other: TextState): boolean =>
  one.versionNumber === other.versionNumber &&
  one.publicVersionNumber === other.publicVersionNumber &&
  one.modifiedAt === other.modifiedAt &&
  one.rest === other.rest;

/** True for an article that was last changed while the write was made. */
export const isChangedWithin = (period: WritePeriod | null, { modifiedAt }: Article): boolean =>
  period !== null &&
  modifiedAt !== null &&
  modifiedAt.getTime() >= period.earliest &&
  modifiedAt.getTime() <= period.latest;

/** The state that the publication of a version has left; null where something else may have changed the text. */
export function stateLeftByPublication(
  noted: TextState,
  article: Article,
  period: WritePeriod | null,
): TextState | null {
  const now = textStateOf(article);
  if (now === null || now.publicVersionNumber !== noted.versionNumber) return null;
  const isOfPublication = now.modifiedAt === noted.modifiedAt || isChangedWithin(period, article);
  return isOfPublication && now.versionNumber === noted.versionNumber && now.rest === noted.rest ? now : null;
}

/** The outcome of an item by what was read of its article; null where it may be sent. */
export function revisionOutcome(item: UpdateTarget, article: Article | null): NotAttempted | null {
  if (article === null || item.ifRevision === undefined) return null;
  if (article.unshown !== undefined)
    return article.unshown.isApplied
      ? writtenSince(item, article)
      : { ...revisionUnread(unavailable(WRITE_UNKNOWN)), retryAfterSeconds: MAX_ARTICLE_LAG_MS / 1_000 };
  if (!isPlaced(article) || revisionOf(article) === null) return revisionUnread(unavailable(NO_REVISION));
  return changedSince(item, article);
}

/**
 * The outcome of an item whose draft was made: it must still be the latest version of the article, and have what was read
 * of the version before the fork, where that is known.
 */
export function draftOutcome(
  { versionNumber }: UpdateTarget,
  draft: Article | null,
  forked: Article | null = null,
): NotAttempted | null {
  if (draft === null) return null;
  const isCopy = forked === null || COPIED.every((name) => isSameValue(draft[name], forked[name]));
  return draft.versionNumber === versionNumber && isCopy ? null : otherDraft(versionNumber, draft);
}

/** Members that a draft has from the version of which it is a copy. */
const COPIED = ['title', 'hidden', 'categoryId'] as const;

/** The outcome of an item whose article could not be read. */
export const revisionUnread = (error: BackendError): NotAttempted => {
  const outcome = notAttemptedAfter(error);
  const reason = error.kind === 'forbidden' ? 'FORBIDDEN' : 'UNAVAILABLE';
  return { ...outcome, reason, details: `The revision was not compared, so the item was not sent. ${error.message}` };
};

const WRITE_UNKNOWN =
  'The outcome of an earlier write of the gateway is unknown, and the article does not show it yet.';

const NO_REVISION = 'The service does not say when the article was changed.';

const CHANGED = { kind: 'not-attempted', reason: 'CHANGED_SINCE', retryAfterSeconds: null } as const;

const writtenSince = ({ ifRevision }: UpdateTarget, article: Article): NotAttempted => ({
  ...CHANGED,
  details: `The article no longer has the revision that was sent: ${ifRevision} was expected, and this gateway has written to the article within the last minute. The service does not show that yet; it shows version ${article.versionNumber}, and ${lastChangeOf(article)}.`,
});

const otherDraft = (expected: number | null | undefined, article: Article): NotAttempted => ({
  ...CHANGED,
  details: `The article was changed while its published version was copied: version ${expected}, an unchanged copy, was expected to be the latest, and version ${article.versionNumber} is there; ${lastChangeOf(article)}.`,
});
