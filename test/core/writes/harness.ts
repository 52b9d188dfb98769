import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  ArticleOutcome,
  CompletedBulkUpdate,
  SharedOutcome,
} from '../../../src/core/articles/article-outcomes.ts';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import type { Backend } from '../../../src/core/backend.ts';
import type { Log } from '../../../src/core/base/log.ts';
import { ok, type Result } from '../../../src/core/base/result.ts';
import type { Caller } from '../../../src/core/callers/caller.ts';
import { createRequestFacts } from '../../../src/core/callers/request-facts.ts';
import { RequestSummary } from '../../../src/core/callers/request-report.ts';
import { type BackendError, rejected } from '../../../src/core/errors.ts';
import { createNotice, createServiceError } from '../../../src/core/notices.ts';
import { withPipeline } from '../../../src/core/writes/pipeline.ts';
import type { MergingOptions } from '../../../src/service/merging/merging.ts';
import { mergeWrites } from '../../../src/service/merging/merging.ts';
import { createStubBackend, type StubBackend } from './stub-backend.ts';

export type BulkUpdateResult = Result<CompletedBulkUpdate, BackendError>;

/** A call that has reached the backend and is settled by the test. */
export interface HeldCall {
  readonly caller: Caller;
  readonly updates: readonly ArticleUpdate[];
  resolve(result: BulkUpdateResult): Promise<void>;
  reject(thrown: unknown): Promise<void>;
}

export interface Scene {
  readonly gateway: Backend;
  readonly backend: StubBackend;
  /** All calls that have reached the backend, in order. */
  readonly calls: readonly HeldCall[];
  /** The arguments of each line of the log. */
  readonly logged: readonly Parameters<Log>[];
  /** The article IDs of each call. */
  sent(): readonly (readonly string[])[];
  call(index: number): HeldCall;
}

/** Waits for more turns of the event loop than lie between two calls. */
export async function turnsBetweenCalls(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await nextTurn();
}

/** Coalesced writes over a backend whose calls the test settles. */
export function openScene(options: Partial<MergingOptions> = {}): Scene {
  const calls: HeldCall[] = [];
  const logged: Parameters<Log>[] = [];
  const backend = createStubBackend((caller, updates) => {
    const { promise, resolve, reject } = Promise.withResolvers<BulkUpdateResult>();
    /** Settles the call, and waits for those that are sent after it. */
    const settle = async (settleCall: () => void) => {
      settleCall();
      await turnsBetweenCalls();
    };
    calls.push({
      caller,
      updates,
      resolve: (result) => settle(() => resolve(result)),
      reject: (thrown) => settle(() => reject(thrown)),
    });
    return promise;
  });
  return {
    gateway: withPipeline(backend, {
      merging: mergeWrites({ maxItems: 100, log: (...line) => logged.push(line), ...options }),
    }),
    backend,
    calls,
    logged,
    sent: () => calls.map(({ updates }) => updates.map(({ articleId }) => articleId)),
    call: (index) => {
      const call = calls[index];
      if (!call) throw new Error(`There was no call ${index}.`);
      return call;
    },
  };
}

/** A caller, and what is reported of its request. */
export interface SummedCaller extends Caller {
  readonly summary: RequestSummary;
}

export function callerOf(requestId: string, apiToken: string | null = 'token', waitMs = 1_000): SummedCaller {
  const summary = new RequestSummary();
  const request = createRequestFacts({ id: requestId, report: summary });
  const deadline = performance.now() + waitMs;
  return { apiToken, address: '', request, deadline, requestTimeoutMs: waitMs, summary };
}

export const updatesOf = (...articleIds: readonly string[]): readonly ArticleUpdate[] =>
  articleIds.map((articleId) => ({ articleId, title: `New title of ${articleId}` }));

export const outcomesOf = (kind: ArticleOutcome['kind'], ...articleIds: readonly string[]): readonly ArticleOutcome[] =>
  articleIds.map((articleId) => ({ ...outcomeOfKind(kind, `${articleId}: ${kind}`), articleId }));

/** Items that are not attempted wait for the rate limit. */
export const outcomeOfKind = (kind: ArticleOutcome['kind'], details: string): SharedOutcome =>
  kind === 'not-attempted' ? { kind, details, reason: 'RATE_LIMITED', retryAfterSeconds: 7 } : { kind, details };

export const resultWith = (
  outcomes: readonly ArticleOutcome[],
  rest: Partial<Omit<CompletedBulkUpdate, 'outcomes'>> = {},
): BulkUpdateResult => ok({ outcomes, serviceErrors: [], warnings: [], information: [], extensionData: null, ...rest });

export const updated = (...articleIds: readonly string[]): BulkUpdateResult =>
  resultWith(outcomesOf('updated', ...articleIds));

/**
 * Merges the requests of two callers behind the call of a third. The merged call is in flight; `results` are the two
 * results.
 */
export async function openMergedCall(one: readonly string[] = ['a'], other: readonly string[] = ['b']) {
  const scene = openScene();
  void scene.gateway.bulkUpdateArticles(callerOf('0'), updatesOf('first'));
  const results = Promise.allSettled([
    scene.gateway.bulkUpdateArticles(callerOf('1'), updatesOf(...one)),
    scene.gateway.bulkUpdateArticles(callerOf('2'), updatesOf(...other)),
  ]);
  await scene.call(0).resolve(updated('first'));
  return { ...scene, results: async () => (await results).map((end) => ('value' in end ? end.value : end)) };
}

/** A rejection with the same texts as errors, warnings and information. */
export const refused = (httpStatus: number, mayHaveApplied: boolean, ...texts: readonly string[]) =>
  rejected({
    httpStatus,
    mayHaveApplied,
    serviceErrors: texts.map((text) => createServiceError(text)),
    warnings: texts.map((text) => createNotice(text)),
    information: texts.map((text) => createNotice(text)),
  });
