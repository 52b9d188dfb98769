import { describe, expect, it } from 'vitest';
import type { JobPart } from '../../src/core/articles/article-update-jobs.ts';
import { systemClock } from '../../src/core/base/clock.ts';
import { createRequestFacts } from '../../src/core/callers/request-facts.ts';
import type { Ledger } from '../../src/jobs/state/ledger.ts';
import { openLedger } from '../../src/jobs/state/open-ledger.ts';
import { fastClock } from '../support/fast-clock.ts';
import { hang, held, json, reset, status } from '../support/faulty-service.ts';
import { applyThen, healthyWrite, unapplied } from '../support/writable-service.ts';
import {
  find,
  type JobScene,
  openGateway,
  openJobScene,
  outcomesOf,
  SETTINGS,
  stateUrl,
  submit,
  untilJob,
  unwrap,
} from './harness.ts';

const ids = (count: number) => Array.from({ length: count }, (_, n) => `a${n}`);
const retitled = (articleIds: readonly string[], title = 'New') =>
  articleIds.map((articleId) => ({ articleId, title }));

describe('a job', () => {
  it('is sent in chunks in order, no article twice in one, and ends with all outcomes', async () => {
    const scene = await openJobScene(ids(4));
    const job = await submit(scene, retitled(['a0', 'a1', 'a2', 'a3', 'missing', 'a3']));
    expect(job).toMatchObject({ state: 'RUNNING', counts: { total: 6, pending: 6 } });
    await untilJob(scene, job.jobId, { state: 'COMPLETED', counts: { updated: 5, failed: 1, pending: 0 } });
    const sent = scene.writable.calls.map((items) => items.map(({ article_id }) => article_id));
    expect(sent).toEqual([['a0', 'a1', 'a2'], ['a3', 'missing'], ['a3']]);
    expect((await outcomesOf(scene, job.jobId)).map(({ kind }) => kind)).toEqual([
      'updated',
      'updated',
      'updated',
      'updated',
      'failed',
      'updated',
    ]);
  });

  it('waits for the rate limit, and none of its items fails', { tags: 'long' }, async () => {
    const scene = await openJobScene(ids(6));
    const limited = unapplied(status(429, '', { 'retry-after': '3' }));
    scene.writable.onNextWrites(limited, healthyWrite);
    const job = await submit(scene, retitled(ids(6)));
    await untilJob(scene, job.jobId, { waitingFor: 'RATE_LIMIT', counts: { pending: 6 } });
    await untilJob(scene, job.jobId, { state: 'COMPLETED', waitingFor: null, counts: { updated: 6 } });
    expect(scene.writable.applied).toHaveLength(6);
  });

  it('waits for a service that can not be reached, and can be cancelled meanwhile', async () => {
    const scene = await openJobScene(ids(3), { ownToken: 'token-1' });
    const lent = { ...scene, caller: { ...scene.caller, sentToken: 'own' } };
    await scene.service.close();
    const { jobId } = await submit(lent, retitled(ids(3)));
    await untilJob(lent, jobId, { state: 'RUNNING', waitingFor: 'SERVICE', counts: { pending: 3, unknown: 0 } });
    await scene.jobs.articleUpdateJobs.cancel(lent.caller, jobId);
    await untilJob(lent, jobId, { state: 'CANCELLED', waitingFor: null, counts: { notAttempted: 3 } });
  });

  it('is one, however often it is submitted at once', async () => {
    const scene = await openJobScene(ids(3));
    const part = { idempotencyKey: 'key', startIndex: 0, moreToCome: false, updates: retitled(ids(3)) };
    const submitAgain = () => scene.jobs.articleUpdateJobs.submit(scene.caller, part);
    const results = (await Promise.all(Array.from({ length: 100 }, submitAgain))).map(unwrap);
    expect(new Set(results.map(({ job }) => job.jobId)).size).toBe(1);
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
    await untilJob(scene, results[0]?.job.jobId ?? '', { state: 'COMPLETED', counts: { updated: 3 } });
    expect(scene.writable.calls).toHaveLength(1);
  });

  it('is paused by a 401, and goes on when its caller is back', async () => {
    const scene = await openJobScene(ids(6));
    scene.writable.onNextWrites(healthyWrite, unapplied(status(401)));
    const job = await submit(scene, retitled(ids(6)));
    await untilJob(scene, job.jobId, { state: 'PAUSED', counts: { updated: 3, pending: 3 } });
    expect(unwrap(await scene.jobs.articleUpdateJobs.resume(scene.caller, job.jobId)).state).toBe('RUNNING');
    await untilJob(scene, job.jobId, { state: 'COMPLETED', counts: { updated: 6 } });
    expect(scene.writable.applied).toHaveLength(6);
  });

  it('ends its rest as forbidden after a 403', async () => {
    const scene = await openJobScene(ids(9));
    scene.writable.onNextWrites(healthyWrite, unapplied(json(403, { success: false, errors: [] })));
    const job = await submit(scene, retitled(ids(9)));
    await untilJob(scene, job.jobId, { state: 'COMPLETED', counts: { updated: 3, notAttempted: 6 } });
    const outcomes = await outcomesOf(scene, job.jobId);
    expect(outcomes.slice(3)).toEqual(
      ids(9)
        .slice(3)
        .map((articleId) => expect.objectContaining({ kind: 'not-attempted', articleId, reason: 'FORBIDDEN' })),
    );
    expect(scene.writable.calls).toHaveLength(2);
  });

  it('reads back what was applied without an answer, and sends nothing again', async () => {
    const scene = await openJobScene(ids(6));
    scene.writable.onNextWrites(applyThen(reset()));
    const updates = ids(6).map((articleId) => ({ articleId, title: 'New', content: `new text of ${articleId}` }));
    const job = await submit(scene, updates);
    await untilJob(scene, job.jobId, { state: 'COMPLETED', counts: { updated: 6, unknown: 0 } });
    expect(await outcomesOf(scene, job.jobId)).toMatchObject([
      ...ids(3).map(() => ({ kind: 'updated', evidence: 'READ_BACK' })),
      ...ids(3).map(() => ({ kind: 'updated' })),
    ]);
    expect(scene.writable.calls).toHaveLength(2);
  });

  it('leaves unknown what differs or can not be read, and skips later items of such an article', async () => {
    const scene = await openJobScene(ids(3));
    scene.writable.onNextWrites(unapplied(reset()));
    const [first, second] = retitled(['a0', 'a1']);
    const job = await submit(scene, [
      { ...first, articleId: 'a0' },
      { ...second, articleId: 'a1', source: 'imported' },
      { articleId: 'a2', title: 'a2' },
      { articleId: 'A0', hidden: true },
    ]);
    await untilJob(scene, job.jobId, { state: 'COMPLETED', counts: { unknown: 2, updated: 1, notAttempted: 1 } });
    expect(await outcomesOf(scene, job.jobId)).toMatchObject([
      { kind: 'unknown', readBack: 'DIFFERS' },
      { kind: 'unknown', readBack: 'NOT_READABLE' },
      { kind: 'updated', evidence: 'READ_BACK' },
      { kind: 'not-attempted', reason: 'AFTER_UNKNOWN' },
    ]);
    expect(scene.writable.calls).toHaveLength(1);
  });

  it('sends nothing more after a write without an answer until the service answers a read', async () => {
    const scene = await openJobScene(ids(6));
    scene.writable.onNextWrites(unapplied(status(502)));
    const { jobId } = await submit(scene, retitled(ids(6)));
    scene.writable.onReads(status(503));
    await untilJob(scene, jobId, { waitingFor: 'SERVICE', counts: { unknown: 3, pending: 3 } });
    expect(scene.writable.calls).toHaveLength(1);
    scene.writable.onReads(null);
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { unknown: 3, updated: 3 } });
    expect(scene.writable.calls).toHaveLength(2);
  });

  it('begins nothing after it was cancelled, and keeps the outcome of what was in flight', async () => {
    const scene = await openJobScene(ids(6));
    const { release, behaviour } = held(
      json(200, { success: true, data: ids(3).map((article_id) => ({ article_id, success: true })) }),
    );
    scene.writable.onNextWrites(applyThen(behaviour));
    const { jobId } = await submit(scene, retitled(ids(6)));
    await expect.poll(() => scene.writable.calls.length).toBe(1);
    const cancelled = unwrap(await scene.jobs.articleUpdateJobs.cancel(scene.caller, jobId));
    expect(cancelled).toMatchObject({ state: 'CANCELLED', counts: { pending: 3, notAttempted: 3 }, endedAt: null });
    release();
    await untilJob(scene, jobId, { state: 'CANCELLED', counts: { updated: 3, notAttempted: 3, pending: 0 } });
    expect(scene.writable.calls).toHaveLength(1);
    expect((await find(scene, jobId)).endedAt).not.toBeNull();
  });

  it('ends after it was cancelled, also where its token is refused before its unknown items are read', async () => {
    const scene = await openJobScene(ids(6), { ownToken: 'token-1' });
    const own = { ...scene, caller: { ...scene.caller, sentToken: 'own' } };
    const { release, behaviour } = held(reset());
    scene.writable.onNextWrites(applyThen(behaviour));
    const { jobId } = await submit(own, retitled(ids(6)));
    await expect.poll(() => scene.writable.calls.length).toBe(1);
    unwrap(await own.jobs.articleUpdateJobs.cancel(own.caller, jobId));
    scene.writable.onReads(status(401));
    release();
    await expect.poll(async () => (await find(own, jobId)).endedAt).not.toBeNull();
    expect(await find(own, jobId)).toMatchObject({ state: 'CANCELLED', counts: { unknown: 3, notAttempted: 3 } });
    expect((await outcomesOf(own, jobId))[0]).toMatchObject({ kind: 'unknown', readBack: 'NOT_READABLE' });
  });
});

