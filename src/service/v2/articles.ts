import {
  ARTICLE_CONTENT_TYPES,
  type Article,
  type ArticleStatus,
  type ArticleTranslationStatus,
  type ArticleVersion,
  type TeamAccount,
  type VersionLanguage,
} from '../../core/articles/articles.ts';
import { ARTICLE_MEMBERS, isListed, type ListedProperty, type ReadProperty } from '../../core/articles/bulk-updates.ts';
import { isObject, type JsonObject } from '../../core/base/json.ts';
import { isSameId } from '../../core/base/text.ts';
import { TRANSLATION_OPTIONS, translationStatusOf } from './bulk-updates.ts';
import {
  booleanIn,
  entriesIn,
  idIn,
  integerIn,
  languageOf,
  lenientBoolean,
  NO_TIME,
  objectOf,
  textIn,
  timeIn,
} from './fields.ts';
import { decodePerson } from './team-accounts.ts';

/** A number in reads, and a string in the bulk update, so both are accepted: see docs/service.md, "Enumerations". */
function translationStatusIn(entry: JsonObject): ArticleTranslationStatus | null {
  const option = entry['translation_option'];
  const text = typeof option === 'number' ? `${option}` : textIn(entry, 'translation_option');
  return text ? translationStatusOf(text) : null;
}

/** 0 means no position, since positions count from 1: see docs/service.md, "Bulk article update". */
const orderOf = (order: number | null): number | null => (order === 0 ? null : order);

/** The service's numbers of the statuses: see docs/service.md, "Enumerations". */
const STATUS_NUMBERS = { DRAFT: 0, PUBLISHED: 3 } as const satisfies Partial<Record<ArticleStatus, number>>;

function statusOf(number: number | null): ArticleStatus | null {
  if (number === null) return null;
  if (number === STATUS_NUMBERS.DRAFT) return 'DRAFT';
  return number === STATUS_NUMBERS.PUBLISHED ? 'PUBLISHED' : 'UNRECOGNIZED';
}

/** The members that an article also has in lists. */
const commonFields = (entry: JsonObject, articleId: string) => ({
  articleId,
  latestVersionNumber: integerIn(entry, 'latest_version'),
  title: textIn(entry, 'title'),
  slug: textIn(entry, 'slug'),
  hidden: booleanIn(entry, 'hidden') ?? false,
  order: orderOf(integerIn(entry, 'order')),
  translationStatus: translationStatusIn(entry),
  contentType: ARTICLE_CONTENT_TYPES[integerIn(entry, 'content_type') ?? -1] ?? null,
  modifiedAt: timeIn(entry, 'modified_at'),
  status: statusOf(integerIn(entry, 'status')),
  // 0 means no public version.
  publicVersionNumber: integerIn(entry, 'public_version') || null,
  url: textIn(entry, 'url'),
});

/**
 * The language that an entry of a list names: the requested one, another one, or none. Only the requested one in some
 * entry shows what the others mean: see docs/service.md, "Article lists".
 */
export type NamedLanguage = 'requested' | 'other' | 'none';

interface ListedIdentity {
  readonly articleId: string;
  readonly named: NamedLanguage;
}

/** Whether the article of an entry is hidden; null where the entry does not report it. */
export const hiddenOfEntry = (entry: unknown): boolean | null =>
  isObject(entry) ? lenientBoolean(entry['hidden']) : null;

/** The identity of an entry, without decoding the rest; null where the entry can't be read. */
export function identifyListedArticle(given: unknown, { languageCode }: VersionLanguage): ListedIdentity | null {
  const entry = objectOf(given);
  const articleId = idIn(entry, 'id');
  if (articleId === null) return null;
  const code = idIn(entry, 'language_code');
  return { articleId, named: code === null ? 'none' : isSameId(code, languageCode) ? 'requested' : 'other' };
}

/** An entry of an article list or of a category, which has no content. */
export interface ListedArticle {
  readonly article: Article;
  readonly named: NamedLanguage;
}

