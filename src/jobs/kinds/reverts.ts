import { revertMembersOf, revertOutcomeOf } from '../../core/articles/article-reverts.ts';
import { MAX_ARTICLE_LAG_MS } from '../../core/base/limits.ts';
import { isSameValue } from '../../core/field-changes.ts';
import { type ClaimedJob, persist } from '../job-context.ts';
import type { JobKind } from './job-kind.ts';
import { createRevertibleUpdates, withSnapshot } from './revertible-updates.ts';

/**
 * Reverts of another job. The items are copied from that job, and each article is compared with what that job had made of it.
 * What a revert changes is kept as by any revertible update.
 */
export function createReverts(job: ClaimedJob): JobKind {
  const { clock, settings } = job.context;
  const startedAt = clock.monotonic();
  /** A read may not show yet what another gateway has written for the reverted job. */
  const mayLag = () => clock.monotonic() - startedAt < MAX_ARTICLE_LAG_MS;
  return {
    ...createRevertibleUpdates(job, ({ target, update }) => target?.update ?? update),
    copyItems: () => persist(job, (ledger, run) => ledger.copyItems(run, settings)),
    compare(item, article) {
      const kept = withSnapshot(job, item, article);
      const { target } = item;
      if (kept.kind === 'delay' || target === undefined) return kept;
      const outcome = revertOutcomeOf(target, article);
      if (outcome === null) return kept;
      const isChanged = outcome.kind === 'not-attempted' && outcome.reason === 'CHANGED_SINCE';
      const looksUntouched = revertMembersOf(target, article)?.every(({ before, now }) => isSameValue(before, now));
      return isChanged && looksUntouched && mayLag() ? { kind: 'delay' } : { kind: 'end', outcome };
    },
  };
}
