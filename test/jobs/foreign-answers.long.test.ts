import { describe, expect, it } from 'vitest';
import { fastClock } from '../support/fast-clock.ts';
import { status } from '../support/faulty-service.ts';
import { openJobScene, submit, untilJob } from './harness.ts';

const page = status(403, '<html>', { 'content-type': 'text/html' });
const updates = ['a', 'b', 'c', 'd'].map((articleId) => ({ articleId, title: `new ${articleId}` }));
const ids = updates.map(({ articleId }) => articleId);
const ALL_UPDATED = { state: 'COMPLETED', waitingFor: null, counts: { updated: 4 } };

describe("a job whose calls get answers that are not the service's", () => {
  it('is paused after an hour of it, and goes on when it is resumed', async () => {
    const scene = await openJobScene(ids, { clock: fastClock(50) });
    scene.service.on('PUT /v2/Articles/bulkupdate', page);
    const { jobId } = await submit(scene, updates);
    await untilJob(scene, jobId, { state: 'PAUSED', counts: { pending: 4 } });
    const { length } = scene.service.received;
    expect(length).toBeGreaterThan(5);
    scene.service.on('PUT /v2/Articles/bulkupdate', (response, { body }) => {
      const sent: readonly { article_id: unknown }[] = Array.isArray(body) ? body : [];
      const data = sent.map(({ article_id }) => ({ article_id, success: true }));
      response.end(JSON.stringify({ success: true, data }));
    });
    await scene.jobs.articleUpdateJobs.resume(scene.caller, jobId);
    await untilJob(scene, jobId, ALL_UPDATED);
  });
});
