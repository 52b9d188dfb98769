import type { ArticleOutcome, CompletedBulkUpdate } from '../../core/articles/article-outcomes.ts';
import { type ArticleUpdate, MEMBERS, makesTranslation } from '../../core/articles/bulk-updates.ts';
import { type ArticleUpdateItem, ruleOf, SKIPPED_AS_PUBLISHED, withDraft } from '../../core/articles/forks.ts';
import { indexedWordsOf } from '../../core/articles/search-words.ts';
import { ok, type Result } from '../../core/base/result.ts';
import { storedTextProblem } from '../../core/base/text.ts';
import { timeLeft } from '../../core/callers/caller.ts';
import type { RequestReport, WritePeriod } from '../../core/callers/request-report.ts';
import type { BackendError } from '../../core/errors.ts';
import { HTML_CONTENT_DEPRECATED } from '../../core/notices.ts';
import { areLong, findWords, mergeWords, WORD_TEXTS } from '../tables/article-words.ts';
import type { StoreDatabase } from '../tables/tables.ts';
import { lockNewEntries, lockRows, runInTransaction, type WritableStore } from '../transactions.ts';
import { type ArticleChange, insertTranslations, type TargetVersion, writeArticleChanges } from './article-changes.ts';
import {
  type ArticleTarget,
  findArticleTargets,
  isComplete,
  missingTargetReasons,
  outcomesOfTransaction,
} from './article-targets.ts';
import { accountProblem, StoreForks } from './forks.ts';
import { findChangedItems } from './revisions.ts';

/**
 * Applies the items in their order, in one transaction of a few statements, with the forks of published versions. A failing
 * item changes nothing, and the others are applied: see docs/contract.md, "Store bulk update".
 */
export async function bulkUpdateArticles(
  { report, ...store }: WritableStore & { readonly report: RequestReport },
  updates: readonly ArticleUpdateItem[],
): Promise<Result<CompletedBulkUpdate, BackendError>> {
  const articleIds = updates.map(({ articleId }) => articleId);
  const contents = updates.map(({ content, htmlContent }) => content ?? htmlContent ?? null);
  const delaysMerging = areLong(contents);
  const wordsOf = delaysMerging ? await findWords(contents) : indexedWordsOf;
  let outcomes: readonly ArticleOutcome[] = [];
  let period: WritePeriod | null = null;
  /** Writes nothing, and returns false, where translations would be made without the lock for new entries. */
  const write = (withNewEntries: boolean) =>
    runInTransaction(store, async (transaction) => {
      if (withNewEntries) await lockNewEntries(transaction);
      await lockRows(transaction, 'articles', articleIds);
      const targets = await findArticleTargets(transaction, updates);
      const forks = await planForks(transaction, updates);
      const changed = await findChangedItems(transaction, updates);
      const planned = new PlannedChanges();
      outcomes = updates.map((update, index) => {
        const unsent = changed.get(update);
        return unsent
          ? { ...unsent, articleId: update.articleId }
          : applyItem({ update, stored: targets[index], forks, planned });
      });
      const created = [...planned.created.values()];
      if (created.length > 0 && !withNewEntries) return false;
      await forks?.planned.write(transaction, forks.userId);
      await insertTranslations(transaction, created);
      const latestOf = (target: TargetVersion) => forks?.planned.latestOf(target) ?? target.latest_version_number;
      const isLatest = (target: TargetVersion) => target.version_number === latestOf(target);
      period = await writeArticleChanges(transaction, planned.changes, { isLatest, wordsOf, delaysMerging });
      return true;
    });
  const first = await write(false);
  const written = first.ok && !first.value ? await write(true) : first;
  report.add({ kind: 'written', period });
  if (delaysMerging && written.ok) await mergeAllWords(store);
  const ended = outcomesOfTransaction(written, outcomes);
  return ended.ok ? ok(toBulkUpdate(ended.value, updates)) : ended;
}

/** The time that has to be left for another merge, in milliseconds. */
const MIN_TIME_FOR_MERGE_MS = 3_000;

/**
 * Merges what long texts have left in the index of words, a little at a time: writes of others do not wait for all of it.
 * What is left where the call has no time for it is merged after the next long texts.
 */
async function mergeAllWords(store: WritableStore): Promise<void> {
  const { callContext, database } = store;
  const hasTime = () =>
    callContext === null || (!callContext.isGone() && timeLeft(callContext) > MIN_TIME_FOR_MERGE_MS);
  if (database.dialect.wordIndex.merging === null) return;
  for (const text of WORD_TEXTS) {
    let isMerging = true;
    while (isMerging && hasTime()) {
      const merged = await runInTransaction(store, (transaction) => mergeWords(transaction, text));
      isMerging = merged.ok && merged.value;
    }
  }
}

/** What the items of a bulk update change, and the translations that they make, by article and language. */
class PlannedChanges {
  readonly changes: ArticleChange[] = [];
  readonly created = new Map<string, ArticleTarget & TargetVersion>();