/** Decodes an entry as one of the requested language; null where it can't be read. */
export function decodeListedArticle(given: unknown, requested: VersionLanguage): ListedArticle | null {
  const entry = objectOf(given);
  const identity = identifyListedArticle(entry, requested);
  if (identity === null) return null;
  const { articleId, named } = identity;
  const common = commonFields(entry, articleId);
  const article = {
    ...common,
    projectVersionId: requested.projectVersionId,
    languageCode: languageOf(entry, requested),
    versionNumber: common.latestVersionNumber ?? common.publicVersionNumber ?? 1,
    pinned: false,
  };
  return { article, named };
}

export interface ArticleWithFallback {
  readonly article: Article;
  /** True where the text is in another language than the requested one. */
  readonly isFallback: boolean;
}

/** Decodes a whole article; null where it can't be read. */
export function decodeArticle(
  given: unknown,
  requested: { languageCode: string; pinned: boolean },
): ArticleWithFallback | null {
  const entry = objectOf(given);
  const articleId = idIn(entry, 'id');
  if (articleId === null) return null;
  const common = commonFields(entry, articleId);
  const article = {
    ...common,
    projectVersionId: textIn(entry, 'project_version_id') ?? '',
    languageCode: requested.languageCode,
    versionNumber: integerIn(entry, 'version_number') ?? common.latestVersionNumber ?? 1,
    pinned: requested.pinned,
    ...textsOf(entry, common.contentType),
    categoryId: textIn(entry, 'category_id'),
    description: textIn(entry, 'description'),
    createdAt: timeIn(entry, 'created_at'),
    createdBy: idIn(entry, 'created_by'),
    authors: entriesIn(entry, 'authors', (author) => decodePerson(author, 'id')),
  } satisfies Article & Record<ReadProperty, unknown>;
  return { article, isFallback: booleanIn(entry, 'is_fall_back_content') ?? false };
}

/**
 * The text of a Markdown article is in `content`, and that of a WYSIWYG one in `html_content`. Where the text of the third
 * editor is, is not published, so what is not empty counts: an update sets `content` for any editor.
 */
function textsOf(entry: JsonObject, contentType: Article['contentType']) {
  const content = textIn(entry, 'content');
  const htmlContent = textIn(entry, 'html_content');
  if (contentType === 'MARKDOWN') return { content, htmlContent };
  return contentType === 'WYSIWYG'
    ? { content, htmlContent: htmlContent || (content ?? htmlContent) }
    : { content: content || (htmlContent ?? content), htmlContent };
}

const encodeAuthor = ({ userId, firstName, lastName }: TeamAccount): JsonObject => ({
  id: userId,
  first_name: firstName,
  last_name: lastName,
  email_id: null,
  is_enterprise_user: false,
});

const VERSION_STATUSES: ReadonlyMap<number, string> = new Map([
  [0, 'draft'],
  [3, 'published'],
]);

const VERSION_STATUS_NUMBERS = new Map([...VERSION_STATUSES].map(([number, name]) => [name, number]));

/** Decodes an entry; null where it can't be read. */
export function decodeArticleVersion(given: unknown): ArticleVersion | null {
  const entry = objectOf(given);
  const versionNumber = integerIn(entry, 'version_number');
  if (versionNumber === null) return null;
  const status = integerIn(entry, 'status');
  return {
    versionNumber,
    createdAt: timeIn(entry, 'created_at'),
    modifiedAt: timeIn(entry, 'modified_at'),
    status: status === null ? null : (VERSION_STATUSES.get(status) ?? `${status}`),
    // 0 means none.
    baseVersionNumber: integerIn(entry, 'base_version') || null,
  };
}

/** Encodes an entry of the list of an article's versions. */
export const encodeArticleVersion = ({
  versionNumber,
  createdAt,
  modifiedAt,
  status,
  baseVersionNumber,
}: ArticleVersion): JsonObject => ({
  version_number: versionNumber,
  created_by: null,
  created_at: encodeTime(createdAt) ?? NO_TIME,
  modified_at: encodeTime(modifiedAt) ?? NO_TIME,
  base_version: baseVersionNumber ?? 0,
  status: status === null ? null : (VERSION_STATUS_NUMBERS.get(status) ?? Number(status)),
  profile_url: null,
});

