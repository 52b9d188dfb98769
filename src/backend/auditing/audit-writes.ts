import { err } from '../../base/result.ts';
import type { Caller } from '../../domain/callers/caller.ts';
import { type BackendError, mayHaveApplied, unavailable } from '../../domain/errors.ts';
import type { Backend, BackendResult } from '../backend.ts';
import { type AuditRecord, actorOf, itemOutcomesOf, truncateId } from './audit-record.ts';
import { type AuditRecorder, type AuditRecorderOptions, createAuditRecorder } from './audit-recorder.ts';

export interface AuditOptions extends AuditRecorderOptions {
  /** A write whose intent cannot be recorded is refused when 'closed', sent when 'open' (`AUDIT_FAILURE`). */
  readonly failureMode: 'closed' | 'open';
}

/** Records the intent of each write before it is sent, and its outcome before the result is returned. */
export function auditWrites(backend: Backend, options: AuditOptions): Backend {
  const inFlight = new Set<Promise<unknown>>();
  const recorder = createAuditRecorder(options);
  const failsClosed = options.failureMode === 'closed';
  const auditInFlight = <T>(write: AuditedWrite<T>): BackendResult<T> => {
    const result = audit(write, { recorder, failsClosed }).finally(() => inFlight.delete(result));
    inFlight.add(result);
    return result;
  };
  return {
    ...backend,
    bulkUpdateArticles: (caller, updates) =>
      auditInFlight({
        ...entryOf(caller, 'bulkUpdateArticles', { articleIds: updates.map(({ articleId }) => truncateId(articleId)) }),
        send: () => backend.bulkUpdateArticles(caller, updates),
        outcomeOf: ({ outcomes }) => ({ outcomes: itemOutcomesOf(outcomes) }),
      }),
    updateReaderGroup: (caller, update) =>
      auditInFlight({
        ...entryOf(caller, 'updateReaderGroup', { groupId: truncateId(update.groupId) }),
        send: () => backend.updateReaderGroup(caller, update),
      }),
    changeReaderGroupMembers: (caller, change) =>
      auditInFlight({
        ...entryOf(caller, 'changeReaderGroupMembers', { groupId: truncateId(change.groupId) }),
        send: () => backend.changeReaderGroupMembers(caller, change),
      }),
    // A gateway that has to refuse every write is not ready.
    checkReady: async () => {
      const ready = await backend.checkReady();
      return ready.ok && failsClosed ? recorder.checkWritable() : ready;
    },
    // Writes of callers that have disconnected may still be in flight, and their outcomes are recorded too.
    close: async () => {
      await backend.close();
      await Promise.allSettled(inFlight);
    },
  };
}

interface AuditedWrite<T> {
  readonly entry: Pick<AuditRecord, 'requestId' | 'who' | 'operation' | 'articleIds' | 'groupId'>;
  readonly send: () => BackendResult<T>;
  readonly outcomeOf?: (value: T) => Pick<AuditRecord, 'outcomes'>;
}

const entryOf = (
  caller: Caller,
  operation: AuditRecord['operation'],
  items: Pick<AuditRecord, 'articleIds' | 'groupId'>,
) => ({ entry: { requestId: caller.request.id, who: actorOf(caller), operation, ...items } });

interface AuditContext {
  readonly recorder: AuditRecorder;
  /** True when a write that cannot be recorded is refused. */
  readonly failsClosed: boolean;
}

async function audit<T>(
  { entry, send, outcomeOf }: AuditedWrite<T>,
  { recorder, failsClosed }: AuditContext,
): BackendResult<T> {
  const isRecorded = await recorder.record({ ...entry, phase: 'intent' });
  if (!isRecorded && failsClosed) return err(unavailable(NOT_RECORDED));
  const { articleIds: _inIntent, ...outcomeEntry } = entry;
  try {
    const result = await send();
    const outcome = result.ok
      ? { result: 'payload' as const, ...outcomeOf?.(result.value) }
      : auditedFailureOf(result.error);
    await recorder.record({ ...outcomeEntry, phase: 'outcome', ...outcome });
    return result;
  } catch (thrown) {
    await recorder.record({ ...outcomeEntry, phase: 'outcome', result: 'unexpected-error', mayHaveApplied: true });
    throw thrown;
  }
}

const NOT_RECORDED = 'The gateway cannot record writes at the moment, so nothing was sent.';

const auditedFailureOf = (error: BackendError) => ({
  result: error.kind,
  mayHaveApplied: mayHaveApplied(error),
});
