import type { ArticleOutcome, ArticleUpdate, BulkUpdate } from '../../../domain/articles/bulk-updates.ts';
import type { BackendError } from '../../../domain/errors.ts';
import { HTML_DEPRECATED } from '../../../domain/notices.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { type ArticleChanges, createArticleChanges } from './article-changes.ts';
import { judge } from './article-rules.ts';
import { type ArticleTarget, articleTargets } from './article-targets.ts';
import { lockRows } from './row-locks.ts';
import { type Writable, write } from './transactions.ts';

/**
 * Applies the items in their order, in one transaction of a few statements. An item that
 * something stands against leaves no trace; the others are applied (contract, section 4).
 */
export async function bulkUpdateArticles(
  store: Writable,
  updates: readonly ArticleUpdate[],
): Promise<Result<BulkUpdate, BackendError>> {
  const articleIds = updates.map(({ articleId }) => articleId);
  let outcomes: readonly ArticleOutcome[] = [];
  const written = await write(store, async (within) => {
    await lockRows(within, 'articles', articleIds);
    const targets = await articleTargets(within, updates);
    const changes = createArticleChanges(new Date());
    outcomes = updates.map((update, index) => apply(update, targets[index], changes));
    await changes.write(within);
  });
  if (written.ok) return ok(answerWith(outcomes, updates));
  if (written.error.kind !== 'outcome-unknown') return written;
  const { message } = written.error;
  return ok(
    answerWith(
      outcomes.map((outcome) => inDoubt(outcome, message)),
      updates,
    ),
  );
}

/** What was to be written may have been or not; what was not to be is certain. */
const inDoubt = (outcome: ArticleOutcome, details: string): ArticleOutcome =>
  outcome.kind === 'updated' ? { ...outcome, kind: 'unknown', details } : outcome;

function apply(update: ArticleUpdate, target: ArticleTarget | undefined, changes: ArticleChanges): ArticleOutcome {
  const { articleId } = update;
  if (articleId === '') return { kind: 'failed', articleId, details: 'An item without an article ID changes nothing.' };
  if (!target) throw new Error('An item of a bulk update was not looked up.');
  const judged = judge(update, target);
  if (!judged.ok) {
    const details = `The article ${articleId} was not updated: ${judged.error.join('; ')}.`;
    return { kind: 'failed', articleId, details };
  }
  changes.add(update, judged.value);
  return { kind: 'updated', articleId, details: `The article ${articleId} was updated.` };
}

const answerWith = (outcomes: readonly ArticleOutcome[], updates: readonly ArticleUpdate[]): BulkUpdate => ({
  outcomes,
  serviceErrors: [],
  warnings: updates.some(({ htmlContent }) => htmlContent != null) ? [HTML_DEPRECATED] : [],
  information: [],
  extensionData: null,
});
