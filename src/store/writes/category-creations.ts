import { categoryKeysOf, findReferences, userIdsOf } from '../../core/articles/article-creations.ts';
import { completedItems } from '../../core/articles/article-outcomes.ts';
import {
  CATEGORY_INPUT,
  type CategoryCreation,
  type CategoryCreationOutcome,
  type CompletedCategoryCreation,
  referringOf,
} from '../../core/articles/category-creations.ts';
import { mapOk, ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import { categories } from '../reads/categories.ts';
import { projectVersions } from '../reads/project-versions.ts';
import { teamAccounts } from '../reads/team-accounts.ts';
import { insertRows } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/tables.ts';
import { lockNewEntries, runInTransaction, type WritableStore } from '../transactions.ts';

/** Creates the categories in one transaction. An item that refers to what does not exist fails, and the others are created. */
export async function createCategories(
  store: WritableStore,
  items: readonly CategoryCreation[],
): Promise<Result<CompletedCategoryCreation, BackendError>> {
  let planned: readonly CategoryCreationOutcome[] = [];
  const work = async (transaction: StoreDatabase) => {
    await lockNewEntries(transaction);
    planned = await planCategories(transaction, items);
    const rows = items.flatMap(({ name, projectVersionId, parentCategoryId = null, order = 0 }, index) => {
      const outcome = planned[index];
      const place = { project_version_id: projectVersionId, parent_category_id: parentCategoryId, position: order };
      return outcome?.kind === 'created' ? [{ id: outcome.categoryId, name, ...place }] : [];
    });
    await insertRows(transaction, 'categories', rows);
  };
  const written = await runInTransaction(store, work, { row: 'new categories' });
  if (written.ok) return ok(completedItems(planned));
  if (written.error.kind !== 'outcome-unknown') return written;
  const { message } = written.error;
  return ok(
    completedItems(planned.map((one) => (one.kind === 'created' ? { kind: 'unknown', details: message } : one))),
  );
}

/** The outcome of each item, if the transaction is stored. */
async function planCategories(
  transaction: StoreDatabase,
  items: readonly CategoryCreation[],
): Promise<readonly CategoryCreationOutcome[]> {
  const referring = items.map(referringOf);
  const versions = await projectVersions(transaction);
  const reads = {
    // Categories are read in a language.
    versions: mapOk(versions, (all) => all.filter(({ languages }) => languages.length > 0)),
    accounts: await teamAccounts(transaction, userIdsOf(referring)),
    categories: await categories(transaction, categoryKeysOf(referring)),
  };
  const references = findReferences(referring, reads, CATEGORY_INPUT);
  if (!references.ok) throw new Error('A read of the store has failed.');
  return references.value.map(({ issues }) =>
    issues.length > 0
      ? { kind: 'failed', details: issues.map(({ message }) => message).join(' ') }
      : { kind: 'created', details: null, categoryId: crypto.randomUUID() },
  );
}
