import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Backend } from '../../../src/backend/backend.ts';
import { type CoalescingOptions, coalesceWrites } from '../../../src/backend/coalescing/coalesce-writes.ts';
import type { ArticleOutcome, ArticleUpdate, BulkUpdate } from '../../../src/domain/articles/bulk-updates.ts';
import type { Caller } from '../../../src/domain/callers/caller.ts';
import { type BackendError, rejected } from '../../../src/domain/errors.ts';
import type { Log } from '../../../src/domain/log.ts';
import { notice, serviceError } from '../../../src/domain/notices.ts';
import { ok, type Result } from '../../../src/domain/result.ts';
import { StubBackend } from './stub-backend.ts';

export type Answered = Result<BulkUpdate, BackendError>;

/** A call that has reached the backend and waits for the test to answer it. */
export interface HeldCall {
  readonly caller: Caller;
  readonly updates: readonly ArticleUpdate[];
  answer(answer: Answered): Promise<void>;
  fail(thrown: unknown): Promise<void>;
}

export interface Scene {
  readonly gateway: Backend;
  readonly backend: StubBackend;
  /** Every call that reached the backend, in order. */
  readonly calls: readonly HeldCall[];
  /** The arguments of each line of the log. */
  readonly logged: readonly Parameters<Log>[];
  /** The article IDs of each. */
  sent(): readonly (readonly string[])[];
  call(index: number): HeldCall;
}

/** Coalesced writes over a backend that answers when the test says so. */
export function openScene(options: Partial<CoalescingOptions> = {}): Scene {
  const calls: HeldCall[] = [];
  const logged: Parameters<Log>[] = [];
  const backend = new StubBackend((caller, updates) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    /** Ends the call, and waits for what is sent at the end of the turn in which that is seen. */
    const settle = async (end: () => void) => {
      end();
      await nextTurn();
      await nextTurn();
    };
    calls.push({
      caller,
      updates,
      answer: (answer) => settle(() => resolve(answer)),
      fail: (thrown) => settle(() => reject(thrown)),
    });
    return promise;
  });
  return {
    gateway: coalesceWrites(backend, { maxItems: 100, log: (...line) => logged.push(line), ...options }),
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

export const callerOf = (requestId: string, apiToken: string | null = 'token', waitMs = 1_000): Caller => ({
  apiToken,
  address: '',
  requestId,
  deadline: performance.now() + waitMs,
});

export const updatesOf = (...articleIds: readonly string[]): readonly ArticleUpdate[] =>
  articleIds.map((articleId) => ({ articleId, title: `New title of ${articleId}` }));

export const outcomesOf = (kind: ArticleOutcome['kind'], ...articleIds: readonly string[]): readonly ArticleOutcome[] =>
  articleIds.map((articleId) => ({ kind, articleId, details: `${articleId}: ${kind}` }));

export const answerWith = (
  outcomes: readonly ArticleOutcome[],
  rest: Partial<Omit<BulkUpdate, 'outcomes'>> = {},
): Answered => ok({ outcomes, serviceErrors: [], warnings: [], information: [], extensionData: null, ...rest });

/** All updated. */
export const updated = (...articleIds: readonly string[]): Answered => answerWith(outcomesOf('updated', ...articleIds));

/** Two callers, whose lists meet behind a call of somebody else's: `answers` are theirs, and the merged call is under way. */
export async function openMergedCall(one: readonly string[] = ['a'], other: readonly string[] = ['b']) {
  const scene = openScene();
  void scene.gateway.bulkUpdateArticles(callerOf('0'), updatesOf('first'));
  const answers = Promise.allSettled([
    scene.gateway.bulkUpdateArticles(callerOf('1'), updatesOf(...one)),
    scene.gateway.bulkUpdateArticles(callerOf('2'), updatesOf(...other)),
  ]);
  await scene.call(0).answer(updated('first'));
  return { ...scene, answers: async () => (await answers).map((end) => ('value' in end ? end.value : end)) };
}

/** A refusal that says the same texts in each of its lists. */
export const refused = (httpStatus: number, mayHaveApplied: boolean, ...texts: readonly string[]) =>
  rejected({
    httpStatus,
    mayHaveApplied,
    serviceErrors: texts.map((text) => serviceError(text)),
    warnings: texts.map((text) => notice(text)),
    information: texts.map((text) => notice(text)),
  });