describe('a job of a gateway that has crashed', () => {
  it("is taken over where its token is the gateway's own, and nothing is sent twice", async () => {
    const scene = await openJobScene(ids(6), { ownToken: 'token-1', timeoutMs: 1_000 });
    const caller = { ...scene.caller, sentToken: 'own' };
    scene.writable.onNextWrites(applyThen(hang()));
    const { jobId } = await submit({ ...scene, caller }, retitled(ids(6)));
    await expect.poll(() => scene.writable.calls.length).toBe(1);
    scene.crash();
    const other = { jobs: scene.openOther(), caller };
    other.jobs.start();
    await untilJob(other, jobId, { state: 'COMPLETED', counts: { updated: 6 } });
    expect(scene.writable.calls.flat().map(({ article_id }) => article_id)).toEqual(ids(6));
    expect((await outcomesOf(other, jobId))[0]).toMatchObject({ kind: 'updated', evidence: 'READ_BACK' });
  });

  it("is paused where its token is the caller's own, until that caller comes back", { tags: 'long' }, async () => {
    const scene = await openJobScene(ids(6), { timeoutMs: 1_000 });
    scene.writable.onNextWrites(unapplied(hang()));
    const { jobId } = await submit(scene, retitled(ids(6)));
    await expect.poll(() => scene.writable.calls.length).toBe(1);
    scene.crash();
    const other = { jobs: scene.openOther(), caller: scene.caller };
    other.jobs.start();
    await untilJob(other, jobId, { state: 'PAUSED', counts: { unknown: 3, pending: 3 } });
    expect(await other.jobs.articleUpdateJobs.resume({ ...scene.caller, apiToken: 'other' }, jobId)).toMatchObject({
      error: { kind: 'job-not-found' },
    });
    await other.jobs.articleUpdateJobs.resume(scene.caller, jobId);
    await untilJob(other, jobId, { state: 'COMPLETED', counts: { unknown: 3, updated: 3 } });
    expect(scene.writable.calls.flat().map(({ article_id }) => article_id)).toEqual(ids(6));
  });

  it('goes on for a caller who came back before the crashed gateway counted as dead', { tags: 'long' }, async () => {
    const scene = await openJobScene(ids(6), { timeoutMs: 1_000 });
    scene.writable.onNextWrites(applyThen(hang()));
    const { jobId } = await submit(scene, retitled(ids(6)));
    await expect.poll(() => scene.writable.calls.length).toBe(1);
    scene.crash();
    let [ahead, claims] = [0, 0];
    const openCounted = async () => {
      const ledger = await openLedger({ url: scene.url, setting: 'STATE_URL', now: () => Date.now() + ahead });
      const claim: Ledger['claim'] = (...args) => {
        claims += 1;
        return ledger.claim(...args);
      };
      return new Proxy(ledger, { get: (target, name) => (name === 'claim' ? claim : Reflect.get(target, name)) });
    };
    const other = { jobs: scene.openOther({ openLedger: openCounted, clock: fastClock(10) }), caller: scene.caller };
    expect(unwrap(await other.jobs.articleUpdateJobs.resume(scene.caller, jobId)).state).toBe('RUNNING');
    await expect.poll(() => claims).toBeGreaterThan(2);
    ahead = 20_000;
    await untilJob(other, jobId, { state: 'COMPLETED', counts: { updated: 6 } });
    expect(scene.writable.calls.flat().map(({ article_id }) => article_id)).toEqual(ids(6));
  });

  it("is paused where its token is not the gateway's own any more, until the gateway has it again", {
    tags: 'long',
  }, async () => {
    const scene = await openJobScene(ids(6), { ownToken: 'token-1', timeoutMs: 1_000 });
    const caller = { ...scene.caller, sentToken: 'own' };
    scene.writable.onNextWrites(applyThen(hang()));
    const { jobId } = await submit({ ...scene, caller }, retitled(ids(6)));
    await expect.poll(() => scene.writable.calls.length).toBe(1);
    scene.crash();
    const now = () => Date.now() + 60_000;
    const credentials = { serviceUrl: scene.service.url, ownToken: 'token-2' };
    const other = { jobs: scene.openOther({ credentials, now }), caller: { ...caller, apiToken: 'token-2' } };
    other.jobs.start();
    await untilJob(other, jobId, { state: 'PAUSED', counts: { unknown: 3, pending: 3 } });
    expect(unwrap(await other.jobs.articleUpdateJobs.resume(other.caller, jobId)).state).toBe('PAUSED');
    await other.jobs.close();
    const restored = { jobs: scene.openOther({ now }), caller };
    expect(unwrap(await restored.jobs.articleUpdateJobs.resume(caller, jobId)).state).toBe('RUNNING');
    await untilJob(restored, jobId, { state: 'COMPLETED', counts: { updated: 6 } });
  });

  it('is given up at once by a gateway that stops, with the outcome of the call in flight', async () => {
    const scene = await openJobScene(ids(6), { ownToken: 'token-1' });
    const caller = { ...scene.caller, sentToken: 'own' };
    const { release, behaviour } = held(json(200, { success: true, data: [] }));
    scene.writable.onNextWrites(unapplied(behaviour));
    const { jobId } = await submit({ ...scene, caller }, retitled(ids(6)));
    await expect.poll(() => scene.writable.calls.length).toBe(1);
    const closed = scene.jobs.close();
    release();
    await closed;
    expect(scene.writable.calls).toHaveLength(1);
    const other = { jobs: scene.openOther(), caller };
    other.jobs.start();
    await untilJob(other, jobId, { state: 'COMPLETED' });
    expect(scene.writable.calls.flat().map(({ article_id }) => article_id)).toEqual(ids(6));
  });
});

