import type { ReadBack } from '../../domain/articles/article-outcomes.ts';
import type { Article } from '../../domain/articles/articles.ts';
import type { ArticleUpdate } from '../../domain/articles/bulk-updates.ts';

/** The finding of a comparison between an article that was read and an update of it. */
export type Comparison = 'AS_ASKED' | Exclude<ReadBack, 'NOT_TRIED'>;

/** No read gives the stored source, so whatever else is seen, it remains unknown whether all was applied. */
export const isReadable = ({ source }: ArticleUpdate): boolean => source === undefined;

/** The update without its texts, which lists of articles don't tell. */
export const withoutTexts = ({ content: _c, htmlContent: _h, ...update }: ArticleUpdate): ArticleUpdate => update;

export const hasTexts = ({ content, htmlContent }: ArticleUpdate): boolean =>
  content !== undefined || htmlContent !== undefined;

/** Compares all that the update sets. Null is compared as well: the service does not tell what it makes of it. */
export function compareWithUpdate(article: Article | null, update: ArticleUpdate): Comparison {
  if (article === null || !isReadable(update)) return 'NOT_READABLE';
  const members = seenMembers(article, update).filter(({ asked }) => asked !== undefined);
  if (members.some(({ seen, asked }) => seen !== undefined && seen !== asked)) return 'DIFFERS';
  return members.some(({ seen }) => seen === undefined) ? 'NOT_READABLE' : 'AS_ASKED';
}

/** `seen`: undefined for what the read did not tell. */
interface Member {
  readonly seen: unknown;
  readonly asked: unknown;
}

/** Only the WYSIWYG editor stores HTML, and where an update sets both texts, `content` counts. */
function seenMembers(article: Article, update: ArticleUpdate): readonly Member[] {
  const isHtml = article.contentType === 'WYSIWYG';
  const text = update.content ?? (isHtml ? update.htmlContent : undefined) ?? update.content;
  const ignoredText = update.content == null && !isHtml ? update.htmlContent : undefined;
  return [
    { seen: article.title, asked: update.title },
    { seen: isHtml ? article.htmlContent : article.content, asked: text },
    { seen: undefined, asked: ignoredText },
    { seen: article.categoryId, asked: update.categoryId },
    { seen: article.hidden, asked: update.hidden },
    { seen: article.translationStatus, asked: update.translationStatus },
    { seen: article.order, asked: update.order },
  ];
}
