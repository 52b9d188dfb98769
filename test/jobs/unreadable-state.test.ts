import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/core/base/clock.ts';
import { err, ok } from '../../src/core/base/result.ts';
import { outcomeUnknown } from '../../src/core/errors.ts';
import { readerGroupAnswer } from '../../src/core/writes/codec.ts';
import { hang, status } from '../support/faulty-service.ts';
import { applyThen } from '../support/writable-service.ts';
import { openJobScene, outcomesOf, submit, untilJob, unwrap } from './harness.ts';

const ids = (count: number) => Array.from({ length: count }, (_, n) => `a${n}`);
const retitled = (count: number) => ids(count).map((articleId) => ({ articleId, title: 'New' }));

/** Changes what is kept, as a version with other members would have written it. */
async function changeState(url: string, statement: string): Promise<void> {
  const database = new DatabaseSync(url.replace('sqlite:', ''));
  onTestFinished(() => database.close());
  // The gateway may be writing.
  await vi.waitFor(() => database.exec(statement), { timeout: 120_000, interval: 10 });
}

const RENAME_TITLE = `update article_update_job_items set input = replace(input, '"title"', '"heading"')`;

describe('what the state keeps in a form that the gateway cannot read', () => {
  it('is not sent, where it is an item, and the job goes on', async () => {
    const log = vi.fn();
    const scene = await openJobScene(ids(5), { log });
    const part = { idempotencyKey: 'key', startIndex: 0, updates: retitled(5) };
    const { job } = unwrap(await scene.jobs.articleUpdateJobs.submit(scene.caller, { ...part, moreToCome: true }));
    await changeState(scene.url, `${RENAME_TITLE} where item_index in (0, 1, 3)`);
    const closing = { ...part, startIndex: 5, updates: [], moreToCome: false };
    await scene.jobs.articleUpdateJobs.submit(scene.caller, closing);
    const counts = { updated: 2, notAttempted: 3, pending: 0 };
    await untilJob(scene, job.jobId, { state: 'COMPLETED', counts });
    expect(scene.writable.calls.flat()).toEqual([
      { article_id: 'a2', title: 'New' },
      { article_id: 'a4', title: 'New' },
    ]);
    const outcomes = await outcomesOf(scene, job.jobId);
    expect(outcomes[0]).toEqual({
      ...{ kind: 'not-attempted', articleId: 'a0', reason: 'REJECTED', retryAfterSeconds: null },
      details: expect.stringMatching(/^Not sent, because the gateway cannot read .*not known/u),
    });
    expect(log).toHaveBeenCalledWith(
      'error',
      'items of a job cannot be read, and are not sent',
      expect.objectContaining({ jobId: job.jobId }),
    );
  });

  it('ends a job in which nothing can be read', async () => {
    const scene = await openJobScene(ids(4));
    const part = { idempotencyKey: 'key', startIndex: 0, updates: retitled(4) };
    const { job } = unwrap(await scene.jobs.articleUpdateJobs.submit(scene.caller, { ...part, moreToCome: true }));
    await changeState(scene.url, `update article_update_job_items set input = '{"v":99,"articleId":"a0"}'`);
    await scene.jobs.articleUpdateJobs.submit(scene.caller, { ...part, moreToCome: false });
    await untilJob(scene, job.jobId, { state: 'COMPLETED', counts: { notAttempted: 4, pending: 0 } });
    expect(scene.writable.calls).toEqual([]);
    expect((await outcomesOf(scene, job.jobId))[3]?.details).toContain('unknown form');
  });

  it('stays unknown where it was sent, and is not read back', async () => {
    const scene = await openJobScene(ids(3), { ownToken: 'token-1', timeoutMs: 1_000 });
    const caller = { ...scene.caller, sentToken: 'own' };
    scene.writable.onNextWrites(applyThen(hang()));
    const { jobId } = await submit({ ...scene, caller }, retitled(3));
    await expect.poll(() => scene.writable.calls.length).toBe(1);
    scene.crash();
    await changeState(scene.url, `${RENAME_TITLE} where item_index = 1`);
    const other = { jobs: scene.openOther(), caller };
    other.jobs.start();
    await untilJob(other, jobId, { state: 'COMPLETED', counts: { updated: 2, unknown: 1 } });
    expect((await outcomesOf(other, jobId))[1]).toMatchObject({
      ...{ kind: 'unknown', articleId: 'a1', readBack: 'NOT_READABLE' },
      details: expect.stringContaining('not known'),
    });
    expect(scene.writable.calls).toHaveLength(1);
  });

  it('tells how items have ended all the same', async () => {
    const scene = await openJobScene(ids(2));
    scene.writable.onNextWrites(() => status(400));
    const { jobId } = await submit(scene, [...retitled(2), { articleId: 'none' }]);
    await untilJob(scene, jobId, { state: 'COMPLETED' });
    const before = await outcomesOf(scene, jobId);
    await changeState(scene.url, `update article_update_job_items set outcome = '{"v":2,"result":1}', target = '{}'`);
    expect(await outcomesOf(scene, jobId)).toEqual(
      before.map(({ kind, articleId }) =>
        expect.objectContaining({ kind, articleId, details: expect.stringContaining('cannot read the details') }),
      ),
    );
  });

  it('is an unknown outcome, where it is the answer of a key, and nothing is written', async () => {
    const log = vi.fn();
    const scene = await openJobScene([], { clock: systemClock, log });
    const send = vi.fn(async () => ok({ serviceResult: null, warnings: [], information: [], extensionData: null }));
    const write = {
      ...{ operation: 'write', idempotencyKey: 'key', input: 1, answer: readerGroupAnswer, send },
      outcomeUnknown: (reason: string) => err(outcomeUnknown(reason)),
    };
    await scene.jobs.idempotencyKeys.run(scene.caller, write);
    await changeState(scene.url, `update idempotency_keys set answer = replace(answer, 'serviceResult', 'outcome')`);
    for (const jobs of [scene.jobs, scene.openOther()])
      expect(await jobs.idempotencyKeys.run(scene.caller, write)).toMatchObject({
        error: { kind: 'outcome-unknown', message: expect.stringMatching(/cannot read the answer.*serviceResult/u) },
      });
    expect(send).toHaveBeenCalledTimes(1);
    expect(log).toHaveBeenCalledWith('error', 'a recorded answer cannot be read', {
      operation: 'write',
      reason: expect.stringContaining('serviceResult'),
    });
  });
});
