import { revertOutcomeOf, withNotRestored } from '../../core/articles/article-reverts.ts';
import { changesVersion } from '../../core/articles/bulk-updates.ts';
import { toDraft } from '../../core/articles/forks.ts';
import { type ClaimedJob, persist } from '../job-context.ts';
import { comparePublished } from './forks.ts';
import type { JobKind } from './job-kind.ts';
import { createRevertibleUpdates, withSnapshot } from './revertible-updates.ts';

/**
 * Reverts of another job. The items are copied from that job, and each article is compared with what that job had made of it.
 * What a revert changes is kept as by any revertible update.
 */
export function createReverts(job: ClaimedJob): JobKind {
  const { settings } = job.context;
  const rule = job.job.ifPublished;
  const updates = createRevertibleUpdates(job, ({ target, update, fork }) => toDraft(target?.update ?? update, fork));
  return {
    ...updates,
    copyItems: () => persist(job, (ledger, run) => ledger.copyItems(run, settings)),
    compare(item, article) {
      const kept = withSnapshot(job, item, article);
      const { target, fork } = item;
      // The text of the published version was compared before the fork.
      if (kept.kind === 'delay' || target === undefined || fork?.draftVersionNumber !== undefined) return kept;
      const outcome = revertOutcomeOf(target, article);
      if (outcome !== null) return { kind: 'end', outcome };
      if (rule === undefined || article === null || kept.kind === 'end' || !changesVersion(item.update)) return kept;
      return comparePublished(rule, article) ?? kept;
    },
    report: (item, outcome) => updates.report(item, withNotRestored(outcome, item.target)),
    async readBack(items, read) {
      const targets = new Map(items.map(({ index, target }) => [index, target]));
      return (await updates.readBack(items, read)).map((report) =>
        'outcome' in report
          ? { ...report, outcome: withNotRestored(report.outcome, targets.get(report.index)) }
          : report,
      );
    },
  };
}
