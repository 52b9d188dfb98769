import { z } from 'zod';
import type {
  Article,
  ArticleContentType,
  ArticleTranslationStatus,
  ArticleVersion,
} from '../domain/articles/articles.ts';
import type { Edition } from '../domain/articles/project-versions.ts';
import type { JsonObject } from '../domain/json/json-objects.ts';
import { TRANSLATION_OPTIONS, translationStatusOf } from './bulk-updates.ts';
import { lenientBoolean, lenientInteger, lenientText, lenientTime } from './fields.ts';

const CONTENT_TYPES: ReadonlyMap<number | null, ArticleContentType> = new Map([
  [0, 'MARKDOWN'],
  [1, 'WYSIWYG'],
  [2, 'BLOCK'],
]);

const CONTENT_TYPE_NUMBERS = { MARKDOWN: 0, WYSIWYG: 1, BLOCK: 2 } as const satisfies Record<
  ArticleContentType,
  number
>;

/** A number in reads, but a string in the bulk update, so both are accepted: see docs/service.md, "Enumerations". */
const translationStatus = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((option): ArticleTranslationStatus | null =>
    option == null || option === '' ? null : translationStatusOf(String(option)),
  );

const listedArticle = z.object({
  id: z.string().min(1),
  title: lenientText,
  slug: lenientText,
  public_version: lenientInteger,
  latest_version: lenientInteger,
  language_code: lenientText,
  hidden: lenientBoolean,
  order: lenientInteger,
  content_type: lenientInteger,
  translation_option: translationStatus,
  modified_at: lenientTime,
});

const fullArticle = listedArticle.extend({
  content: lenientText,
  html_content: lenientText,
  category_id: lenientText,
  project_version_id: lenientText,
  version_number: lenientInteger,
  is_fall_back_content: lenientBoolean,
});

/** 0 is no position, since positions count from 1: see docs/service.md, "Bulk article update". */
const commonFields = (entry: z.output<typeof listedArticle>) => ({
  articleId: entry.id,
  latestVersionNumber: entry.latest_version,
  title: entry.title,
  slug: entry.slug,
  hidden: entry.hidden ?? false,
  order: entry.order === 0 ? null : entry.order,
  translationStatus: entry.translation_option,
  contentType: CONTENT_TYPES.get(entry.content_type) ?? null,
  modifiedAt: entry.modified_at,
});

/** Decodes an entry of an article list or of a category, which has no content; null where it cannot be read. */
export function decodeListedArticle(payload: unknown, requested: Edition): Article | null {
  const parsed = listedArticle.safeParse(payload);
  if (!parsed.success) return null;
  const { latest_version, public_version, language_code } = parsed.data;
  return {
    ...commonFields(parsed.data),
    projectVersionId: requested.projectVersionId,
    languageCode: language_code ?? requested.languageCode,
    versionNumber: latest_version ?? public_version ?? 1,
    pinned: false,
  };
}

export interface ArticleWithFallback {
  readonly article: Article;
  /** True where the text is of another language than the requested one. */
  readonly isFallback: boolean;
}

export function decodeArticle(
  payload: unknown,
  requested: { languageCode: string; pinned: boolean },
): ArticleWithFallback | null {
  const parsed = fullArticle.safeParse(payload);
  if (!parsed.success) return null;
  const entry = parsed.data;
  const article = {
    ...commonFields(entry),
    projectVersionId: entry.project_version_id ?? '',
    languageCode: requested.languageCode,
    versionNumber: entry.version_number ?? entry.latest_version ?? 1,
    pinned: requested.pinned,
    content: entry.content,
    htmlContent: entry.html_content,
    categoryId: entry.category_id,
  };
  return { article, isFallback: entry.is_fall_back_content ?? false };
}

const VERSION_STATUSES: ReadonlyMap<number, string> = new Map([
  [0, 'draft'],
  [3, 'published'],
]);

const VERSION_STATUS_NUMBERS = new Map([...VERSION_STATUSES].map(([number, name]) => [name, number]));

const articleVersion = z
  .object({ version_number: z.int(), created_at: lenientTime, modified_at: lenientTime, status: lenientInteger })
  .transform(
    ({ version_number, created_at, modified_at, status }): ArticleVersion => ({
      versionNumber: version_number,
      createdAt: created_at,
      modifiedAt: modified_at,
      status: status === null ? null : (VERSION_STATUSES.get(status) ?? `${status}`),
    }),
  );

/** Null for an entry that cannot be read. */
export function decodeArticleVersion(entry: unknown): ArticleVersion | null {
  const parsed = articleVersion.safeParse(entry);
  return parsed.success ? parsed.data : null;
}

export const encodeArticleVersion = ({ versionNumber, createdAt, modifiedAt, status }: ArticleVersion): JsonObject => ({
  version_number: versionNumber,
  created_by: null,
  created_at: encodeTime(createdAt),
  modified_at: encodeTime(modifiedAt),
  base_version: 0,
  status: status === null ? null : (VERSION_STATUS_NUMBERS.get(status) ?? Number(status)),
  profile_url: null,
});

/** An entry of an article list, which has no content and no category. */
export const encodeListedArticle = (article: Article): JsonObject => ({
  id: article.articleId,
  title: article.title,
  url: null,
  public_version: 0,
  latest_version: article.latestVersionNumber ?? article.versionNumber,
  language_code: article.languageCode,
  hidden: article.hidden,
  status: 0,
  order: article.order ?? 0,
  slug: article.slug,
  content_type: article.contentType === null ? null : CONTENT_TYPE_NUMBERS[article.contentType],
  translation_option:
    article.translationStatus === null || article.translationStatus === 'UNRECOGNIZED'
      ? null
      : Number(TRANSLATION_OPTIONS[article.translationStatus]),
  is_shared_article: false,
  modified_at: encodeTime(article.modifiedAt),
});

export const encodeArticle = ({ article, isFallback }: ArticleWithFallback): JsonObject => ({
  ...encodeListedArticle(article),
  content: article.content ?? null,
  html_content: article.htmlContent ?? null,
  category_id: article.categoryId ?? null,
  project_version_id: article.projectVersionId,
  version_number: article.versionNumber,
  enable_rtl: false,
  created_by: null,
  authors: [],
  created_at: null,
  is_fall_back_content: isFallback,
  description: null,
  category_type: null,
});

const encodeTime = (moment: Date | null): string | null => moment?.toISOString() ?? null;
