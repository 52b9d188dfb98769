import { describe, expect, it } from 'vitest';
import { caller, openStore } from '../store/store.ts';
import { openGateway, outcomesOf, stateUrl, submit, untilJob } from './harness.ts';

describe('a job over the embedded store', () => {
  it('updates its articles, and goes on in the next process', async () => {
    const { backend } = await openStore();
    const credentials = { serviceUrl: null, ownToken: 'token' };
    const url = stateUrl();
    const scene = { jobs: openGateway({ url, backend, credentials }), caller };
    const updates = ['a1', 'a2', 'missing', 'a1'].map((articleId, n) => ({ articleId, title: `Title ${n}` }));
    const { jobId } = await submit(scene, updates);
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 3, failed: 1 } });
    const [a1] = await backend.articles(caller, [{ articleId: 'a1' }]);
    expect(a1).toMatchObject({ value: { title: 'Title 3' } });
    await scene.jobs.close();
    const next = { jobs: openGateway({ url, backend, credentials }), caller };
    expect(await outcomesOf(next, jobId)).toHaveLength(4);
  });
});
