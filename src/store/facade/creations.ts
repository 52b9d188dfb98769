import type { z } from 'zod';
import type { ArticleCreation, CreationOutcome } from '../../core/articles/article-creations.ts';
import type { CompletedItems } from '../../core/articles/article-outcomes.ts';
import {
  type CategoryCreation,
  type CategoryCreationOutcome,
  titledOf,
} from '../../core/articles/category-creations.ts';
import type { BackendResult } from '../../core/backend.ts';
import { allOk, err, mapOk, ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import { createServiceError } from '../../core/notices.ts';
import {
  articleCreation,
  categoryCreation,
  createdText,
  failedText,
  type Noun,
  type Titled,
} from '../../service/v2/creations.ts';
import { decodeItemBody, decodeListBody, requestList } from '../../service/v2/request-bodies.ts';
import { answerWithArticle } from './articles.ts';
import {
  bodyRejection,
  decodeItems,
  type EnvelopeResult,
  type FacadeRequest,
  onlyResult,
  rejection,
} from './route-handler.ts';

export async function createArticle(request: FacadeRequest): EnvelopeResult {
  const { backend, caller } = request;
  const items = decodeItems(request, 'created', (body) => decodeItemBody(articleCreation, body));
  const created = await createAll(items, (valid) => backend.createArticles(caller, valid));
  if (!created.ok) return created;
  return answerWithArticle(request, { articleId: onlyResult(created.value).outcome.articleId });
}

export async function createCategory(request: FacadeRequest): EnvelopeResult {
  const { backend, caller } = request;
  const items = decodeItems(request, 'created', (body) => decodeItemBody(categoryCreation, body));
  const created = await createAll(items, (valid) => backend.createCategories(caller, valid));
  return mapOk(created, (categories) => {
    const { item, outcome } = onlyResult(categories);
    const data = { id: outcome.categoryId, name: item.name, order: item.order ?? 0, icon: null };
    return { payload: { data }, success: true };
  });
}

interface BulkCreate<Item, Outcome extends AnyOutcome> {
  readonly noun: Noun;
  readonly list: z.ZodType<readonly Item[]>;
  readonly send: (request: FacadeRequest, items: readonly Item[]) => BackendResult<CompletedItems<Outcome>>;
  readonly titledOf: (item: Item) => Titled;
  readonly idOf: (outcome: Extract<Outcome, { kind: 'created' }>) => string;
}

/** Creates all items that can be created. If one fails, the answer is an error that names the first such item. */
const bulkCreate =
  <Item, Outcome extends AnyOutcome>({ noun, list, send, titledOf, idOf }: BulkCreate<Item, Outcome>) =>
  async (request: FacadeRequest): EnvelopeResult => {
    const items = decodeItems(request, 'created', (body) => decodeListBody(list, body));
    const describe = (item: Item, reason: string) => failedText(titledOf(item), reason, noun);
    const created = await createAll(items, (valid) => send(request, valid), describe);
    return mapOk(created, (all) => {
      const data = all.map(({ item, outcome }) => ({
        [`${noun}_id`]: idOf(outcome),
        success: true,
        details: createdText(titledOf(item), noun),
      }));
      return { payload: { data }, success: true };
    });
  };

export const bulkCreateArticles = bulkCreate<ArticleCreation, CreationOutcome>({
  noun: 'article',
  list: requestList(articleCreation),
  send: ({ backend, caller }, items) => backend.createArticles(caller, items),
  titledOf: (item) => item,
  idOf: ({ articleId }) => articleId,
});

export const bulkCreateCategories = bulkCreate<CategoryCreation, CategoryCreationOutcome>({
  noun: 'category',
  list: requestList(categoryCreation),
  send: ({ backend, caller }, items) => backend.createCategories(caller, items),
  titledOf,
  idOf: ({ categoryId }) => categoryId,
});

/**
 * Creates articles or categories, and returns each with its outcome. The service has no status for an unknown outcome, so
 * it is an error of the server.
 */
async function createAll<Item, Outcome extends AnyOutcome>(
  items: Result<readonly Item[], BackendError>,
  send: (items: readonly Item[]) => BackendResult<CompletedItems<Outcome>>,
  describe = (_item: Item, reason: string): string => reason,
) {
  if (!items.ok) return items;
  const created = await send(items.value);
  if (!created.ok) return created;
  return allOk(
    items.value.map((item, index) => {
      const outcome = created.value.outcomes[index];
      if (outcome !== undefined && isCreated(outcome)) return ok({ item, outcome });
      const description = describe(item, outcome?.details ?? '');
      const isFailed = outcome?.kind === 'failed';
      return err(isFailed ? bodyRejection([createServiceError(description, '400')]) : rejection(500, description));
    }),
  );
}

const isCreated = <Outcome extends AnyOutcome>(outcome: Outcome): outcome is Extract<Outcome, { kind: 'created' }> =>
  outcome.kind === 'created';

type AnyOutcome = CreationOutcome | CategoryCreationOutcome;
