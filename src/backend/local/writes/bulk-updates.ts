import { ok, type Result } from '../../../base/result.ts';
import type { ArticleOutcome } from '../../../domain/articles/article-outcomes.ts';
import type { ArticleUpdate, CompletedBulkUpdate } from '../../../domain/articles/bulk-updates.ts';
import type { BackendError } from '../../../domain/errors.ts';
import { HTML_CONTENT_DEPRECATED } from '../../../domain/notices.ts';
import { type ArticleChanges, createArticleChanges } from './article-changes.ts';
import { type ArticleTarget, findArticleTargets, validateArticleUpdate } from './article-targets.ts';
import { lockRows } from './row-locks.ts';
import { runInTransaction, type WritableStore } from './transactions.ts';

/**
 * Applies the items in their order, in one transaction of a few statements. A failing item changes nothing, and the
 * others are applied: see docs/contract.md, "Store bulk update".
 */
export async function bulkUpdateArticles(
  store: WritableStore,
  updates: readonly ArticleUpdate[],
): Promise<Result<CompletedBulkUpdate, BackendError>> {
  const articleIds = updates.map(({ articleId }) => articleId);
  let outcomes: readonly ArticleOutcome[] = [];
  const written = await runInTransaction(store, async (transaction) => {
    await lockRows(transaction, 'articles', articleIds);
    const targets = await findArticleTargets(transaction, updates);
    const changes = createArticleChanges(new Date());
    outcomes = updates.map((update, index) => applyItem(update, targets[index], changes));
    await changes.write(transaction);
  });
  if (written.ok) return ok(toBulkUpdate(outcomes, updates));
  if (written.error.kind !== 'outcome-unknown') return written;
  const { message } = written.error;
  return ok(
    toBulkUpdate(
      outcomes.map((outcome) => markUnknown(outcome, message)),
      updates,
    ),
  );
}

/** Items that were to be written may have been; failed items certainly were not. */
const markUnknown = (outcome: ArticleOutcome, details: string): ArticleOutcome =>
  outcome.kind === 'updated' ? { ...outcome, kind: 'unknown', details } : outcome;

function applyItem(update: ArticleUpdate, target: ArticleTarget | undefined, changes: ArticleChanges): ArticleOutcome {
  const { articleId } = update;
  if (articleId === '') return { kind: 'failed', articleId, details: 'An item without an article ID changes nothing.' };
  if (!target) throw new Error('An item of a bulk update has no target.');
  const validated = validateArticleUpdate(update, target);
  if (!validated.ok) {
    const details = `The article ${articleId} was not updated: ${validated.error.join('; ')}.`;
    return { kind: 'failed', articleId, details };
  }
  changes.add(update, validated.value);
  return { kind: 'updated', articleId, details: `The article ${articleId} was updated.` };
}

const toBulkUpdate = (outcomes: readonly ArticleOutcome[], updates: readonly ArticleUpdate[]): CompletedBulkUpdate => ({
  outcomes,
  serviceErrors: [],
  warnings: updates.some(({ htmlContent }) => htmlContent != null) ? [HTML_CONTENT_DEPRECATED] : [],
  information: [],
  extensionData: null,
});
