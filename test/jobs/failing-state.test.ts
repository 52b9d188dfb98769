import { renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import { list } from '../support/repeat.ts';
import { find, openJobScene, submit, untilJob } from './harness.ts';

it('a job says that it waits while its state takes no writes, and goes on afterwards', async () => {
  const articleIds = list(60, (n) => `a${n}`);
  const messages: string[] = [];
  const log = (_level: string, message: string) => messages.push(message);
  const scene = await openJobScene(articleIds, { log });
  const { jobId } = await submit(
    scene,
    articleIds.map((articleId) => ({ articleId, title: 'New' })),
  );
  const path = scene.url.replace('sqlite:', '');
  renameSync(path, `${path}.away`);
  await untilJob(scene, jobId, { state: 'RUNNING', waitingFor: 'SERVICE', estimatedEndAt: null });
  for (let poll = 0; poll < 3; poll += 1) expect(await find(scene, jobId)).toMatchObject({ waitingFor: 'SERVICE' });
  expect(messages.filter((message) => message.startsWith('the state of jobs'))).toEqual([
    'the state of jobs is unavailable',
  ]);
  renameSync(`${path}.away`, path);
  await untilJob(scene, jobId, { state: 'COMPLETED', waitingFor: null, counts: { updated: 60 } });
});
