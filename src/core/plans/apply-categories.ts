import { type ApplyRun, CALL_ITEMS, notDoneOf } from './apply-run.ts';
import type { PlanItemOf } from './plan-file.ts';
import { NO_OUTCOME, notDoneReason, type StoredCategory, type WriteOutcome } from './plan-gateway.ts';
import { inBatches, readCategories, resultOf } from './target.ts';

type CategoryItem = PlanItemOf<'category'>;

/** Creates the categories that are not there, level by level from the top on. */
export async function createPlannedCategories(run: ApplyRun): Promise<void> {
  for (const { folder, categoryId } of run.itemsOf('known-category')) run.categories.set(folder, categoryId);
  const wanted = run.itemsOf('category');
  const { gateway, plan } = run.options;
  const stored = wanted.length === 0 ? [] : await readCategories(gateway, plan.header.target);
  const levels = Map.groupBy(wanted, ({ folder }) => folder.split('/').length);
  for (const level of [...levels.keys()].toSorted((one, other) => one - other)) {
    const ready = levels.get(level)?.filter(({ parent }) => parent === null || run.categories.has(parent)) ?? [];
    const open = ready.filter((category) => !isThere(run, category, stored));
    for (const part of inBatches(open, CALL_ITEMS)) await createPart(run, part);
  }
  run.keep([...run.categories].map(([folder, id]) => ({ path: `${folder}/`, id })));
}

/** True where another run has created it since the plan. */
function isThere(run: ApplyRun, { folder, name, parent }: CategoryItem, stored: readonly StoredCategory[]): boolean {
  const above = parent === null ? [] : stored.find(({ categoryId }) => categoryId === run.categories.get(parent))?.path;
  const path = JSON.stringify([...(above ?? []), name]);
  const [found, other] = above === undefined ? [] : stored.filter((one) => JSON.stringify(one.path) === path);
  if (found !== undefined && other === undefined) run.categories.set(folder, found.categoryId);
  return run.categories.has(folder);
}

/** Where a recorded answer says that none was created, they are sent once more, with another key. */
async function createPart(run: ApplyRun, part: readonly CategoryItem[]): Promise<void> {
  const { gateway, userId, plan } = run.options;
  const { projectVersionId } = plan.header.target;
  const categories = part.map(({ name, parent, order }) => ({
    name,
    projectVersionId,
    ...(parent !== null && { parentCategoryId: run.categories.get(parent) }),
    ...(order !== undefined && { order }),
  }));
  const input = { categories, userId };
  for (let earlier = 0; ; earlier += 1) {
    const key = run.keyOf([earlier, input]);
    const { replayed, results } = resultOf(await gateway.createCategories({ key, input }));
    if (replayed && earlier < MAX_EARLIER && results.every(isNothing)) continue;
    for (const [index, { folder }] of part.entries()) {
      const outcome = results[index] ?? NO_OUTCOME;
      if (outcome.categoryId !== undefined) run.categories.set(folder, outcome.categoryId);
      else run.fail(`${folder}/`, `the category was not created: ${notDoneReason(outcome)}`, notDoneOf(outcome));
    }
    return;
  }
}

const MAX_EARLIER = 100;

const isNothing = ({ __typename: type }: WriteOutcome): boolean => /Failed$|NotAttempted$/u.test(type);
