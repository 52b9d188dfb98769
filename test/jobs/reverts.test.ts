import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/base/clock.ts';
import { openLedger } from '../../src/jobs/state/open-ledger.ts';
import { hang, held, json, reset, status } from '../support/faulty-service.ts';
import { callerWith } from '../support/rest-scene.ts';
import { applyThen, healthyWrite, unapplied } from '../support/writable-service.ts';
import { find, type JobScene, openJobScene, outcomesOf, SETTINGS, untilJob, unwrap } from './harness.ts';

const ids = (count: number) => Array.from({ length: count }, (_, n) => `a${n}`);

/** The second between a read and its write is a real one. */
const openScene = (articleIds: readonly string[], options: Parameters<typeof openJobScene>[1] = {}) =>
  openJobScene(articleIds, { clock: systemClock, ...options });

type Part = Pick<JobScene, 'jobs' | 'caller'>;

async function submitKept({ jobs, caller }: Part, updates: readonly { articleId: string }[], more: object = {}) {
  const part = { idempotencyKey: 'key', startIndex: 0, moreToCome: false, keepBefore: 'ALWAYS' as const, updates };
  return unwrap(await jobs.articleUpdateJobs.submit(caller, { ...part, ...more })).job.jobId;
}

/** A job that has given so many articles a new title. */
async function updated(scene: JobScene, articleIds: readonly string[], values: object = { title: 'New' }) {
  const jobId = await submitKept(
    scene,
    articleIds.map((articleId) => ({ articleId, ...values })),
  );
  await untilDone(scene, jobId);
  return jobId;
}

const untilDone = async (scene: Part, jobId: string) => {
  await expect.poll(async () => (await find(scene, jobId)).endedAt).not.toBeNull();
  return find(scene, jobId);
};

const revert = async ({ jobs, caller }: Part, jobId: string, idempotencyKey = 'undo') =>
  unwrap(await jobs.articleUpdateJobs.revert(caller, { jobId, idempotencyKey })).job.jobId;

const titles = ({ writable }: JobScene, count: number) => ids(count).map((id) => writable.article(id)?.['title']);

const reasons = async (scene: Part, jobId: string) =>
  (await outcomesOf(scene, jobId)).map((outcome) =>
    outcome.kind === 'not-attempted'
      ? outcome.reason
      : (outcome.kind === 'updated' && outcome.evidence) || outcome.kind,
  );

