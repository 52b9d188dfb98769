import { err, ok, type Result } from '../../base/result.ts';
import { type BackendError, mayHaveApplied, unavailable } from '../../domain/errors.ts';
import type { BackendResult, WriteName, WriteValue } from '../backend.ts';
import {
  type AuditRecord,
  AuditRecorder,
  type AuditRecorderOptions,
  actorOf,
  itemOutcomesOf,
  truncateId,
} from './audit-log.ts';
import { type Next, type Step, WRITES, type WriteCall } from './declarations.ts';

export interface AuditOptions extends AuditRecorderOptions {
  /** A write whose intent cannot be recorded is refused when 'closed', sent when 'open' (`AUDIT_FAILURE`). */
  readonly failureMode: 'closed' | 'open';
}

export class Auditing {
  readonly #recorder: AuditRecorder;
  readonly #failsClosed: boolean;
  readonly #inFlight = new Set<Promise<unknown>>();

  constructor(options: AuditOptions) {
    this.#recorder = new AuditRecorder(options);
    this.#failsClosed = options.failureMode === 'closed';
  }

  /** Records the intent of each write before it is sent, and its outcome before the result is returned. */
  readonly step: Step = (call, next) => {
    const result = this.#audit(call, next).finally(() => this.#inFlight.delete(result));
    this.#inFlight.add(result);
    return result;
  };

  /** A gateway that has to refuse every write is not ready. */
  async checkReady(): Promise<Result<void, string>> {
    return this.#failsClosed ? this.#recorder.checkWritable() : ok(undefined);
  }

  /** Resolves when the outcomes of all writes that have begun are recorded. */
  async untilRecorded(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
  }

  async #audit<Name extends WriteName>(call: WriteCall<Name>, next: Next<Name>): BackendResult<WriteValue<Name>> {
    const { write, caller, input } = call;
    const { articleIds, groupId } = WRITES[write].itemsOf(input);
    const requestId = caller.request.id;
    const entry = { requestId, who: actorOf(caller), operation: write, groupId: groupId && truncateId(groupId) };
    const intent = { ...entry, articleIds: articleIds?.map(truncateId), phase: 'intent' } as const;
    if (!(await this.#recorder.record(intent)) && this.#failsClosed) return err(unavailable(NOT_RECORDED));
    try {
      const result = await next(call);
      await this.#recorder.record({ ...entry, phase: 'outcome', ...outcomeOf(write, result) });
      return result;
    } catch (thrown) {
      await this.#recorder.record({ ...entry, phase: 'outcome', result: 'unexpected-error', mayHaveApplied: true });
      throw thrown;
    }
  }
}

function outcomeOf<Name extends WriteName>(
  write: Name,
  result: Result<WriteValue<Name>, BackendError>,
): Pick<AuditRecord, 'result' | 'mayHaveApplied' | 'outcomes'> {
  if (!result.ok) return { result: result.error.kind, mayHaveApplied: mayHaveApplied(result.error) };
  const outcomes = WRITES[write].outcomesOf?.(result.value);
  return { result: 'payload', outcomes: outcomes && itemOutcomesOf(outcomes) };
}

const NOT_RECORDED = 'The gateway cannot record writes at the moment, so nothing was sent.';
