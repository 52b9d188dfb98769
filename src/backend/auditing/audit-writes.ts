import type { Caller } from '../../domain/caller.ts';
import { type BackendError, unavailable } from '../../domain/errors.ts';
import type { Log } from '../../domain/log.ts';
import { err, type Result } from '../../domain/result.ts';
import type { Answer, Backend } from '../backend.ts';
import { passedThrough } from '../passed-through.ts';
import { type AuditRecord, auditedId, outcomesOf, whoIs } from './audit-record.ts';

export interface AuditOptions {
  /** Comes back once the line is where a crash can't take it; the error says why it isn't. */
  readonly append: (line: string) => Promise<Result<void, string>>;
  /** Whether a write is refused, or sent all the same, where its intent can't be recorded (`AUDIT_FAILURE`). */
  readonly whenItFails: 'closed' | 'open';
  readonly log: Log;
}

/** The same backend, but each write is recorded before it is sent, and what became of it before that is answered. */
export function auditWrites(backend: Backend, options: AuditOptions): Backend {
  const underWay = new Set<Promise<unknown>>();
  const audited = <T>(write: Write<T>): Answer<T> => {
    const answer = audit(write, options).finally(() => underWay.delete(answer));
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

async function audit<T>({ what, send, outcomeOf }: Write<T>, options: AuditOptions): Answer<T> {
  const isRecorded = await record({ ...what, phase: 'intent' }, options);
  if (!isRecorded && options.whenItFails === 'closed') return err(unavailable(NOT_RECORDED));
  const { articleIds: _asBefore, ...same } = what;
  try {
    const answer = await send();
    const outcome = answer.ok ? { result: 'payload' as const, ...outcomeOf?.(answer.value) } : failureOf(answer.error);
    await record({ ...same, phase: 'outcome', ...outcome }, options);
    return answer;
  } catch (thrown) {
    await record({ ...same, phase: 'outcome', result: 'unexpected-error', mayHaveApplied: true }, options);
    throw thrown;
  }
}

const NOT_RECORDED = 'The gateway cannot record writes at the moment, so nothing was sent.';

const failureOf = (error: BackendError) => ({
  result: error.kind,
  mayHaveApplied: error.kind === 'outcome-unknown' || (error.kind === 'rejected' && error.mayHaveApplied),
});

/** What the audit log misses stands in the other log, so that it is lost from neither. */
async function record(what: Omit<AuditRecord, 'time'>, { append, log }: AuditOptions): Promise<boolean> {
  const line: AuditRecord = { time: new Date().toISOString(), ...what };
  const appended = await append(`${JSON.stringify(line)}\n`);
  if (!appended.ok) log('error', 'the audit log misses a line', { reason: appended.error, line });
  return appended.ok;
}
