import { digestOf } from '../base/digest.ts';
import { idKeyOf } from '../base/text.ts';
import { type BackendError, unavailable } from '../errors.ts';
import { type NotAttempted, notAttemptedAfter } from './article-outcomes.ts';
import type { Article } from './articles.ts';
import type { UpdateTarget } from './bulk-updates.ts';

/** An article whose category was read. */
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
  const { modifiedAt, versionNumber } = article;
  const last = modifiedAt === null ? '' : `, last changed at ${modifiedAt.toISOString()}`;
  const details = `The article no longer has the revision that was sent. Its version ${versionNumber} is there now${last}.`;
  return { kind: 'not-attempted', details, reason: 'CHANGED_SINCE', retryAfterSeconds: null };
}

/** The outcome of an item by what was read of its article; null where it may be sent. */
export function revisionOutcome(item: UpdateTarget, article: Article | null): NotAttempted | null {
  if (article === null || item.ifRevision === undefined) return null;
  if (article.unshown !== undefined)
    return article.unshown.isApplied ? WRITTEN_SINCE : revisionUnread(unavailable(WRITE_UNKNOWN));
  if (!isPlaced(article) || revisionOf(article) === null) return revisionUnread(unavailable(NO_REVISION));
  return changedSince(item, article);
}

/** The outcome of an item whose draft was made: it must still be the latest version of the article. */
export const draftOutcome = ({ versionNumber }: UpdateTarget, article: Article | null): NotAttempted | null =>
  article === null || article.versionNumber === versionNumber ? null : OTHER_DRAFT;

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

const WRITTEN_SINCE: NotAttempted = {
  ...CHANGED,
  details:
    'The article no longer has the revision that was sent: the gateway has written to it within the last minute.',
};

const OTHER_DRAFT: NotAttempted = {
  ...CHANGED,
  details: 'Another version of the article was made while its published version was copied.',
};
