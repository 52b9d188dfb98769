import type { ReadBack } from '../../domain/articles/article-outcomes.ts';
import type { Article } from '../../domain/articles/articles.ts';
import type { ArticleUpdate } from '../../domain/articles/bulk-updates.ts';
import { isSameValue } from '../../domain/field-changes.ts';

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
  const members = Object.values(MEMBERS)
    .map((look) => look(article, update))
    .filter(({ asked }) => asked !== undefined);
  if (members.some(({ seen, asked }) => seen !== undefined && !isSameValue(seen, asked))) return 'DIFFERS';
  return members.some(({ seen }) => seen === undefined) ? 'NOT_READABLE' : 'AS_ASKED';
}

/** `seen`: undefined for what the read did not tell. `asked`: undefined for what is not compared. */
interface Member {
  readonly seen: unknown;
  readonly asked: unknown;
}

type Look = (article: Article, update: ArticleUpdate) => Member;

/** Names the text that was read. */
const isName: Look = () => ({ seen: undefined, asked: undefined });

const isHtml = ({ contentType }: Article): boolean => contentType === 'WYSIWYG';

const MEMBERS = {
  articleId: isName,
  languageCode: isName,
  versionNumber: isName,
  title: (article, update) => ({ seen: article.title, asked: update.title }),
  content: (article, { content, htmlContent }) => ({
    seen: isHtml(article) ? article.htmlContent : article.content,
    asked: content ?? (isHtml(article) ? htmlContent : undefined) ?? content,
  }),
  // Only the WYSIWYG editor stores HTML, and where an update sets both texts, `content` counts.
  htmlContent: (article, { content, htmlContent }) => ({
    seen: isHtml(article) ? article.htmlContent : undefined,
    asked: content == null ? htmlContent : undefined,
  }),
  categoryId: (article, update) => ({ seen: article.categoryId, asked: update.categoryId }),
  hidden: (article, update) => ({ seen: article.hidden, asked: update.hidden }),
  translationStatus: (article, update) => ({ seen: article.translationStatus, asked: update.translationStatus }),
  source: (_article, { source }) => ({ seen: undefined, asked: source }),
  order: (article, update) => ({ seen: article.order, asked: update.order }),
} as const satisfies Record<keyof ArticleUpdate, Look>;