  /** The target with the version that an earlier item has made, or that this one makes. */
  targetOf(update: ArticleUpdate, target: ArticleTarget): ArticleTarget {
    const { article_id, language_code, latest_version_number, content_type } = target;
    if (article_id === null || language_code === null || latest_version_number !== null) return target;
    const isMade = this.created.has(keyOf(target)) && (update.versionNumber ?? 1) === 1;
    return isMade || makesTranslation(update, content_type)
      ? { ...target, latest_version_number: 1, version_number: 1 }
      : target;
  }

  add(change: ArticleChange, made: (ArticleTarget & TargetVersion) | null): void {
    this.changes.push(change);
    if (made !== null) this.created.set(keyOf(made), made);
  }
}

const keyOf = ({ article_id, language_code }: ArticleTarget): string => JSON.stringify([article_id, language_code]);

/** The forks of the items, all of which name one account. */
interface Forks {
  readonly userId: string;
  /** The reason why nothing is forked; null where there is none. */
  readonly problem: string | null;
  readonly planned: StoreForks;
}

async function planForks(transaction: StoreDatabase, updates: readonly ArticleUpdateItem[]): Promise<Forks | null> {
  const rule = updates.map(ruleOf).find((one) => one?.kind === 'FORK');
  if (rule?.kind !== 'FORK') return null;
  const { userId } = rule;
  return { userId, problem: await accountProblem(transaction, userId), planned: new StoreForks() };
}

interface AppliedItem {
  readonly update: ArticleUpdateItem;
  readonly stored: ArticleTarget | undefined;
  readonly forks: Forks | null;
  readonly planned: PlannedChanges;
}

/** The outcome of an item, or every reason why it fails: see docs/contract.md, "Store bulk update". */
function applyItem({ update, stored, forks, planned }: AppliedItem): ArticleOutcome {
  const { articleId } = update;
  if (articleId === '') return { kind: 'failed', articleId, details: 'An item without an article ID changes nothing.' };
  if (!stored) throw new Error('An item of a bulk update has no target.');
  const target = planned.targetOf(update, stored);
  const rule = isPublishedTarget(target) ? ruleOf(update) : undefined;
  const reasons = [...missingTargetReasons(update, target), ...invalidValueReasons(update, target)];
  if (rule?.kind === 'FORK' && forks !== null && forks.problem !== null)
    reasons.push(forks.problem.replace(/\.$/u, ''));
  if (reasons.length > 0) {
    return { kind: 'failed', articleId, details: `The article ${articleId} was not updated: ${reasons.join('; ')}.` };
  }
  if (!isComplete(target)) throw new Error('An item without a target has passed the rules.');
  if (rule?.kind === 'SKIP') return { ...SKIPPED_AS_PUBLISHED, articleId };
  const draft = rule === undefined ? undefined : forks?.planned.add(target);
  const outcome = { kind: 'updated', articleId, details: `The article ${articleId} was updated.` } as const;
  planned.add(
    { update, target: draft === undefined ? target : draftOf(target, draft) },
    stored.version_number === null ? target : null,
  );
  return draft === undefined ? outcome : withDraft(outcome, draft);
}

/** The draft has the texts of its version, whose words the fork may have indexed: those of its changes are indexed again. */
const draftOf = (target: TargetVersion, draft: number): TargetVersion => ({
  ...target,
  version_number: draft,
  title_digest: null,
  content_digest: null,
});

const isPublishedTarget = ({ status, version_number, public_version_number }: ArticleTarget): boolean =>
  status === 'PUBLISHED' || (version_number !== null && version_number === public_version_number);

const toBulkUpdate = (outcomes: readonly ArticleOutcome[], updates: readonly ArticleUpdate[]): CompletedBulkUpdate => ({
  outcomes,
  serviceErrors: [],
  warnings: updates.some(({ htmlContent }) => htmlContent != null) ? [HTML_CONTENT_DEPRECATED] : [],
  information: [],
  extensionData: null,
});

function invalidValueReasons(update: ArticleUpdate, target: ArticleTarget): readonly string[] {
  const { title, categoryId, translationStatus } = update;
  const reasons: string[] = [];
  if (categoryId && target.article_id !== null && target.category_id === null) {
    reasons.push(`its project version has no category ${categoryId}`);
  }
  if (translationStatus === 'IN_PROGRESS' || translationStatus === 'UNRECOGNIZED') {
    reasons.push('the translation status must be 0 (none), 1 (needs translation) or 2 (translated)');
  }
  const titleProblem = title == null ? null : storedTextProblem('title', title);
  if (titleProblem !== null) reasons.push(`the title ${titleProblem}`);
  for (const [name, { compare, problemOf }] of MEMBERS) {
    // The members that identify the text were checked before, and null changes nothing.
    const problem = compare === null || update[name] == null ? null : problemOf(update);
    if (problem !== null) reasons.push(`the ${name} ${problem}`);
  }
  return reasons;
}
