import { revertOutcomeOf } from '../../core/articles/article-reverts.ts';
import { type ClaimedJob, persist } from '../job-context.ts';
import type { JobKind } from './job-kind.ts';
import { createRevertibleUpdates, withSnapshot } from './revertible-updates.ts';

/**
 * Reverts of another job. The items are copied from that job, and each article is compared with what that job had made of it.
 * What a revert changes is kept as by any revertible update.
 */
export function createReverts(job: ClaimedJob): JobKind {
  const { settings } = job.context;
  return {
    ...createRevertibleUpdates(job, ({ target, update }) => target?.update ?? update),
    copyItems: () => persist(job, (ledger, run) => ledger.copyItems(run, settings)),
    compare(item, article) {
      const kept = withSnapshot(job, item, article);
      const { target } = item;
      if (kept.kind === 'delay' || target === undefined) return kept;
      const outcome = revertOutcomeOf(target, article);
      return outcome === null ? kept : { kind: 'end', outcome };
    },
  };
}
