import type { Caller } from '../../domain/callers/caller.ts';
import { type BackendError, mayHaveApplied, unavailable } from '../../domain/errors.ts';
import { err } from '../../domain/result.ts';
import type { Answer, Backend } from '../backend.ts';
import { passedThrough } from '../passed-through.ts';
import { type AuditRecord, auditedId, outcomesOf, whoIs } from './audit-record.ts';
import { createRecorder, type Recorder, type RecorderOptions } from './audit-recorder.ts';

export interface AuditOptions extends RecorderOptions {
  /** Whether a write is refused, or sent all the same, where its intent can't be recorded (`AUDIT_FAILURE`). */
  readonly whenItFails: 'closed' | 'open';
}

/** The same backend, but each write is recorded before it is sent, and what became of it before that is answered. */
export function auditWrites(backend: Backend, options: AuditOptions): Backend {
  const underWay = new Set<Promise<unknown>>();
  const recorder = createRecorder(options);
  const isClosed = options.whenItFails === 'closed';
  const audited = <T>(write: Write<T>): Answer<T> => {
    const answer = audit(write, { recorder, isClosed }).finally(() => underWay.delete(answer));
    underWay.add(answer);
    return answer;
  };
  return {
    ...passedThrough(backend),
    bulkUpdateArticles: (caller, updates) =>
      audited({
        ...entry(caller, 'bulkUpdateArticles', { articleIds: updates.map(({ articleId }) => auditedId(articleId)) }),
        send: () => backend.bulkUpdateArticles(caller, updates),
        outcomeOf: ({ outcomes }) => ({ outcomes: outcomesOf(outcomes) }),
      }),
    updateReaderGroup: (caller, update) =>
      audited({
        ...entry(caller, 'updateReaderGroup', { groupId: auditedId(update.groupId) }),
        send: () => backend.updateReaderGroup(caller, update),
      }),
    changeReaderGroupMembers: (caller, change) =>
      audited({
        ...entry(caller, 'changeReaderGroupMembers', { groupId: auditedId(change.groupId) }),
        send: () => backend.changeReaderGroupMembers(caller, change),
      }),
    // A gateway that has to refuse every write is not ready for them.
    checkReady: async () => {
      const ready = await backend.checkReady();
      return ready.ok && isClosed ? recorder.check() : ready;
    },
    // A caller who hung up waits for nothing any more, and yet their write has an outcome to record.
    close: async () => {
      await backend.close();
      await Promise.allSettled(underWay);
    },
  };
}

interface Write<T> {
  readonly what: Pick<AuditRecord, 'requestId' | 'who' | 'operation' | 'articleIds' | 'groupId'>;
  readonly send: () => Answer<T>;
  readonly outcomeOf?: (value: T) => Pick<AuditRecord, 'outcomes'>;
}

const entry = (
  caller: Caller,
  operation: AuditRecord['operation'],
  items: Pick<AuditRecord, 'articleIds' | 'groupId'>,
) => ({ what: { requestId: caller.requestId, who: whoIs(caller), operation, ...items } });

interface Recording {
  readonly recorder: Recorder;
  /** True where a write that can't be recorded is refused. */
  readonly isClosed: boolean;
}

async function audit<T>({ what, send, outcomeOf }: Write<T>, { recorder, isClosed }: Recording): Answer<T> {
  const isRecorded = await recorder.record({ ...what, phase: 'intent' });
  if (!isRecorded && isClosed) return err(unavailable(NOT_RECORDED));
  const { articleIds: _asBefore, ...same } = what;
  try {
    const answer = await send();
    const outcome = answer.ok ? { result: 'payload' as const, ...outcomeOf?.(answer.value) } : failureOf(answer.error);
    await recorder.record({ ...same, phase: 'outcome', ...outcome });
    return answer;
  } catch (thrown) {
    await recorder.record({ ...same, phase: 'outcome', result: 'unexpected-error', mayHaveApplied: true });
    throw thrown;
  }
}

const NOT_RECORDED = 'The gateway cannot record writes at the moment, so nothing was sent.';

const failureOf = (error: BackendError) => ({
  result: error.kind,
  mayHaveApplied: mayHaveApplied(error),
});
