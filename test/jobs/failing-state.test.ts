import { renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openMetrics } from '../server/telemetry/open-metrics.ts';
import { status } from '../support/faulty-service.ts';
import { list } from '../support/repeat.ts';
import { singleValue, valuesBy } from '../support/scrape.ts';
import { find, openJobScene, SETTINGS, submit, untilJob, unwrap } from './harness.ts';

it('a job says that it waits while its state takes no writes, and goes on afterwards', async () => {
  const articleIds = list(60, (n) => `a${n}`);
  const messages: string[] = [];
  const log = (_level: string, message: string) => messages.push(message);
  const { metrics, samples } = await openMetrics();
  const stateFailing = async () => singleValue(await samples(), 'kb_gateway_state_failing');
  const scene = await openJobScene(articleIds, { log, metrics });
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
  expect(await stateFailing()).toBe(1);
  renameSync(`${path}.away`, path);
  await untilJob(scene, jobId, { state: 'COMPLETED', waitingFor: null, counts: { updated: 60 } });
  expect(await stateFailing()).toBe(0);
});

it('a state that is nearly full is told before it is full', async () => {
  const messages: string[] = [];
  const log = (_level: string, message: string) => messages.push(message);
  const { metrics, samples } = await openMetrics();
  const settings = { ...SETTINGS, maxBytes: 20_000, hasOneCaller: true };
  const scene = await openJobScene(['a'], { log, metrics, settings });
  const part = { idempotencyKey: 'key', startIndex: 0, moreToCome: true };
  const updates = [{ articleId: 'a', content: 'x'.repeat(16_000) }];
  const { jobId } = unwrap(await scene.jobs.articleUpdateJobs.submit(scene.caller, { ...part, updates })).job;
  await expect.poll(() => messages).toContain('the state of jobs is nearly full');
  expect(singleValue(await samples(), 'kb_gateway_state_size_bytes')).toBeGreaterThan(16_000);
  await scene.jobs.articleUpdateJobs.cancel(scene.caller, jobId);
  await expect.poll(() => messages).toContain('the state of jobs has room again');
});

it('the jobs that run are counted by what they wait for', async () => {
  const { metrics, samples } = await openMetrics();
  const scene = await openJobScene(['a'], { metrics });
  scene.service.on('PUT /v2/Articles/bulkupdate', status(429, '', { 'retry-after': '60' }));
  const { jobId } = await submit(scene, [{ articleId: 'a', title: 'New' }]);
  const waits = async () => valuesBy(await samples(), 'kb_gateway_jobs', ['wait']);
  await untilJob(scene, jobId, { state: 'RUNNING', waitingFor: 'RATE_LIMIT' });
  expect(await waits()).toEqual({ none: 0, rate_limit: 1, service: 0 });
  await scene.jobs.articleUpdateJobs.cancel(scene.caller, jobId);
  await expect.poll(waits).toEqual({ none: 0, rate_limit: 0, service: 0 });
});
