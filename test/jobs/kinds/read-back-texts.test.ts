import { expect, it } from 'vitest';
import { envelope, json, reset } from '../../support/faulty-service.ts';
import { listedEntry } from '../../support/service-editions.ts';
import { openJobScene, outcomesOf, submit, untilJob } from '../harness.ts';

const IDS = ['a0', 'a1', 'a2'] as const;

it('a read-back reads the text of an article whose time has not moved', async () => {
  const scene = await openJobScene(IDS);
  const modified_at = '2020-01-01T00:00:00Z';
  const articles = IDS.map((id) => listedEntry(id, 'en', { modified_at, public_version: 2 }));
  const tree = [{ id: 'category', name: 'All', order: 1, articles, child_categories: [] }];
  scene.service.on('GET /v2/ProjectVersions/version/categories', json(200, envelope(tree)));
  scene.writable.onNextWrites((apply) => {
    apply();
    return reset();
  });
  const { jobId } = await submit(
    scene,
    IDS.map((articleId) => ({ articleId, content: 'New ' })),
  );
  await untilJob(scene, jobId, { state: 'COMPLETED' });
  expect(await outcomesOf(scene, jobId)).toMatchObject(IDS.map(() => ({ kind: 'updated', evidence: 'READ_BACK' })));
});