describe('a job that keeps what stood before', () => {
  it('has the room of jobs that have expired since the last sweep', async () => {
    let passedMs = 0;
    const settings = { ...SETTINGS, openMs: 5_000, maxBytes: 58_000, hasOneCaller: true };
    const scene = await openScene(ids(1), { settings, now: () => Date.now() + passedMs });
    const long = { articleId: 'a0', title: 'x'.repeat(10_000) };
    for (const idempotencyKey of ['one', 'two', 'three', 'four'])
      await submitKept(scene, [long], {
        idempotencyKey,
        moreToCome: true,
      });
    passedMs = settings.openMs;
    const jobId = await updated(scene, ['a0'], { title: 'y'.repeat(8_000) });
    expect(await reasons(scene, jobId)).toEqual(['updated']);
  });

  it('keeps nothing without keepBefore, and forgets what it kept with the job', async () => {
    const scene = await openScene(ids(3));
    const plain = await submitKept(scene, [{ articleId: 'a0' }], { keepBefore: 'NEVER', idempotencyKey: 'plain' });
    await untilDone(scene, plain);
    const ledger = await openLedger({ url: scene.url, setting: 'STATE_URL', serviceUrl: scene.service.url });
    const bytes = await ledger.usedBytes();
    await updated(scene, ids(3), { content: 'x'.repeat(1_000) });
    expect(await ledger.usedBytes()).toBeGreaterThan(bytes + 3_000);
    const keep = { openMs: 0, keepMs: 0 };
    while (await ledger.sweep(keep));
    await ledger.sweep(keep);
    expect(await ledger.usedBytes()).toBe(0);
    await ledger.close();
  });

  it('sends nothing on a read that took longer than a second', { tags: 'long' }, async () => {
    const scene = await openScene(ids(3));
    const { writable, service } = scene;
    // The service accepts the token before its reads become slow.
    unwrap(await scene.backend.projectVersions(scene.caller));
    const before = service.received.length;
    const slow = held(status(503));
    writable.onReads(slow.behaviour);
    const jobId = await submitKept(
      scene,
      ids(3).map((articleId) => ({ articleId, title: 'New' })),
    );
    await expect.poll(() => service.received.length).toBeGreaterThan(before);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(writable.calls).toEqual([]);
    writable.onReads(null);
    slow.release();
    await untilDone(scene, jobId);
    expect(titles(scene, 3)).toEqual(['New', 'New', 'New']);
  });

  it('reads and writes an item without a language in the same one, and so does its revert', async () => {
    const scene = await openScene(ids(1));
    const jobId = await updated(scene, ids(1));
    await untilDone(scene, await revert(scene, jobId));
    const sent = { article_id: 'a0', lang_code: 'en' };
    expect(scene.writable.calls).toEqual([[{ ...sent, title: 'New' }], [{ ...sent, title: 'a0' }]]);
  });

  it('holds at most ten texts in a call', async () => {
    const scene = await openScene(ids(25), { settings: { ...SETTINGS, bulkSize: 100 } });
    await updated(scene, ids(25), { content: 'New' });
    expect(Math.max(...scene.writable.calls.map(({ length }) => length))).toBeLessThanOrEqual(10);
    expect(scene.writable.applied).toHaveLength(25);
  });

  it('waits for reads that are refused for now, and is paused by a 401', { tags: 'long' }, async () => {
    const scene = await openScene(ids(3));
    // The service accepts the token before it refuses reads.
    unwrap(await scene.backend.projectVersions(scene.caller));
    scene.writable.onReads(status(429, '', { 'retry-after': '1' }));
    const jobId = await submitKept(
      scene,
      ids(3).map((articleId) => ({ articleId, title: 'New' })),
    );
    await untilJob(scene, jobId, { waitingFor: 'RATE_LIMIT' });
    scene.writable.onReads(status(503));
    await untilJob(scene, jobId, { waitingFor: 'SERVICE' });
    const refusedCalls: string[] = [];
    scene.writable.onReads((response, request) => {
      refusedCalls.push(request.url);
      status(401)(response, request);
    });
    // Nobody sees a job with a token that the service refuses.
    await expect.poll(() => refusedCalls).toHaveLength(1);
    scene.writable.onReads(null);
    // The gateway of the job refuses the token for some seconds more. Another one asks the service.
    const other = { jobs: scene.openOther(), caller: callerWith() };
    await untilJob(other, jobId, { state: 'PAUSED', counts: { pending: 3 } });
    unwrap(await other.jobs.articleUpdateJobs.resume(other.caller, jobId));
    expect(await untilDone(other, jobId)).toMatchObject({ counts: { updated: 3 }, isRevertible: true });
    expect(scene.writable.calls).toHaveLength(1);
  });

  it('ends with its rest not attempted where there is no room', async () => {
    const scene = await openScene(ids(9), { settings: { ...SETTINGS, maxBytes: 8_000, hasOneCaller: true } });
    const jobId = await submitKept(
      scene,
      ids(9).map((articleId) => ({ articleId, content: 'x'.repeat(150) })),
    );
    expect(await untilDone(scene, jobId)).toMatchObject({ state: 'COMPLETED', counts: { pending: 0 } });
    const ends = await reasons(scene, jobId);
    expect(new Set(ends)).toEqual(new Set(['updated', 'UNAVAILABLE']));
    expect(ends.filter((end) => end === 'updated')).toHaveLength(scene.writable.applied.length);
  });
});

