import type { ClaimedJob } from '../job-context.ts';
import type { LedgerJob } from '../state/ledger.ts';
import { callsOfForks, ForkKind } from './forks.ts';
import type { JobKind } from './job-kind.ts';
import { callsOfPublications, Publications } from './publications.ts';
import { callsOfRevertibleUpdates, createRevertibleUpdates } from './revertible-updates.ts';
import { createReverts } from './reverts.ts';
import { type CallSettings, callsOfUpdates, createUpdates } from './updates.ts';

/** The kinds of a job, in the order in which an item passes them. */
export function kindsOfJob(claimed: ClaimedJob): readonly [JobKind, ...JobKind[]] {
  const { revertOf, keepBefore, publication, ifPublished } = claimed.job;
  const create = revertOf !== null ? createReverts : keepBefore === 'NEVER' ? createUpdates : createRevertibleUpdates;
  const updates = create(claimed);
  const published = publication === undefined ? [] : [new Publications(claimed, publication)];
  return ifPublished === undefined
    ? [updates, ...published]
    : [new ForkKind(claimed, ifPublished, updates), updates, ...published];
}

/** The calls that the pending items of a job take over the service. */
export function callsOfJob(
  {
    keepBefore,
    publication,
    ifPublished,
    withTexts,
    counts: { pending, total },
  }: Pick<LedgerJob, 'keepBefore' | 'publication' | 'ifPublished' | 'withTexts' | 'counts'>,
  settings: CallSettings,
): number {
  const { bulkSize } = settings;
  const published = publication === undefined ? 0 : callsOfPublications(pending, bulkSize);
  const forks = ifPublished === undefined ? 0 : callsOfForks(pending, ifPublished.kind, bulkSize);
  if (keepBefore === 'NEVER') return callsOfUpdates(pending, settings) + forks + published;
  const texts = Math.ceil((withTexts * pending) / Math.max(1, total));
  return callsOfRevertibleUpdates(pending, { bulkSize, texts }) + forks + published;
}
