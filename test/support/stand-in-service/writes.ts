import { z } from 'zod';
import {
  type Knowledge,
  languagesOf,
  latestOf,
  type StoredArticle,
  type StoredText,
  type StoredVersion,
  USERS,
} from './knowledge.ts';
import type { Readings } from './readings.ts';

/** Why the service refuses an item, in its words. */
export class Refused extends Error {}

/** The members of a bulk update that the stand-in carries out; the API file has validated the rest. */
export const updateItem = z.object({
  article_id: z.string().nullish(),
  lang_code: z.string().nullish(),
  title: z.string().nullish(),
  content: z.string().nullish(),
  html_content: z.string().nullish(),
  category_id: z.string().nullish(),
  hidden: z.boolean().optional(),
  version_number: z.int().nullish(),
  translation_option: z.string().nullish(),
  order: z.int().optional(),
});

export type UpdateItem = z.output<typeof updateItem>;

export const createItem = z.object({
  title: z.string(),
  project_version_id: z.string(),
  user_id: z.string(),
  category_id: z.string().nullish(),
  content: z.string().nullish(),
  order: z.int().optional(),
  content_type: z.union([z.literal(0), z.literal(1)]).nullish(),
});

export type CreateItem = z.output<typeof createItem>;

export interface WriteContext {
  readonly readings: Readings;
  /** The virtual time in milliseconds since 1970. */
  readonly now: number;
  /** What is stored of a text, in place of what the readings say. */
  readonly stores?: ((text: string) => string) | undefined;
}

/** The article of an ID in any case. */
export function articleOf({ articles }: Knowledge, id: string): StoredArticle {
  const found = articles.get(id.toLowerCase());
  if (found === undefined) throw new Refused('Article not found');
  return found;
}

export const defaultLanguageOf = ({ projectVersionId }: StoredArticle): string =>
  languagesOf(projectVersionId)[0] ?? 'en';

export const withArticle = (knowledge: Knowledge, article: StoredArticle): Knowledge => ({
  ...knowledge,
  articles: new Map([...knowledge.articles, [article.id, article]]),
});

const withText = (article: StoredArticle, code: string, text: StoredText): StoredArticle => ({
  ...article,
  texts: new Map([...article.texts, [code, text]]),
});

export function checkUser(userId: string): void {
  if (!USERS.some((id) => id === userId.toLowerCase()))
    throw new Refused(`The user with id '${userId}' does not exist in your project.`);
}

/** Updates an article, as the readings say. */
export function update(knowledge: Knowledge, item: UpdateItem, context: WriteContext): Knowledge {
  const { readings } = context;
  const article = articleOf(knowledge, item.article_id ?? '');
  const isReset = readings.omitted === 'reset';
  const category = item.category_id?.toLowerCase() ?? article.categoryId;
  if (!knowledge.categories.some(({ id }) => id === category)) throw new Refused('The category Id does not exist.');
  const moved = {
    ...article,
    categoryId: category,
    hidden: item.hidden ?? (isReset ? false : article.hidden),
    order: item.order ?? (isReset ? 0 : article.order),
  };
  const code = item.lang_code ?? defaultLanguageOf(article);
  return withArticle(knowledge, withText(moved, code, updatedText(article, item, context)));
}

function updatedText(article: StoredArticle, item: UpdateItem, context: WriteContext): StoredText {
  const { readings, now } = context;
  const code = item.lang_code ?? defaultLanguageOf(article);
  if (!languagesOf(article.projectVersionId).includes(code)) throw new Refused('Invalid Language code');
  const text = article.texts.get(code) ?? newTranslation(article, item, context);
  const base = item.version_number == null ? latestOf(text) : versionOf(text, item.version_number);
  const { title, content, html_content: html, translation_option: option } = item;
  const body = content ?? (article.contentType === 1 ? html : null);
  const changesPublic = base.isPublished && (title != null || body != null || Boolean(option));
  if (changesPublic && readings.published === 'refuses')
    throw new Refused('The article version is published. Fork it before you change it.');
  const changed = {
    ...base,
    title: title == null ? base.title : storedTextOf(title, article, context),
    body: body == null ? base.body : storedTextOf(body, article, context),
    modifiedAt: now,
  };
  const translationOption = option ? Number(option) : text.translationOption;
  if (!changesPublic || readings.published === 'edits in place')
    return { ...withVersion(text, changed), translationOption };
  const number = latestOf(text).number + 1;
  const made = { ...changed, number, base: base.number, isPublished: false, createdAt: now };
  return { ...withVersion(text, made), translationOption };
}

