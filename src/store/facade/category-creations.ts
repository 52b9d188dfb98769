import { type CategoryCreation, titledOf } from '../../core/articles/category-creations.ts';
import { MAX_CREATED_ARTICLES } from '../../core/base/limits.ts';
import { allOk, err, mapOk, ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import { createServiceError } from '../../core/notices.ts';
import { createdText, failedText } from '../../service/v2/article-creations.ts';
import { decodeCategoryBody, decodeCategoryListBody } from '../../service/v2/category-creations.ts';
import { bodyRejection, decodeItems, type EnvelopeResult, type FacadeRequest, rejection } from './route-handler.ts';

/** Answers with the category. */
export async function createCategory(request: FacadeRequest): EnvelopeResult {
  const items = decodeItems(request, 'created', decodeCategoryBody);
  const created = await create(request, items, (_item, reason) => reason);
  return mapOk(created, ([category]) => {
    const { item, category_id: id } = category ?? {};
    return { payload: { data: { id, name: item?.name, order: item?.order ?? 0, icon: null } }, success: true };
  });
}

/** Creates all items that can be created. If one fails, the answer is an error that names the first such item. */
export async function bulkCreateCategories(request: FacadeRequest): EnvelopeResult {
  const maxBulkItems = Math.min(request.maxBulkItems, MAX_CREATED_ARTICLES);
  const items = decodeItems({ ...request, maxBulkItems }, 'created', decodeCategoryListBody);
  const created = await create(request, items, (item, reason) => failedText(titledOf(item), reason, 'category'));
  return mapOk(created, (categories) => {
    const entryOf = ({ item, category_id }: (typeof categories)[number]) => ({
      category_id,
      success: true,
      details: createdText(titledOf(item), 'category'),
    });
    return { payload: { data: categories.map(entryOf) }, success: true };
  });
}

/** The new categories. The service has no status for an unknown outcome, so it is an error of the server. */
async function create(
  { backend, caller }: FacadeRequest,
  items: Result<readonly CategoryCreation[], BackendError>,
  describe: (item: CategoryCreation, reason: string) => string,
) {
  if (!items.ok) return items;
  const created = await backend.createCategories(caller, items.value);
  if (!created.ok) return created;
  return allOk(
    items.value.map((item, index) => {
      const outcome = created.value.outcomes[index];
      if (outcome?.kind === 'created') return ok({ item, category_id: outcome.categoryId });
      const description = describe(item, outcome?.details ?? '');
      const isFailed = outcome?.kind === 'failed';
      return err(isFailed ? bodyRejection([createServiceError(description, '400')]) : rejection(500, description));
    }),
  );
}
