import { expect, it, vi } from 'vitest';
import { openJobScene, submit, untilJob, unwrap } from './harness.ts';

/** The lines at the start and at the end of jobs. */
const linesOf = (log: ReturnType<typeof vi.fn>) =>
  log.mock.calls.filter(([, message]) => ['a job has begun', 'a job has ended'].includes(message));

const updates = (...articleIds: readonly string[]) => articleIds.map((articleId) => ({ articleId, title: 'New' }));

it('a job has one line at its start and one at its end, however often its parts are sent', async () => {
  const log = vi.fn();
  const scene = await openJobScene(['a1', 'a2'], { log });
  const { articleUpdateJobs: jobs } = scene.jobs;
  const name = 'Of no log';
  const part = { idempotencyKey: 'k', name, startIndex: 0, moreToCome: true, updates: updates('a1', 'none') };
  for (const _ of [1, 2]) unwrap(await jobs.submit(scene.caller, part));
  expect(linesOf(log)).toEqual([]);
  const closing = { ...part, startIndex: 2, moreToCome: false, updates: updates('a2') };
  const { job } = unwrap(await jobs.submit(scene.caller, closing));
  unwrap(await jobs.submit(scene.caller, closing));
  const { jobId } = job;
  await untilJob(scene, jobId, { state: 'COMPLETED' });
  unwrap(await jobs.cancel(scene.caller, jobId));
  // Lines follow their transactions, which polls may see before.
  await scene.jobs.close();
  const outcomes = { items: 3, updated: 2, failed: 1, unknown: 0, notAttempted: 0 };
  expect(linesOf(log)).toEqual([
    ['info', 'a job has begun', { jobId, items: 3 }],
    ['info', 'a job has ended', { jobId, state: 'COMPLETED', ...outcomes, ms: expect.any(Number) }],
  ]);
  expect(JSON.stringify(log.mock.calls)).not.toContain(name);
});

it('a job that is cancelled while it is open has a line at its end', async () => {
  const log = vi.fn();
  const scene = await openJobScene(['a1'], { log });
  const { articleUpdateJobs: jobs } = scene.jobs;
  const part = { idempotencyKey: 'k', startIndex: 0, moreToCome: true, updates: updates('a1') };
  const { jobId } = unwrap(await jobs.submit(scene.caller, part)).job;
  unwrap(await jobs.cancel(scene.caller, jobId));
  const outcomes = { items: 1, updated: 0, failed: 0, unknown: 0, notAttempted: 1, ms: expect.any(Number) };
  expect(linesOf(log)).toEqual([['info', 'a job has ended', { jobId, state: 'CANCELLED', ...outcomes }]]);
});

it('a job that another process takes over has its lines once in both logs together', async () => {
  const log = vi.fn();
  const scene = await openJobScene(['a1', 'a2'], { log, ownToken: 'token-1' });
  const caller = { ...scene.caller, sentToken: 'own' };
  const held = Promise.withResolvers<void>();
  scene.writable.onNextWrites(() => async (response) => {
    await held.promise;
    response.socket?.resetAndDestroy();
  });
  const { jobId } = await submit({ ...scene, caller }, updates('a1', 'a2'));
  await expect.poll(() => scene.writable.calls.length).toBe(1);
  scene.crash();
  const other = { jobs: scene.openOther(), caller };
  other.jobs.start();
  await untilJob(other, jobId, { state: 'COMPLETED' });
  await other.jobs.close();
  expect(linesOf(log).map(([, message]) => message)).toEqual(['a job has begun', 'a job has ended']);
  held.resolve();
});