function newTranslation(article: StoredArticle, item: UpdateItem, { readings, now }: WriteContext): StoredText {
  if (readings.newLanguage === 'refuses') throw new Refused('The article has no text in this language.');
  const { title, body } = latestOf(textOf(article, defaultLanguageOf(article)));
  const first = { number: 1, base: 0, title, body, isPublished: false, createdAt: now, modifiedAt: now };
  return { publicVersion: 0, translationOption: Number(item.translation_option || 0), versions: [first] };
}

export function textOf(article: StoredArticle, code: string): StoredText {
  const text = article.texts.get(code);
  if (text === undefined) throw new Refused('Invalid Language code');
  return text;
}

export function versionOf({ versions }: StoredText, number: number): StoredVersion {
  const found = versions.find((one) => one.number === number);
  if (found === undefined) throw new Refused('The article version does not exist.');
  return found;
}

/** The version is replaced where its number is there, else it comes last. */
function withVersion(text: StoredText, changed: StoredVersion): StoredText {
  const [first, ...others] = text.versions.map((one) => (one.number === changed.number ? changed : one));
  const isNew = !text.versions.some(({ number }) => number === changed.number);
  return { ...text, versions: [first ?? changed, ...others, ...(isNew ? [changed] : [])] };
}

function storedTextOf(
  text: string,
  { contentType }: StoredArticle,
  { readings: { texts }, stores }: WriteContext,
): string {
  if (stores !== undefined) return stores(text);
  if (texts === 'as sent') return text;
  if (texts === 'trimmed') return text.replaceAll('\r\n', '\n').trim();
  return contentType === 1 ? text.replaceAll(/<br ?\/?>/gu, '<br />').replaceAll('<p>', '<p dir="auto">') : text;
}

/** Creates a draft in the default language. */
export function create(
  knowledge: Knowledge,
  { id, ...item }: CreateItem & { readonly id: string },
  context: WriteContext,
): Knowledge {
  const { now } = context;
  checkUser(item.user_id);
  const projectVersionId = item.project_version_id.toLowerCase();
  const [code] = languagesOf(projectVersionId);
  if (code === undefined) throw new Refused('The supplied project version id does not exist in your project');
  const categoryId = item.category_id?.toLowerCase() ?? null;
  if (categoryId !== null && !knowledge.categories.some((one) => one.id === categoryId))
    throw new Refused('The category Id does not exist.');
  const { content_type: contentType } = item;
  const empty: StoredArticle = {
    id,
    projectVersionId,
    categoryId,
    hidden: false,
    order: item.order ?? 0,
    contentType: contentType ?? 0,
    texts: new Map(),
  };
  const first = {
    number: 1,
    base: 0,
    title: storedTextOf(item.title, empty, context),
    body: storedTextOf(item.content ?? '', empty, context),
    isPublished: false,
    createdAt: now,
    modifiedAt: now,
  };
  return withArticle(knowledge, withText(empty, code, { publicVersion: 0, translationOption: 0, versions: [first] }));
}

interface NamedVersion {
  readonly articleId: string;
  readonly code: string;
  readonly number: number;
}

/** Forks a version into a new draft. */
export function fork(knowledge: Knowledge, { articleId, code, number }: NamedVersion, now: number): Knowledge {
  const article = articleOf(knowledge, articleId);
  const text = textOf(article, code);
  const base = text.versions.find((one) => one.number === number);
  if (base === undefined) throw new Refused(`Cannot fork version number ${number}, it does not exist in your project.`);
  const made = { number: latestOf(text).number + 1, base: number, isPublished: false, createdAt: now, modifiedAt: now };
  return withArticle(knowledge, withText(article, code, withVersion(text, { ...base, ...made })));
}

export function publish(knowledge: Knowledge, { articleId, code, number }: NamedVersion, now: number): Knowledge {
  const article = articleOf(knowledge, articleId);
  const text = textOf(article, code);
  const version = versionOf(text, number);
  if (text.publicVersion === number) throw new Refused('Article has already been published.');
  const changed = withVersion(text, { ...version, isPublished: true, modifiedAt: now });
  return withArticle(knowledge, withText(article, code, { ...changed, publicVersion: number }));
}

export function unpublish(knowledge: Knowledge, { articleId, code, number }: NamedVersion, now: number): Knowledge {
  const article = articleOf(knowledge, articleId);
  const text = textOf(article, code);
  if (text.publicVersion !== number) throw new Refused('The article version is not published.');
  const changed = withVersion(text, { ...versionOf(text, number), isPublished: false, modifiedAt: now });
  return withArticle(knowledge, withText(article, code, { ...changed, publicVersion: 0 }));
}
