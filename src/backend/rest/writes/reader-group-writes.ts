import type { ArticleOutcome, BulkUpdate } from '../../../domain/articles/bulk-updates.ts';
import type { Caller } from '../../../domain/callers/caller.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { Log } from '../../../domain/log.ts';
import type { Result } from '../../../domain/result.ts';
import type { Backend } from '../../backend.ts';
import type { ReadSessions } from '../reads/request-cache.ts';
import type { Verification } from '../tokens/token-verification.ts';
import type { Upstream } from '../upstream.ts';
import { runBulkUpdate } from './bulk-updates.ts';
import { createGroupQueue } from './group-mutex.ts';
import { createGroupWrites, type GroupWrite } from './reader-group-updates.ts';

type Writes = Pick<Backend, 'bulkUpdateArticles' | 'updateReaderGroup' | 'changeReaderGroupMembers'>;

export interface WritesOptions {
  readonly upstream: Upstream;
  readonly verification: Verification;
  readonly sessions: ReadSessions;
  readonly bulkSize: number;
  readonly log: Log;
}

/** The writes, each ending with one line in the log and with nothing left of what its caller had read before. */
export function createWrites({ upstream, verification, sessions, bulkSize, log }: WritesOptions): Writes {
  const queue = createGroupQueue({ upstream, verification });
  const groupWrites = createGroupWrites(upstream);

  const inTurn = async <T>(
    operation: string,
    { caller, groupId }: { readonly caller: Caller; readonly groupId: string },
    run: () => Promise<GroupWrite<T>>,
  ): Promise<Result<T, BackendError>> => {
    const begin = performance.now();
    const turn = await queue.inTurn(caller, groupId, run);
    sessions.forget(caller);
    const { result, httpStatus } = turn.ok ? turn.value : { result: turn, httpStatus: null };
    log(result.ok ? 'info' : 'warn', operation, {
      requestId: caller.requestId,
      httpStatus,
      ms: since(begin),
      outcome: result.ok ? 'updated' : result.error.kind,
    });
    return result;
  };

  return {
    async bulkUpdateArticles(caller, updates) {
      const begin = performance.now();
      const { result, httpStatus, calls } = await runBulkUpdate({ upstream, bulkSize }, caller, updates);
      sessions.forget(caller);
      const outcome = result.ok ? countsOf(result.value) : { outcome: result.error.kind };
      const isClear = 'updated' in outcome && outcome.unknown + outcome.notAttempted === 0;
      log(isClear ? 'info' : 'warn', 'bulk update', {
        requestId: caller.requestId,
        items: updates.length,
        calls,
        httpStatus,
        ms: since(begin),
        ...outcome,
      });
      return result;
    },
    updateReaderGroup: (caller, update) =>
      inTurn('reader group update', { caller, groupId: update.groupId }, () => groupWrites.update(caller, update)),
    changeReaderGroupMembers: (caller, change) =>
      inTurn('reader group members', { caller, groupId: change.groupId }, () =>
        groupWrites.changeMembers(caller, change),
      ),
  };
}

const since = (begin: number): number => Math.round(performance.now() - begin);

function countsOf({ outcomes }: BulkUpdate) {
  const count = (kind: ArticleOutcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length;
  return {
    updated: count('updated'),
    failed: count('failed'),
    unknown: count('unknown'),
    notAttempted: count('not-attempted'),
  };
}
