import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/base/clock.ts';
import { type Behaviour, json, status } from '../support/faulty-service.ts';
import { unapplied } from '../support/writable-service.ts';
import { openJobScene, submit, untilJob, unwrap } from './harness.ts';

const page = (httpStatus: number): Behaviour => status(httpStatus, '<html>', { 'content-type': 'text/html' });
const updates = ['a', 'b', 'c', 'd'].map((articleId) => ({ articleId, title: `new ${articleId}` }));
const ids = updates.map(({ articleId }) => articleId);
const ALL_UPDATED = {
  state: 'COMPLETED',
  waitingFor: null,
  counts: { updated: 4, failed: 0, unknown: 0, notAttempted: 0 },
};

describe("a job whose call gets an answer that is not the service's", () => {
  it.each<[string, Behaviour]>([
    ['401', page(401)],
    ['403', page(403)],
    ['403 of another JSON', json(403, { message: 'Forbidden' })],
    ['404', page(404)],
    ['404 without a body', status(404)],
    ['405', page(405)],
    ['407', page(407)],
    ['413', page(413)],
    ['414', page(414)],
    ['431', page(431)],
    ['a redirect', status(302, '', { location: 'https://login.example/' })],
  ])('waits for the service, and sends that chunk again: %s', async (_name, behaviour) => {
    const scene = await openJobScene(ids);
    scene.writable.onNextWrites(unapplied(behaviour), unapplied(behaviour), unapplied(behaviour));
    const { jobId } = await submit(scene, updates);
    await untilJob(scene, jobId, { state: 'RUNNING', waitingFor: 'SERVICE', counts: { pending: 4 } });
    await untilJob(scene, jobId, ALL_UPDATED);
    expect(scene.writable.calls.map(({ length }) => length)).toEqual([3, 3, 3, 3, 1]);
    expect(scene.writable.applied.map(({ article_id }) => article_id)).toEqual(ids);
  });

  it('waits as well where that comes to what it reads first', { tags: 'long' }, async () => {
    // The second between a read and its write is a real one.
    const scene = await openJobScene(ids, { clock: systemClock });
    // The service accepts the token before something else answers its reads.
    unwrap(await scene.backend.projectVersions(scene.caller));
    scene.writable.onReads(page(400));
    const part = { idempotencyKey: 'key', startIndex: 0, moreToCome: false, updates, keepBefore: 'ALWAYS' } as const;
    const { jobId } = unwrap(await scene.jobs.articleUpdateJobs.submit(scene.caller, part)).job;
    await untilJob(scene, jobId, { state: 'RUNNING', waitingFor: 'SERVICE', counts: { pending: 4 } });
    scene.writable.onReads(null);
    await untilJob(scene, jobId, ALL_UPDATED);
  });

  it('has unknown items where the answer does not tell that the call did not arrive', async () => {
    const scene = await openJobScene(ids);
    scene.writable.onNextWrites(unapplied(page(400)));
    const { jobId } = await submit(scene, updates);
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 1, unknown: 3, failed: 0 } });
  });
});
