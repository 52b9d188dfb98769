import { outcomeCountsOfError } from '../articles/article-outcomes.ts';
import type {
  Backend,
  BackendResult,
  Write,
  WriteInput,
  WriteName,
  Writes,
  WritesByName,
  WriteValue,
} from '../backend.ts';
import { err, ok } from '../base/result.ts';
import type { Caller } from '../callers/caller.ts';
import { bulkUpdateTooCostly, mayHaveApplied } from '../errors.ts';
import { type Metrics, noMetrics } from '../metrics.ts';
import { Auditing, type AuditOptions } from './audit.ts';
import { type Next, type Step, type StepsByName, WRITES } from './declarations.ts';
import type { IdempotencyKeys, KeyedResult } from './idempotency-keys.ts';

interface CostOptions {
  /** Items of one call (`UPSTREAM_BULK_SIZE`). */
  readonly bulkSize: number;
  /** The most calls of one write. */
  readonly maxBulkCalls: number;
}

export interface PipelineOptions {
  readonly metrics?: Metrics;
  /** Null or absent when writes are not recorded. */
  readonly audit?: AuditOptions | null;
  /** Null or absent where calls cost nothing. */
  readonly costs?: CostOptions | null;
  /** Merges writes before they are sent; null or absent when each is sent alone. */
  readonly merging?: ((backend: Pick<Backend, 'smallCallDelayMs'>) => WriteMerging) | null;
}

/** The step that sends the writes of several callers in one call. */
export interface WriteMerging {
  readonly steps: StepsByName;
  /** No write is sent after it. */
  stop(): void;
}

/**
 * Puts the steps that every write passes before the writes of a backend: count → audit → cost → merge → send. `keyedWrites` is
 * the step before them. Auditing comes before merging, so that it records the write of each caller and not the merged call.
 */
export function withPipeline(backend: Backend, options: PipelineOptions): Backend {
  const auditing = options.audit ? new Auditing(options.audit) : null;
  const merging = options.merging?.(backend) ?? null;
  const steps = [
    ofAllWrites(countOutcomes(options.metrics ?? noMetrics)),
    auditing && ofAllWrites(auditing.step),
    options.costs ? ofAllWrites(limitCosts(options.costs)) : null,
    merging?.steps ?? null,
  ].filter((step) => step !== null);
  return {
    ...backend,
    ...writesThrough(steps, backend),
    checkReady: async () => {
      const ready = await backend.checkReady();
      return ready.ok && auditing ? auditing.checkReady() : ready;
    },
    close: async () => {
      merging?.stop();
      await backend.close();
      // Writes of callers that have disconnected may still be in flight, and their outcomes are recorded too.
      await auditing?.untilRecorded();
    },
  };
}

const ofAllWrites = (step: Step): StepsByName => ({
  bulkUpdateArticles: step,
  createArticles: step,
  publishArticles: step,
  unpublishArticles: step,
  updateReaderGroup: step,
  changeReaderGroupMembers: step,
});

function writesThrough(steps: readonly StepsByName[], send: WritesByName): Writes {
  const through = <Name extends WriteName>(write: Name): Write<Name> => {
    const sendCall: Next<Name> = ({ caller, input }) => send[write](caller, input);
    const first = steps.reduceRight<Next<Name>>((next, { [write]: step }) => {
      return step === null ? next : (call) => step(call, next);
    }, sendCall);
    return (caller, input) => first({ write, caller, input });
  };
  return {
    bulkUpdateArticles: through('bulkUpdateArticles'),
    createArticles: through('createArticles'),
    publishArticles: through('publishArticles'),
    unpublishArticles: through('unpublishArticles'),
    updateReaderGroup: through('updateReaderGroup'),
    changeReaderGroupMembers: through('changeReaderGroupMembers'),
  };
}