describe('a revert', () => {
  it('puts back what stood there, the last first, and nothing of what was changed since', async () => {
    const scene = await openScene(ids(7));
    const jobId = await updated(scene, ids(7));
    Object.assign(scene.writable.article('a2') ?? {}, { title: 'By an editor' });
    Object.assign(scene.writable.article('a3') ?? {}, { latest_version: 4 });
    Object.assign(scene.writable.article('a4') ?? {}, { public_version: 3 });
    const undo = await revert(scene, jobId);
    expect(await untilDone(scene, undo)).toMatchObject({ revertOfId: jobId, counts: { total: 7, updated: 4 } });
    expect(titles(scene, 7)).toEqual(['a0', 'a1', 'By an editor', 'New', 'New', 'a5', 'a6']);
    expect(await reasons(scene, undo)).toEqual([
      ...['updated', 'updated', 'CHANGED_SINCE', 'CHANGED_SINCE', 'CHANGED_SINCE', 'updated', 'updated'],
    ]);
  });

  it('tells of an unknown item whether it stands as before, and puts it back where it is as asked', async () => {
    const scene = await openScene(ids(3));
    scene.writable.onNextWrites(unapplied(reset()));
    const jobId = await updated(scene, ids(3));
    expect(await find(scene, jobId)).toMatchObject({ counts: { unknown: 3 } });
    Object.assign(scene.writable.article('a1') ?? {}, { title: 'New' });
    Object.assign(scene.writable.article('a2') ?? {}, { title: 'Other' });
    const undo = await revert(scene, jobId);
    await untilDone(scene, undo);
    expect(await reasons(scene, undo)).toEqual(['CHANGED_SINCE', 'updated', 'READ_BACK']);
    expect(titles(scene, 3)).toEqual(['a0', 'a1', 'Other']);
    expect(scene.writable.applied).toHaveLength(1);
  });

  it('counts a text that the service has stored in another form as what was sent', async () => {
    const scene = await openScene(ids(1));
    scene.writable.onNextWrites((apply) => {
      const answer = apply();
      Object.assign(scene.writable.article('a0') ?? {}, { title: 'Caf\u00e9', content: 'One\ntwo' });
      return answer;
    });
    const jobId = await updated(scene, ids(1), { title: ' Cafe\u0301 ', content: 'One\r\ntwo\r\n' });
    const undo = await revert(scene, jobId);
    await untilDone(scene, undo);
    expect(await reasons(scene, undo)).toEqual(['updated']);
    expect(scene.writable.article('a0')).toMatchObject({ title: 'a0', content: 'text of a0' });
  });

  it('puts back each member that can be, and names the others', async () => {
    const scene = await openScene(ids(2));
    Object.assign(scene.writable.article('a0') ?? {}, { order: 0 });
    const jobId = await updated(scene, ids(2), { title: 'New', order: 7 });
    const { jobs, caller } = scene;
    const begun = unwrap(await jobs.articleUpdateJobs.revert(caller, { jobId, idempotencyKey: 'undo' }));
    expect(begun.warnings).toMatchObject([
      { code: 'ITEM_PARTLY_RESTORABLE', extensionData: { indexes: [0], total: 1 } },
    ]);
    const undo = begun.job.jobId;
    await untilDone(scene, undo);
    expect(await outcomesOf(scene, undo)).toMatchObject([
      { kind: 'updated', articleId: 'a1' },
      { kind: 'updated', articleId: 'a0', notRestored: ['order'] },
    ]);
    expect(titles(scene, 2)).toEqual(ids(2));
    expect(scene.writable.article('a0')).toMatchObject({ order: 7 });
  });

  it('puts an item back whose next one was not applied, but not what somebody changed between them', async () => {
    const scene = await openScene(ids(2));
    const updates = ['One', 'Two'].flatMap((title, n) =>
      ids(2).map((articleId) => ({ articleId, title, order: 7 + n })),
    );
    scene.writable.onNextWrites(healthyWrite, unapplied(reset()));
    const jobId = await submitKept(scene, updates);
    await untilDone(scene, jobId);
    expect(await find(scene, jobId)).toMatchObject({ counts: { updated: 2, unknown: 2 } });
    Object.assign(scene.writable.article('a1') ?? {}, { order: 5 });
    const undo = await revert(scene, jobId);
    await untilDone(scene, undo);
    expect(await reasons(scene, undo)).toEqual(['CHANGED_SINCE', 'updated']);
    expect(titles(scene, 2)).toEqual(['a0', 'One']);
  });

  it('compares with no read that may be older than what another gateway wrote', async () => {
    const scene = await openScene(ids(1));
    const jobId = await submitKept(
      scene,
      ['One', 'Two'].map((title) => ({ articleId: 'a0', title })),
    );
    await untilDone(scene, jobId);
    const show = (title: string) => Object.assign(scene.writable.article('a0') ?? {}, { title });
    show('One');
    setTimeout(() => show('Two'), SETTINGS.readLagMs - 100);
    const other = { jobs: scene.openOther(), caller: callerWith() };
    const undo = await revert(other, jobId);
    await expect.poll(() => find(other, undo), { timeout: 30_000 }).toMatchObject({ state: 'COMPLETED' });
    expect(await reasons(other, undo)).toEqual(['updated']);
    expect(titles(scene, 1)).toEqual(['a0']);
  });

  it('knows what its job has published', async () => {
    const scene = await openScene(ids(2));
    const publication = { userId: 'user', message: null };
    const updates = ids(2).map((articleId) => ({ articleId, title: 'New' }));
    const jobId = await submitKept(scene, updates, { publication });
    await untilDone(scene, jobId);
    expect(scene.writable.article('a0')).toMatchObject({ public_version: 3 });
    const { jobs, caller } = scene;
    const request = { jobId, idempotencyKey: 'undo', publication };
    const { job } = unwrap(await jobs.articleUpdateJobs.revert(caller, request));
    expect(await untilDone(scene, job.jobId)).toMatchObject({ counts: { updated: 2 } });
    expect(titles(scene, 2)).toEqual(['a0', 'a1']);
    // Its version is the public one already.
    expect(scene.writable.publications).toHaveLength(1);
  });

  it('is one at a time, and has its effect once', { tags: 'long' }, async () => {
    const scene = await openScene(ids(3));
    const jobId = await updated(scene, ids(3));
    const { release, behaviour } = held(json(200, { success: true, data: [] }));
    scene.writable.onNextWrites(unapplied(behaviour));
    const undo = await revert(scene, jobId);
    await expect.poll(() => scene.writable.calls.length).toBe(2);
    const { jobs, caller } = scene;
    expect(await jobs.articleUpdateJobs.revert(caller, { jobId, idempotencyKey: 'other' })).toMatchObject({
      error: { kind: 'idempotency-in-progress', message: expect.stringContaining('revertedBy') },
    });
    expect(unwrap(await jobs.articleUpdateJobs.revert(caller, { jobId, idempotencyKey: 'undo' }))).toMatchObject({
      replayed: true,
      job: { jobId: undo },
    });
    expect(unwrap(await jobs.articleUpdateJobs.findRevert(caller, jobId))).toMatchObject({ jobId: undo });
    release();
    await untilDone(scene, undo);
  });

  it("is nobody else's", async () => {
    const scene = await openScene(ids(1));
    const jobId = await updated(scene, ids(1));
    const stranger = { ...scene.caller, apiToken: 'token-2' };
    const { articleUpdateJobs } = scene.jobs;
    for (const result of [
      await articleUpdateJobs.revert(stranger, { jobId, idempotencyKey: 'undo' }),
      await articleUpdateJobs.previewRevert(stranger, jobId),
      await articleUpdateJobs.previewRevertItems(stranger, jobId, { limit: 5 }),
    ])
      expect(result).toMatchObject({ ok: false, error: { kind: 'job-not-found' } });
  });

  it('goes on in another gateway, and sends nothing again that one had begun which crashed', {
    tags: 'long',
  }, async () => {
    const scene = await openScene(ids(6), { ownToken: 'token-1', timeoutMs: 1_000 });
    const own = { ...scene, caller: { ...scene.caller, sentToken: 'own' } };
    const jobId = await updated(own, ids(6));
    scene.writable.onNextWrites(applyThen(hang()));
    const undo = await revert(own, jobId);
    await expect.poll(() => scene.writable.calls.length).toBe(3);
    scene.crash();
    const other = { jobs: scene.openOther(), caller: own.caller };
    other.jobs.start();
    expect(await untilDone(other, undo)).toMatchObject({ counts: { total: 6, updated: 6 } });
    expect(titles(scene, 6)).toEqual(ids(6));
    expect(scene.writable.applied).toHaveLength(12);
  });
});
