import { outcomeCountsOfError } from '../articles/article-outcomes.ts';
import type { Backend, WriteInput, WriteName, WritesByName, WriteValue } from '../backend.ts';
import { err, ok } from '../base/result.ts';
import type { Caller } from '../callers/caller.ts';
import { bulkUpdateTooCostly, mayHaveApplied } from '../errors.ts';
import { type Metrics, noMetrics } from '../metrics.ts';
import { Auditing, type AuditOptions } from './audit.ts';
import { type Next, type Step, type StepsByName, WRITES, type WriteResult } from './declarations.ts';
import type { IdempotencyKeys } from './idempotency-keys.ts';

interface CostOptions {
  /** Items of one call (`UPSTREAM_BULK_SIZE`). */
  readonly bulkSize: number;
  /** The most calls of one write. */
  readonly maxBulkCalls: number;
}

export interface PipelineOptions {
  /** Called at the first write with a key. Absent where no caller has one. */
  readonly keys?: () => IdempotencyKeys;
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

/** A backend whose writes take the idempotency key of the caller. */
export type KeyedBackend = Omit<Backend, WriteName> & KeyedWrites;

export type KeyedWrites = { readonly [Name in WriteName]: KeyedWrite<Name> };

type KeyedWrite<Name extends WriteName> = (
  caller: Caller,
  input: WriteInput<Name>,
  idempotencyKey?: string | null,
) => Promise<WriteResult<Name>>;

/** Puts all steps that a write passes before the writes of a backend, in their order. */
export function withPipeline(backend: Backend, options: PipelineOptions): KeyedBackend {
  const auditing = options.audit ? new Auditing(options.audit) : null;
  const merging = options.merging?.(backend) ?? null;
  const steps = [
    // What an earlier request with the key was answered is neither counted nor audited again.
    ...(options.keys ? [makeOnce(options.keys, backend)] : []),
    countOutcomes(options.metrics ?? noMetrics),
    // The write of each caller is recorded, not the merged call.
    ...(auditing === null ? [] : [auditing.step]),
    ...(options.costs ? [limitCosts(options.costs)] : []),
  ];
  return {
    ...backend,
    ...writesThrough(backend, steps, merging?.steps),
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

/**
 * The writes of a backend behind the first step alone.
 *
 * @internal Exported for tests.
 */
export const keyedWrites = (backend: Backend, keys: () => IdempotencyKeys): KeyedWrites =>
  writesThrough(backend, [makeOnce(keys, backend)]);

function writesThrough(send: WritesByName, steps: readonly Step[], lastSteps: StepsByName = {}): KeyedWrites {
  const through = <Name extends WriteName>(write: Name): KeyedWrite<Name> => {
    const sendCall: Next<Name> = ({ caller, input }) => send[write](caller, input);
    const last = lastSteps[write];
    const first = steps.reduceRight<Next<Name>>(
      (next, step) => (call) => step(call, next),
      last ? (call) => last(call, sendCall) : sendCall,
    );
    return (caller, input, idempotencyKey) => first({ write, caller, input, idempotencyKey });
  };
  return {
    bulkUpdateArticles: through('bulkUpdateArticles'),
    forkArticles: through('forkArticles'),
    createArticles: through('createArticles'),
    createCategories: through('createCategories'),
    publishArticles: through('publishArticles'),
    unpublishArticles: through('unpublishArticles'),
    updateReaderGroup: through('updateReaderGroup'),
    changeReaderGroupMembers: through('changeReaderGroupMembers'),
  };
}

/**
 * Makes a write with a key once for all requests with that key. Jobs have no keys, since the ledger keeps each of their
 * items, and neither has the façade.
 */
const makeOnce =
  (keys: () => IdempotencyKeys, backend: Pick<Backend, 'lookForCreated'>): Step =>
  async (call, next) => {
    const { write, caller, input, idempotencyKey } = call;
    if (idempotencyKey == null) return next(call);
    const { answer, answerUnknown, lookAgain } = WRITES[write];
    const result = await keys().run(caller, {
      operation: write,
      idempotencyKey,
      input,
      send: (leasedCaller) => next({ ...call, caller: leasedCaller }),
      answer,
      ...(lookAgain && {
        lookAgain: (value: WriteValue<typeof write>) => lookAgain(backend, { caller, input, value }),
      }),
      outcomeUnknown: (reason) => answerUnknown(input, reason),
    });
    // A recorded answer, and the unknown one of a lost process, have passed no other step.
    if (result.ok) {
      const { value, replayed } = result.value;
      reportUnknown(caller, write, ok(value));
      return { ...ok(value), replayed };
    }
    if (mayHaveApplied(result.error)) reportUnknown(caller, write, result);
    return result;
  };

/** Reports the outcomes of each write to its request, and counts them in the metrics. */
const countOutcomes =
  (metrics: Metrics): Step =>
  async (call, next) => {
    const result = await next(call);
    const declared = WRITES[call.write];
    const counts = result.ok
      ? declared.countOutcomes(result.value)
      : outcomeCountsOfError(result.error, declared.countItems(call.input));
    call.caller.request.report.add({ kind: 'outcomes', counts });
    if (counts.unknown > 0) reportUnknown(call.caller, call.write, result);
    metrics.countItems(counts);
    return result;
  };

function reportUnknown<Name extends WriteName>(
  { request: { report } }: Caller,
  write: Name,
  result: WriteResult<Name>,
): void {
  const reportCause = (details: string | null) => report.add({ kind: 'unknown-outcome', details: details ?? '' });
  if (result.ok) {
    for (const { kind, details } of WRITES[write].outcomesOf?.(result.value) ?? [])
      if (kind === 'unknown') reportCause(details);
  } else if (result.error.kind === 'rejected')
    reportCause(
      `The service refused the write with HTTP ${result.error.httpStatus}, and may have applied a part of it.`,
    );
  else reportCause(result.error.message);
}

/** Rejects a write that would take too many calls, such as a bulk update with many items for one article. */
const limitCosts =
  ({ bulkSize, maxBulkCalls }: CostOptions): Step =>
  (call, next) => {
    const { countItems, countCalls } = WRITES[call.write];
    // A write takes at most two calls for each item: a fork and an update.
    const calls = 2 * countItems(call.input) > maxBulkCalls ? countCalls(call.input, bulkSize) : 0;
    return calls > maxBulkCalls ? Promise.resolve(err(bulkUpdateTooCostly(calls, maxBulkCalls))) : next(call);
  };