/** Encodes an entry of an article list, which has no content and no category. */
export const encodeListedArticle = (article: Article): JsonObject => ({
  id: article.articleId,
  title: article.title,
  url: article.url,
  public_version: article.publicVersionNumber ?? 0,
  latest_version: article.latestVersionNumber ?? article.versionNumber,
  language_code: article.languageCode,
  hidden: article.hidden,
  status: article.status === null || article.status === 'UNRECOGNIZED' ? null : STATUS_NUMBERS[article.status],
  order: article.order ?? 0,
  slug: article.slug,
  content_type: article.contentType === null ? null : ARTICLE_CONTENT_TYPES.indexOf(article.contentType),
  translation_option:
    article.translationStatus === null || article.translationStatus === 'UNRECOGNIZED'
      ? null
      : Number(TRANSLATION_OPTIONS[article.translationStatus]),
  is_shared_article: false,
  modified_at: encodeTime(article.modifiedAt),
});

/** Encodes a whole article. */
export const encodeArticle = ({ article, isFallback }: ArticleWithFallback): JsonObject => ({
  ...encodeListedArticle(article),
  content: article.content ?? null,
  html_content: article.htmlContent ?? null,
  category_id: article.categoryId ?? null,
  project_version_id: article.projectVersionId,
  version_number: article.versionNumber,
  enable_rtl: false,
  created_by: article.createdBy ?? null,
  authors: article.authors?.map(encodeAuthor) ?? [],
  created_at: encodeTime(article.createdAt ?? null) ?? NO_TIME,
  modified_at: encodeTime(article.modifiedAt) ?? NO_TIME,
  is_fall_back_content: isFallback,
  description: article.description ?? null,
  category_type: null,
});

const encodeTime = (moment: Date | null): string | null => moment?.toISOString() ?? null;

/** The fields that an entry of a list may report. */
export type ListedField = ListedProperty | 'publicVersionNumber' | 'modifiedAt' | 'status';

const ALL_LISTED: ReadonlySet<ListedField> = new Set([
  ...Object.keys(ARTICLE_MEMBERS).filter(isListed),
  'publicVersionNumber',
  'modifiedAt',
  'status',
]);

/** The fields that a revision is made of, besides the version. */
export const REVISION_FIELDS: readonly ListedField[] = [
  'title',
  'hidden',
  'translationStatus',
  'categoryId',
  'publicVersionNumber',
  'modifiedAt',
  'status',
];

/**
 * The fields that an entry reports reliably. A member that is missing or of another type is decoded as empty, and
 * reports nothing. Without its version an entry reports nothing at all. A shared article may be in several
 * categories, so its position in the tree does not show its category.
 */
export function listedFieldsOf(entry: unknown): ReadonlySet<ListedField> {
  if (!isObject(entry)) return new Set();
  const { title, hidden, order, translation_option: option, is_shared_article: isShared } = entry;
  if (!Number.isInteger(entry['latest_version'])) return new Set();
  const reported: Readonly<Record<ListedField, boolean>> = {
    title: title === null || typeof title === 'string',
    hidden: typeof hidden === 'boolean',
    order: order === null || Number.isInteger(order),
    translationStatus: option === null || typeof option === 'string' || typeof option === 'number',
    categoryId: isShared !== true,
    publicVersionNumber: Number.isInteger(entry['public_version']),
    modifiedAt: timeIn(entry, 'modified_at') !== null,
    status: Number.isInteger(entry['status']),
  };
  const properties = [...ALL_LISTED].filter((property) => reported[property]);
  // Nearly all entries report all fields, and get the same set.
  return properties.length === ALL_LISTED.size ? ALL_LISTED : new Set(properties);
}
