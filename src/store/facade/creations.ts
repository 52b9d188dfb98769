import type { CreationOutcome } from '../../core/articles/article-creations.ts';
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
import { articleCreation, categoryCreation, createdText, failedText } from '../../service/v2/creations.ts';
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

/** Answers with the article. */
export async function createArticle(request: FacadeRequest): EnvelopeResult {
  const { backend, caller } = request;
  const items = decodeItems(request, 'created', (body) => decodeItemBody(articleCreation, body));
  const created = await createAll(items, (valid) => backend.createArticles(caller, valid));
  if (!created.ok) return created;
  return answerWithArticle(request, { articleId: onlyResult(created.value).outcome.articleId });
}

/** Answers with the category. */
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

const articleList = requestList(articleCreation);

/** Creates all items that can be created. If one fails, the answer is an error that names the first such item. */
export async function bulkCreateArticles(request: FacadeRequest): EnvelopeResult {
  const { backend, caller } = request;
  const items = decodeItems(request, 'created', (body) => decodeListBody(articleList, body));
  const created = await createAll(items, (valid) => backend.createArticles(caller, valid), failedText);
  return mapOk(created, (articles) => {
    const data = articles.map(({ item, outcome: { articleId } }) => ({
      article_id: articleId,
      success: true,
      details: createdText(item),
    }));
    return { payload: { data }, success: true };
  });
}

const categoryList = requestList(categoryCreation);

/** Creates all items that can be created, as `bulkCreateArticles`. */
export async function bulkCreateCategories(request: FacadeRequest): EnvelopeResult {
  const { backend, caller } = request;
  const items = decodeItems(request, 'created', (body) => decodeListBody(categoryList, body));
  const send = (valid: readonly CategoryCreation[]) => backend.createCategories(caller, valid);
  const created = await createAll(items, send, (item, reason) => failedText(titledOf(item), reason, 'category'));
  return mapOk(created, (categories) => {
    const data = categories.map(({ item, outcome: { categoryId } }) => ({
      category_id: categoryId,
      success: true,
      details: createdText(titledOf(item), 'category'),
    }));
    return { payload: { data }, success: true };
  });
}

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
