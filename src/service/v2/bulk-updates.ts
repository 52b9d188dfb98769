import { z } from 'zod';
import type { ArticleOutcome } from '../../core/articles/article-outcomes.ts';
import type { ArticleTranslationStatus } from '../../core/articles/articles.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import { isObject, type JsonObject } from '../../core/base/json.ts';
import type { Result } from '../../core/base/result.ts';
import { idKeyOf, isSameId } from '../../core/base/text.ts';
import type { ServiceError } from '../../core/notices.ts';
import { decodeListBody, requestList, storableText } from './request-bodies.ts';

/** `translation_option` is a digit in a string. Only reads have 3: see docs/service.md, "Enumerations". */
export const TRANSLATION_OPTIONS = {
  NONE: '0',
  NEEDS_TRANSLATION: '1',
  TRANSLATED: '2',
  IN_PROGRESS: '3',
  UNRECOGNIZED: '',
} as const satisfies Record<ArticleTranslationStatus, string>;

const nullableText = storableText.nullish();

const int32 = z.int32();

const updateMembers = z.object({
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
});

/** Encodes an update. A member that is undefined is omitted, and one that is null is sent. */
export const encodeArticleUpdate = (update: ArticleUpdate) =>
  ({
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
  }) satisfies Record<keyof z.input<typeof updateMembers>, unknown>;

const articleUpdate = updateMembers.transform(
  (item) =>
    ({
      articleId: item.article_id ?? '',
      languageCode: item.lang_code,
      title: item.title,
      content: item.content,
      htmlContent: item.html_content,
      categoryId: item.category_id,
      hidden: item.hidden,
      versionNumber: item.version_number,
      ifRevision: undefined,
      translationStatus: decodeTranslationOption(item.translation_option),
      source: item.source,
      order: item.order === 0 ? undefined : item.order,
    }) satisfies ArticleUpdate & Record<keyof ArticleUpdate, unknown>,
);

/** Decodes an option. "" means absent, as in the published example. An unknown one is UNRECOGNIZED, and fails its item. */
function decodeTranslationOption(option: string | null | undefined): ArticleTranslationStatus | null | undefined {
  if (option == null) return option;
  if (option === '') return undefined;
  return translationStatusOf(option);
}

/** The status of an option of the service; UNRECOGNIZED for an unknown one. */
export function translationStatusOf(option: string): ArticleTranslationStatus {
  for (const status of ['NONE', 'NEEDS_TRANSLATION', 'TRANSLATED', 'IN_PROGRESS'] as const) {
    if (TRANSLATION_OPTIONS[status] === option) return status;
  }
  return 'UNRECOGNIZED';
}

const bulkUpdate = requestList(articleUpdate);

/** Decodes the body of a bulk update. The error has every finding. */
export const decodeBulkUpdate = (body: unknown): Result<readonly ArticleUpdate[], readonly ServiceError[]> =>
  decodeListBody(bulkUpdate, body);

/** Encodes the outcomes of a bulk update, one for each item. */
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
 * Finds the result of each sent item: by position where the article ID agrees, then by article ID among the rest. A
 * result without an ID is matched by its position, and only where there are as many results as items. No article is
 * sent twice in one call, so an ID identifies one item, in whatever case. See docs/contract.md, "Outcomes of items".
 */
export function decodeOutcomes(
  payload: readonly unknown[],
  updates: readonly Pick<ArticleUpdate, 'articleId'>[],
): readonly ArticleOutcome[] {
  const items = payload.map(decodeResultItem);
  const areInOrder =
    items.length === updates.length && items.every(({ articleId }, index) => articleId === updates[index]?.articleId);
  if (areInOrder) return items.map((item, index) => outcomeOf(updates[index], item));
  const byPosition = updates.map(({ articleId }, index) => {
    const item = items[index] ?? null;
    return isSameId(item?.articleId, articleId) ? item : null;
  });
  const unmatched = new Map<string, ResultItem[]>();
  for (const [index, item] of items.entries()) {
    if (item.articleId === null || byPosition[index] === item) continue;
    const name = idKeyOf(item.articleId);
    const others = unmatched.get(name);
    if (others) others.push(item);
    else unmatched.set(name, [item]);
  }
  return updates.map((update, index) => {
    const positional = items.length === updates.length && items[index]?.articleId === null ? items[index] : null;
    const candidates = [byPosition[index] ?? [], unmatched.get(idKeyOf(update.articleId)) ?? []].flat();
    return outcomeOf(update, consistentItem(candidates) ?? positional ?? null);
  });
}

/** The result of one article; null when its results contradict each other. */
function consistentItem(items: readonly ResultItem[]): ResultItem | null {
  const [first] = items;
  return first && items.every(({ success }) => success === first.success) ? first : null;
}

function outcomeOf(update: Pick<ArticleUpdate, 'articleId'> | undefined, item: ResultItem | null): ArticleOutcome {
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
