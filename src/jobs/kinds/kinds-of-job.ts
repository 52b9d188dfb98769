import type { ClaimedJob } from '../job-context.ts';
import type { LedgerJob } from '../state/ledger.ts';
import type { JobKind } from './job-kind.ts';
import { callsOfPublications, Publications } from './publications.ts';
import { callsOfRevertibleUpdates, createRevertibleUpdates } from './revertible-updates.ts';
import { createReverts } from './reverts.ts';
import { type CallSettings, callsOfUpdates, createUpdates } from './updates.ts';

/** The kinds of a job, in the order in which an item passes them. */
export function kindsOfJob(claimed: ClaimedJob): readonly [JobKind, ...JobKind[]] {
  const { revertOf, keepBefore, publication } = claimed.job;
  const create = revertOf !== null ? createReverts : keepBefore === 'NEVER' ? createUpdates : createRevertibleUpdates;
  return publication === undefined ? [create(claimed)] : [create(claimed), new Publications(claimed, publication)];
}

/** The calls that the pending items of a job take over the service. */
export function callsOfJob(
  {
    keepBefore,
    publication,
    withTexts,
    counts: { pending, total },
  }: Pick<LedgerJob, 'keepBefore' | 'publication' | 'withTexts' | 'counts'>,
  settings: CallSettings,
): number {
  const { bulkSize } = settings;
  const published = publication === undefined ? 0 : callsOfPublications(pending, bulkSize);
  if (keepBefore === 'NEVER') return callsOfUpdates(pending, settings) + published;
  const texts = Math.ceil((withTexts * pending) / Math.max(1, total));
  return callsOfRevertibleUpdates(pending, { bulkSize, texts }) + published;
}
