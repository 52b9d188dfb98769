import { z } from 'zod';
import { isObject } from '../domain/articles/articles.ts';
import {
  type ArticleOutcome,
  type ArticleTranslationStatus,
  type ArticleUpdate,
  EMPTY_BULK_TEXT,
} from '../domain/articles/bulk-updates.ts';
import { type JsonObject, type ServiceError, serviceError } from '../domain/notices.ts';
import { err, type Result } from '../domain/result.ts';
import { decodeBody, requestList, soundText } from './request-bodies.ts';

/** `translation_option` is a digit in a string; reads know 3 as well (facts, Enums seen). */
export const TRANSLATION_OPTIONS = {
  NONE: '0',
  NEEDS_TRANSLATION: '1',
  TRANSLATED: '2',
  IN_PROGRESS: '3',
  UNRECOGNIZED: '',
} as const satisfies Record<ArticleTranslationStatus, string>;

/** One item of the bulk update. A member that is undefined is not written, one that is null is. */
export const encodeArticleUpdate = (update: ArticleUpdate): JsonObject => ({
  article_id: update.articleId,
  lang_code: update.languageCode,
  title: update.title,
  content: update.content,
  html_content: update.htmlContent,
  category_id: update.categoryId,
  hidden: update.hidden,
  version_number: update.versionNumber,
  translation_option: update.translationStatus
    ? TRANSLATION_OPTIONS[update.translationStatus]
    : update.translationStatus,
  source: update.source,
  order: update.order,
});

const nullableText = soundText.nullish();

const int32 = z.int32();

const articleUpdate = z
  .object({
    article_id: nullableText,
    lang_code: nullableText,
    title: nullableText,
    content: nullableText,
    html_content: nullableText,
    category_id: nullableText,
    hidden: z.boolean().optional(),
    version_number: int32.nullish(),
    translation_option: nullableText,
    source: nullableText,
    order: int32.optional(),
  })
  .transform(
    (item): ArticleUpdate => ({
      articleId: item.article_id ?? '',
      languageCode: item.lang_code,
      title: item.title,
      content: item.content,
      htmlContent: item.html_content,
      categoryId: item.category_id,
      hidden: item.hidden,
      versionNumber: item.version_number,
      translationStatus: decodeTranslationOption(item.translation_option),
      source: item.source,
      order: item.order === 0 ? undefined : item.order,
    }),
  );

/** "" means not set, as the service's own example sends it; another digit is kept as unrecognized, and its item fails. */
function decodeTranslationOption(option: string | null | undefined): ArticleTranslationStatus | null | undefined {
  if (option == null) return option;
  if (option === '') return undefined;
  return translationStatusOf(option);
}

export function translationStatusOf(option: string): ArticleTranslationStatus {
  for (const status of ['NONE', 'NEEDS_TRANSLATION', 'TRANSLATED', 'IN_PROGRESS'] as const) {
    if (TRANSLATION_OPTIONS[status] === option) return status;
  }
  return 'UNRECOGNIZED';
}

const bulkUpdate = requestList(articleUpdate);

/** Reads the body of a bulk update: at least one item. No body, null and `[]` are the same documented error. */
export function decodeBulkUpdate(body: unknown): Result<readonly ArticleUpdate[], readonly ServiceError[]> {
  const updates = decodeBody(bulkUpdate, body ?? []);
  return updates.ok && updates.value.length === 0 ? err([serviceError(EMPTY_BULK_TEXT, '400')]) : updates;
}

/** The result items of an answered bulk update. */
export const encodeOutcomes = (outcomes: readonly ArticleOutcome[]): readonly JsonObject[] =>
  outcomes.map(({ articleId, kind, details }) => ({
    article_id: articleId === '' ? null : articleId,
    success: kind === 'updated',
    details,
  }));

interface ResultItem {
  readonly articleId: string | null;
  readonly success: boolean | null;
  readonly details: string | null;
}

function decodeResultItem(entry: unknown): ResultItem {
  const { article_id, success, details } = isObject(entry) ? entry : {};
  return {
    articleId: typeof article_id === 'string' ? article_id : null,
    success: typeof success === 'boolean' ? success : null,
    details: typeof details === 'string' ? details : null,
  };
}

/**
 * Says of every sent item what the answer says of it: by position where the article ID agrees, then by article ID among
 * what is left. An entry without an ID counts by its position only in an answer of exactly as many entries as were sent.
 * No article is sent twice in one call, so an ID names one item.
 */
export function decodeOutcomes(payload: readonly unknown[], sent: readonly ArticleUpdate[]): readonly ArticleOutcome[] {
  const items = payload.map(decodeResultItem);
  const inPlace = sent.map(({ articleId }, index) => {
    const item = items[index];
    return item?.articleId === articleId ? item : null;
  });
  if (items.length === sent.length && !inPlace.includes(null)) {
    return inPlace.map((item, index) => outcomeOf(sent[index], item));
  }
  const left = new Map<string, ResultItem[]>();
  for (const [index, item] of items.entries()) {
    if (item.articleId === null || inPlace[index] === item) continue;
    const others = left.get(item.articleId);
    if (others) others.push(item);
    else left.set(item.articleId, [item]);
  }
  return sent.map((update, index) => {
    const positional = items.length === sent.length && items[index]?.articleId === null ? items[index] : null;
    const said = [inPlace[index] ?? [], left.get(update.articleId) ?? []].flat();
    return outcomeOf(update, agreed(said) ?? positional ?? null);
  });
}

/** Two entries for one article that contradict each other say nothing. */
function agreed(items: readonly ResultItem[]): ResultItem | null {
  const [first] = items;
  return first && items.every(({ success }) => success === first.success) ? first : null;
}

function outcomeOf(update: ArticleUpdate | undefined, item: ResultItem | null): ArticleOutcome {
  const articleId = update?.articleId ?? '';
  if (item === null) {
    return { kind: 'unknown', articleId, details: 'The answer of the service has no entry for this item.' };
  }
  if (item.success === null) {
    return {
      kind: 'unknown',
      articleId,
      details: 'The answer of the service does not say whether the update succeeded.',
    };
  }
  return { kind: item.success ? 'updated' : 'failed', articleId, details: item.details };
}