/** Counts the outcomes of all writes in the records of their requests and in the metrics. */
const countOutcomes =
  (metrics: Metrics): Step =>
  async (call, next) => {
    const result = await next(call);
    const declared = WRITES[call.write];
    const counts = result.ok
      ? declared.countOutcomes(result.value)
      : outcomeCountsOfError(result.error, declared.countItems(call.input));
    call.caller.request.countOutcomes(counts);
    if (counts.unknown > 0) noteUnknown(call.caller, call.write, result);
    metrics.countItems(counts);
    return result;
  };

/** Notes why outcomes are unknown, for the line of the request. What the service said is left out, which may quote content. */
function noteUnknown<Name extends WriteName>(
  { request }: Caller,
  write: Name,
  result: Awaited<BackendResult<WriteValue<Name>>>,
): void {
  if (result.ok) {
    for (const { kind, details } of WRITES[write].outcomesOf?.(result.value) ?? [])
      if (kind === 'unknown') request.noteUnknown(details ?? '');
  } else if (result.error.kind === 'rejected')
    request.noteUnknown(
      `The service refused the write with HTTP ${result.error.httpStatus}, and may have applied a part of it.`,
    );
  else request.noteUnknown(result.error.message);
}

/** Rejects a write that would take too many calls, such as a bulk update with many items for one article. */
const limitCosts =
  ({ bulkSize, maxBulkCalls }: CostOptions): Step =>
  (call, next) => {
    const { countItems, countCalls } = WRITES[call.write];
    // A write takes at most as many calls as it has items.
    const calls = countItems(call.input) > maxBulkCalls ? countCalls(call.input, bulkSize) : 0;
    return calls > maxBulkCalls ? Promise.resolve(err(bulkUpdateTooCostly(calls, maxBulkCalls))) : next(call);
  };

/** The writes of callers who may have idempotency keys. */
export type KeyedWrites = { readonly [Name in WriteName]: KeyedWrite<Name> };

type KeyedWrite<Name extends WriteName> = (
  caller: Caller,
  input: WriteInput<Name>,
  idempotencyKey: string | null | undefined,
) => BackendResult<KeyedResult<WriteValue<Name>>>;

/**
 * The first step of the pipeline: makes a write with a key once for all requests with that key, and one without a key at
 * once. It comes before counting and auditing, so that the recorded answer of an earlier request is neither counted nor
 * audited. Jobs enter behind it, since the ledger keeps each of their items, and so does the façade, which has no keys.
 */
export function keyedWrites(backend: Backend, keys: IdempotencyKeys): KeyedWrites {
  const writes: WritesByName = backend;
  const keyed =
    <Name extends WriteName>(write: Name): KeyedWrite<Name> =>
    async (caller, input, idempotencyKey) => {
      if (idempotencyKey == null) {
        const result = await writes[write](caller, input);
        return result.ok ? ok({ value: result.value, replayed: false }) : result;
      }
      const { answer, answerUnknown, lookAgain } = WRITES[write];
      const result = await keys.run(caller, {
        operation: write,
        idempotencyKey,
        input,
        send: (leasedCaller) => writes[write](leasedCaller, input),
        answer,
        ...(lookAgain && { lookAgain: (value: WriteValue<Name>) => lookAgain(backend, { caller, input, value }) }),
        outcomeUnknown: (reason) => answerUnknown(input, reason),
      });
      // A recorded answer, and the unknown one of a lost process, have passed no other step.
      if (result.ok) noteUnknown(caller, write, ok(result.value.value));
      else if (mayHaveApplied(result.error)) noteUnknown(caller, write, result);
      return result;
    };
  return {
    bulkUpdateArticles: keyed('bulkUpdateArticles'),
    createArticles: keyed('createArticles'),
    publishArticles: keyed('publishArticles'),
    unpublishArticles: keyed('unpublishArticles'),
    updateReaderGroup: keyed('updateReaderGroup'),
    changeReaderGroupMembers: keyed('changeReaderGroupMembers'),
  };
}
