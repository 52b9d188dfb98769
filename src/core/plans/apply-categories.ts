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
  keepCategories(run);
  for (const level of [...levels.keys()].toSorted((one, other) => one - other)) {
    const ready = levels.get(level)?.filter(({ parent }) => parent === null || run.categories.has(parent)) ?? [];
    const open = openCategories(run, ready, stored);
    for (const part of inBatches(open, CALL_ITEMS)) await createPart(run, part);
    keepCategories(run);
  }
}

const keepCategories = (run: ApplyRun): void =>
  run.keep([...run.categories].map(([folder, id]) => ({ path: `${folder}/`, id })));

/** The categories that no other run has created since the plan. Folders of one name have a category each. */
function openCategories(run: ApplyRun, wanted: readonly CategoryItem[], stored: readonly StoredCategory[]) {
  const taken = new Set(run.categories.values());
  const named = Map.groupBy(stored, ({ parentId, name }) => JSON.stringify([parentId, name]));
  return wanted.filter(({ folder, name, parent }) => {
    const parentId = parent === null ? null : run.categories.get(parent);
    const free = named.get(JSON.stringify([parentId, name]))?.filter(({ categoryId }) => !taken.has(categoryId)) ?? [];
    const kept = run.options.locked.get(`${folder}/`);
    const found = free.find(({ categoryId }) => categoryId === kept) ?? free[0];
    if (found === undefined) return true;
    taken.add(found.categoryId);
    run.categories.set(folder, found.categoryId);
    return false;
  });
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