describe('the limits of jobs', () => {
  const submitPart = (scene: JobScene, part: Partial<JobPart>) =>
    scene.jobs.articleUpdateJobs.submit(scene.caller, {
      ...{ idempotencyKey: 'key', startIndex: 0, moreToCome: true, updates: [{ articleId: 'a0' }] },
      ...part,
    });

  it('refuse gaps, too many items and jobs, other input and a full state, with nothing stored', async () => {
    const scene = await openJobScene(ids(1), { settings: { ...SETTINGS, maxItems: 2, maxBytes: 100_000 } });
    const first = unwrap(await submitPart(scene, {}));
    expect(first).toMatchObject({ replayed: false, job: { state: 'OPEN', estimatedEndAt: null } });
    expect(unwrap(await submitPart(scene, {}))).toMatchObject({ replayed: true, job: { jobId: first.job.jobId } });
    expect(await submitPart(scene, { startIndex: 2 })).toMatchObject({
      error: {
        kind: 'validation',
        issues: [{ path: ['startIndex'], message: expect.stringContaining('begins at 1') }],
      },
    });
    expect(await submitPart(scene, { updates: [{ articleId: 'other' }] })).toMatchObject({
      error: { kind: 'idempotency-conflict', indexes: [0] },
    });
    expect(await submitPart(scene, { startIndex: 1, updates: [{ articleId: 'b' }, { articleId: 'c' }] })).toMatchObject(
      {
        error: {
          kind: 'validation',
          issues: [{ path: ['articles'], message: expect.stringContaining('MAX_JOB_ITEMS') }],
        },
      },
    );
    const large = [{ articleId: 'a0', content: 'x'.repeat(200_000) }];
    expect(await submitPart(scene, { startIndex: 1, updates: large })).toMatchObject({
      error: { kind: 'unavailable', message: expect.stringContaining('MAX_STATE_BYTES') },
    });
    for (const idempotencyKey of ['2', '3', '4', '5']) unwrap(await submitPart(scene, { idempotencyKey }));
    expect(await submitPart(scene, { idempotencyKey: '6' })).toMatchObject({
      error: { kind: 'rate-limited', retryAfterSeconds: expect.any(Number) },
    });
    expect(unwrap(await scene.jobs.articleUpdateJobs.list(scene.caller, { limit: 10 })).edges).toHaveLength(5);
  });

  it('have the room of all jobs that have expired, and not only that of one', async () => {
    let passedMs = 0;
    const scene = await openJobScene([], {
      // No sweep begins by itself meanwhile.
      clock: systemClock,
      settings: { ...SETTINGS, maxBytes: 60_000, hasOneCaller: true },
      now: () => Date.now() + passedMs,
    });
    const open = (idempotencyKey: string, length: number) =>
      scene.jobs.articleUpdateJobs.submit(scene.caller, {
        idempotencyKey,
        startIndex: 0,
        moreToCome: true,
        updates: [{ articleId: 'a0', content: 'x'.repeat(length) }],
      });
    for (const key of ['one', 'two', 'three', 'four']) expect(await open(key, 10_000)).toMatchObject({ ok: true });
    expect(await open('more', 50_000)).toMatchObject({ error: { kind: 'unavailable' } });
    passedMs = SETTINGS.openMs;
    expect(await open('more', 50_000)).toMatchObject({ ok: true });
  });

  it('touch no state for a token that the service does not accept', async () => {
    const scene = await openJobScene(ids(1));
    scene.writable.onReads(status(401));
    const jobs = openGateway({
      url: stateUrl(),
      backend: scene.backend,
      credentials: { serviceUrl: scene.service.url, ownToken: null },
      openLedger: () => Promise.reject(new Error('The state was opened.')),
    });
    const stranger = { ...scene.caller, request: createRequestFacts() };
    expect(await jobs.articleUpdateJobs.list(stranger, { limit: 1 })).toMatchObject({
      error: { kind: 'unauthenticated' },
    });
    expect(scene.service.received).toHaveLength(1);
  });

  it('show a job to its caller alone', async () => {
    const scene = await openJobScene(ids(1));
    const { jobId } = await submit(scene, retitled(['a0']));
    const { articleUpdateJobs } = scene.jobs;
    const other = { ...scene.caller, apiToken: 'other' };
    const request = { page: { limit: 1 }, outcomes: null };
    expect(unwrap(await articleUpdateJobs.find(other, jobId))).toBeNull();
    expect(unwrap(await articleUpdateJobs.list(other, { limit: 1 })).edges).toEqual([]);
    for (const after of [jobId, 'no-job'])
      expect(await articleUpdateJobs.list(other, { limit: 1, after })).toMatchObject({
        error: { kind: 'validation', issues: [{ path: ['after'] }] },
      });
    for (const result of [
      await articleUpdateJobs.cancel(other, jobId),
      await articleUpdateJobs.resume(other, jobId),
      await articleUpdateJobs.results(other, jobId, request),
    ])
      expect(result).toMatchObject({ error: { kind: 'job-not-found' } });
  });
});
