import type { ClaimedJob } from '../job-context.ts';
import type { JobKind } from './job-kind.ts';
import { Publications } from './publications.ts';
import { createRevertibleUpdates } from './revertible-updates.ts';
import { createReverts } from './reverts.ts';
import { createUpdates } from './updates.ts';

/** The kinds of a job, in the order in which an item passes them. */
export function kindsOfJob(claimed: ClaimedJob): readonly [JobKind, ...JobKind[]] {
  const { revertOf, keepBefore, publication } = claimed.job;
  const create = revertOf !== null ? createReverts : keepBefore === 'NEVER' ? createUpdates : createRevertibleUpdates;
  return publication === undefined ? [create(claimed)] : [create(claimed), new Publications(claimed, publication)];
}
