import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/core/base/clock.ts';
import { ok } from '../../src/core/base/result.ts';
import { readerGroupAnswer } from '../../src/core/writes/codec.ts';
import { hang } from '../support/faulty-service.ts';
import { callerWith } from '../support/rest-scene.ts';
import { unapplied } from '../support/writable-service.ts';
import { find, openJobScene, submit, untilJob, unwrap } from './harness.ts';

const ANSWER = { serviceResult: null, warnings: [], information: [], extensionData: null };

const UPDATES = [{ articleId: 'a0', title: 'New' }];

/** Two gateways over one state, in front of two services. */
async function openTwoServices(otherUrl: (url: string) => string = () => 'http://other.example/api/') {
  const log = vi.fn();
  const scene = await openJobScene(['a0'], { clock: systemClock });
  const write = (name: string) => ({
    ...{ operation: 'write', idempotencyKey: 'key', input: name, answer: readerGroupAnswer },
    outcomeUnknown: () => ok(ANSWER),
    send: vi.fn(async () => ok(ANSWER)),
  });
  const first = write('input');
  await scene.jobs.idempotencyKeys.run(scene.caller, first);
  const credentials = { serviceUrl: otherUrl(scene.service.url), ownToken: null };
  const other = scene.openOther({ credentials, log, now: Date.now });
  // The other gateway asks its service about the token first.
  return { scene, other, newcomer: callerWith(scene.caller.apiToken), log, write };
}

const WARNING = 'the state is also that of other services';

describe('two services over one state', () => {
  it('have keys of their own: what one recorded is never replayed for the other', async () => {
    const { scene, other, newcomer, write } = await openTwoServices();
    const [same, different] = [write('input'), write('another input')];
    expect(await scene.jobs.idempotencyKeys.run(scene.caller, same)).toMatchObject({ value: { replayed: true } });
    expect(await other.idempotencyKeys.run(newcomer, different)).toMatchObject({ value: { replayed: false } });
    expect(different.send).toHaveBeenCalledTimes(1);
    expect(same.send).not.toHaveBeenCalled();
  });

  it('have jobs of their own, which their caller sees from both, and which the other does not run', async () => {
    const { scene, other } = await openTwoServices();
    const { jobId } = await submit(scene, UPDATES);
    const { caller } = scene;
    const part = { idempotencyKey: 'key', startIndex: 0, moreToCome: true, updates: [{ articleId: 'elsewhere' }] };
    const submitted = unwrap(await other.articleUpdateJobs.submit(caller, part));
    expect(submitted).toMatchObject({ replayed: false, job: { state: 'OPEN' } });
    expect(submitted.job.jobId).not.toBe(jobId);
    expect(await find({ jobs: other, caller }, jobId)).toMatchObject({ jobId });
    const { edges } = unwrap(await other.articleUpdateJobs.list(caller, { limit: 9 }));
    expect(edges.map(({ node }) => node.jobId).sort()).toEqual([jobId, submitted.job.jobId].sort());
  });

  it('leave a job paused and visible in front of the other service, also for a caller who resumes it', async () => {
    const scene = await openJobScene(['a0'], { ownToken: 'token-1', timeoutMs: 1_000 });
    const caller = { ...scene.caller, sentToken: 'own' };
    scene.writable.onNextWrites(unapplied(hang()));
    const { jobId } = await submit({ ...scene, caller }, [...UPDATES, ...UPDATES]);
    await expect.poll(() => scene.writable.calls.length).toBe(1);
    scene.crash();
    const credentials = { serviceUrl: `${scene.service.url}/elsewhere`, ownToken: 'token-1' };
    const other = { jobs: scene.openOther({ credentials, now: () => Date.now() + 60_000 }), caller };
    other.jobs.start();
    await untilJob(other, jobId, { state: 'PAUSED', counts: { unknown: 1, pending: 1 } });
    expect(unwrap(await other.jobs.articleUpdateJobs.resume(caller, jobId)).state).toBe('PAUSED');
    expect(scene.writable.calls).toHaveLength(1);
  });

  it('are both named in one warning, without what is secret in their URLs', async () => {
    const { scene, other, newcomer, log } = await openTwoServices(
      () => 'http://name:secret@other.example:80/api//?token=secret#f',
    );
    await other.articleUpdateJobs.list(newcomer, { limit: 1 });
    expect(log.mock.calls.filter(([, message]) => message === WARNING)).toEqual([
      ['warn', WARNING, { service: 'http://other.example/api', others: [scene.service.url] }],
    ]);
    expect(JSON.stringify(log.mock.calls)).not.toContain('secret');
  });

  it.each([
    ['a slash at its end', (url: string) => `${url}//`],
    ['capital letters', (url: string) => url.replace('http://', 'HTTP://')],
  ])('are one where their URLs differ by %s only', async (_name, otherUrl) => {
    const { other, newcomer, log, write } = await openTwoServices(otherUrl);
    const again = write('input');
    expect(await other.idempotencyKeys.run(newcomer, again)).toMatchObject({ value: { replayed: true } });
    expect(again.send).not.toHaveBeenCalled();
    expect(log.mock.calls.filter(([, message]) => message === WARNING)).toEqual([]);
  });
});
