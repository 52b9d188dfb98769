import { z } from 'zod';
import type {
  Article,
  ArticleContentType,
  ArticleTranslationStatus,
  ArticleVersion,
} from '../domain/articles/bulk-updates.ts';
import type { JsonObject } from '../domain/notices.ts';
import { TRANSLATION_OPTIONS, translationStatusOf } from './bulk-updates.ts';
import { flag, listOf, text, time, whole } from './fields.ts';

const CONTENT_TYPES: ReadonlyMap<number | null, ArticleContentType> = new Map([
  [0, 'MARKDOWN'],
  [1, 'WYSIWYG'],
  [2, 'BLOCK'],
]);

const CONTENT_TYPE_NUMBERS = { MARKDOWN: 0, WYSIWYG: 1, BLOCK: 2 } as const satisfies Record<
  ArticleContentType,
  number
>;

/** Reads give the translation status as a number where the bulk update takes a string; both are read (facts, Enums seen). */
const translationStatus = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((option): ArticleTranslationStatus | null =>
    option == null || option === '' ? null : translationStatusOf(String(option)),
  );

const listedArticle = z.object({
  id: z.string().min(1),
  title: text,
  slug: text,
  public_version: whole,
  latest_version: whole,
  language_code: text,
  hidden: flag,
  order: whole,
  content_type: whole,
  translation_option: translationStatus,
  modified_at: time,
});

const fullArticle = listedArticle.extend({
  content: text,
  html_content: text,
  category_id: text,
  project_version_id: text,
  version_number: whole,
  is_fall_back_content: flag,
});

/** What was asked, for all that the answer does not repeat. */
export interface ArticleAsked {
  readonly projectVersionId: string;
  readonly languageCode: string;
}

/** 0 is no position (spec: positions start from 1). */
const commonMembers = (entry: z.output<typeof listedArticle>) => ({
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

/** One entry of an article list or of a category: without content and without category. Null where it can't be read. */
export function decodeListedArticle(payload: unknown, asked: ArticleAsked): Article | null {
  const parsed = listedArticle.safeParse(payload);
  if (!parsed.success) return null;
  const { latest_version, public_version, language_code } = parsed.data;
  return {
    ...commonMembers(parsed.data),
    projectVersionId: asked.projectVersionId,
    languageCode: language_code ?? asked.languageCode,
    versionNumber: latest_version ?? public_version ?? 1,
    pinned: false,
  };
}

/** An article read by itself, and whether the service answered another language than it was asked for. */
export interface ReadArticle {
  readonly article: Article;
  readonly isFallBack: boolean;
}

export function decodeArticle(payload: unknown, asked: { languageCode: string; pinned: boolean }): ReadArticle | null {
  const parsed = fullArticle.safeParse(payload);
  if (!parsed.success) return null;
  const entry = parsed.data;
  const article = {
    ...commonMembers(entry),
    projectVersionId: entry.project_version_id ?? '',
    languageCode: asked.languageCode,
    versionNumber: entry.version_number ?? entry.latest_version ?? 1,
    pinned: asked.pinned,
    content: entry.content,
    htmlContent: entry.html_content,
    categoryId: entry.category_id,
  };
  return { article, isFallBack: entry.is_fall_back_content ?? false };
}

const VERSION_STATUSES: ReadonlyMap<number, string> = new Map([
  [0, 'draft'],
  [3, 'published'],
]);

const VERSION_STATUS_NUMBERS = new Map([...VERSION_STATUSES].map(([number, name]) => [name, number]));

const articleVersion = z
  .object({ version_number: z.int(), created_at: time, modified_at: time, status: whole })
  .transform(
    ({ version_number, created_at, modified_at, status }): ArticleVersion => ({
      versionNumber: version_number,
      createdAt: created_at,
      modifiedAt: modified_at,
      status: status === null ? null : (VERSION_STATUSES.get(status) ?? `${status}`),
    }),
  );

/** Null where the entry can't be read. */
export function decodeArticleVersion(entry: unknown): ArticleVersion | null {
  const parsed = articleVersion.safeParse(entry);
  return parsed.success ? parsed.data : null;
}

export const decodeArticleVersions = (payload: unknown): readonly ArticleVersion[] | null =>
  Array.isArray(payload) ? listOf(articleVersion).parse(payload) : null;

export const encodeArticleVersion = ({ versionNumber, createdAt, modifiedAt, status }: ArticleVersion): JsonObject => ({
  version_number: versionNumber,
  created_by: null,
  created_at: encodeTime(createdAt),
  modified_at: encodeTime(modifiedAt),
  base_version: 0,
  status: status === null ? null : (VERSION_STATUS_NUMBERS.get(status) ?? Number(status)),
  profile_url: null,
});

/** One entry of an article list, as the service answers it: no content, and no category. */
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

export const encodeArticle = ({ article, isFallBack }: ReadArticle): JsonObject => ({
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
  is_fall_back_content: isFallBack,
  description: null,
  category_type: null,
});

const encodeTime = (moment: Date | null): string | null => moment?.toISOString() ?? null;
