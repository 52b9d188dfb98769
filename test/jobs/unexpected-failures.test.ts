import { expect, it } from 'vitest';
import type { ArticleUpdate } from '../../src/core/articles/bulk-updates.ts';
import type { Backend } from '../../src/core/backend.ts';
import type { Log } from '../../src/core/base/log.ts';
import { openJobScene, outcomesOf, submit, untilJob, unwrap } from './harness.ts';

const updates: readonly ArticleUpdate[] = ['a', 'b'].map((articleId) => ({ articleId, title: `new ${articleId}` }));
const ids = updates.map(({ articleId }) => articleId);

const REASON = expect.stringContaining('The gateway failed unexpectedly when it sent this: see its log.');

/** The jobs of a gateway with a bug in a method of its backend. */
async function openBuggy(method: 'bulkUpdateArticles' | 'publishArticles', when: 'before' | 'after') {
  const scene = await openJobScene(ids);
  const lines: string[] = [];
  const log: Log = (_level, message) => void lines.push(message);
  const backend: Backend = {
    ...scene.backend,
    [method]: async (...args: Parameters<Backend['bulkUpdateArticles']>) => {
      if (when === 'after') await scene.backend.bulkUpdateArticles(...args);
      throw new Error('a bug');
    },
  };
  return { ...scene, jobs: scene.openOther({ backend, log }), lines };
}

it('an unexpected failure when items are sent is the reason of those that stay unknown', async () => {
  const scene = await openBuggy('bulkUpdateArticles', 'before');
  const { jobId } = await submit(scene, updates);
  await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 0, unknown: 2, notAttempted: 0 } });
  expect(await outcomesOf(scene, jobId)).toMatchObject([
    { kind: 'unknown', readBack: 'DIFFERS', details: REASON },
    { kind: 'unknown', readBack: 'DIFFERS', details: REASON },
  ]);
  expect(scene.lines).toContain('a call of a job has failed unexpectedly');
});

it('an unexpected failure after the call sends nothing again, and its items are updated or unknown', async () => {
  const scene = await openBuggy('bulkUpdateArticles', 'after');
  const { jobId } = await submit(scene, updates);
  await untilJob(scene, jobId, { state: 'COMPLETED', counts: { failed: 0, notAttempted: 0 } });
  // Whether a read shows the write already is a matter of time.
  for (const outcome of await outcomesOf(scene, jobId)) {
    if (outcome.kind === 'updated') expect(outcome).toMatchObject({ evidence: 'READ_BACK' });
    else expect(outcome).toMatchObject({ kind: 'unknown', details: REASON });
  }
  expect(scene.writable.applied).toHaveLength(2);
});

it('an unexpected failure of a publication is the reason why it is unknown', async () => {
  const scene = await openBuggy('publishArticles', 'before');
  const publication = { userId: 'u1', message: null };
  const part = { idempotencyKey: 'key', startIndex: 0, moreToCome: false, updates, publication };
  const { jobId } = unwrap(await scene.jobs.articleUpdateJobs.submit(scene.caller, part)).job;
  await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 2, unknown: 0 } });
  expect(await outcomesOf(scene, jobId)).toMatchObject(
    ids.map(() => ({ kind: 'updated', publication: 'UNKNOWN', details: REASON })),
  );
});
