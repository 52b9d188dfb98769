import { err, ok, type Result } from '../../base/result.ts';
import { mayHaveApplied, unavailable } from '../../domain/errors.ts';
import type { BackendResult, WriteName, WriteValue } from '../backend.ts';
import {
  type AuditRecord,
  type AuditRecorderOptions,
  actorOf,
  createAuditRecorder,
  itemOutcomesOf,
  truncateId,
} from './audit-log.ts';
import { type Next, type Step, WRITES, type WriteCall } from './declarations.ts';

export interface AuditOptions extends AuditRecorderOptions {
  /** A write whose intent cannot be recorded is refused when 'closed', sent when 'open' (`AUDIT_FAILURE`). */
  readonly failureMode: 'closed' | 'open';
}

interface Auditing {
  /** Records the intent of each write before it is sent, and its outcome before the result is returned. */
  readonly step: Step;
  /** A gateway that has to refuse every write is not ready. */
  readonly checkReady: () => Promise<Result<void, string>>;
  /** Resolves when the outcomes of all writes that have begun are recorded. */
  readonly untilRecorded: () => Promise<void>;
}

export function createAuditing(options: AuditOptions): Auditing {
  const inFlight = new Set<Promise<unknown>>();
  const recorder = createAuditRecorder(options);
  const failsClosed = options.failureMode === 'closed';

  const audit = async <Name extends WriteName>(
    call: WriteCall<Name>,
    next: Next<Name>,
  ): BackendResult<WriteValue<Name>> => {
    const { articleIds, ...entry } = entryOf(call);
    const intent = articleIds === undefined ? entry : { ...entry, articleIds };
    const isRecorded = await recorder.record({ ...intent, phase: 'intent' });
    if (!isRecorded && failsClosed) return err(unavailable(NOT_RECORDED));
    try {
      const result = await next(call);
      await recorder.record({ ...entry, phase: 'outcome', ...outcomeOf(call, result) });
      return result;
    } catch (thrown) {
      await recorder.record({ ...entry, phase: 'outcome', result: 'unexpected-error', mayHaveApplied: true });
      throw thrown;
    }
  };

  return {
    step: (call, next) => {
      const result = audit(call, next).finally(() => inFlight.delete(result));
      inFlight.add(result);
      return result;
    },
    checkReady: async () => (failsClosed ? recorder.checkWritable() : ok(undefined)),
    untilRecorded: async () => {
      await Promise.allSettled(inFlight);
    },
  };
}

type Entry = Pick<AuditRecord, 'requestId' | 'who' | 'operation' | 'articleIds' | 'groupId'>;

function entryOf<Name extends WriteName>({ write, caller, input }: WriteCall<Name>): Entry {
  const { articleIds, groupId } = WRITES[write].itemsOf(input);
  return {
    requestId: caller.request.id,
    who: actorOf(caller),
    operation: write,
    ...(articleIds && { articleIds: articleIds.map(truncateId) }),
    ...(groupId !== undefined && { groupId: truncateId(groupId) }),
  };
}

function outcomeOf<Name extends WriteName>(
  { write }: WriteCall<Name>,
  result: Awaited<BackendResult<WriteValue<Name>>>,
): Pick<AuditRecord, 'result' | 'mayHaveApplied' | 'outcomes'> {
  if (!result.ok) return { result: result.error.kind, mayHaveApplied: mayHaveApplied(result.error) };
  const outcomes = WRITES[write].outcomesOf?.(result.value);
  return outcomes === undefined ? { result: 'payload' } : { result: 'payload', outcomes: itemOutcomesOf(outcomes) };
}

const NOT_RECORDED = 'The gateway cannot record writes at the moment, so nothing was sent.';
