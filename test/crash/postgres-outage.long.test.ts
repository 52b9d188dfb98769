import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../store/store.ts';
import { startPostgres } from '../support/embedded-postgres.ts';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import type { RunningGateway } from '../support/process.ts';
import {
  askAnyOf,
  EDITED,
  ITEMS,
  openRevertedService,
  REVERT,
  SUBMIT,
  startOver,
  UPDATES,
  untilDone,
} from './revert-scene.ts';

const OUTAGE_MS = 60_000;

/** From then on nobody knows whether another gateway has taken the jobs over: see docs/contract.md, "Jobs and idempotency keys". */
const ALIVE_MS = 10_000;

const [REVERTED, OTHERS] = [UPDATES.slice(0, ITEMS / 2), UPDATES.slice(ITEMS / 2)];

it('a job that keeps what it changes, and a revert, go on after a minute without their PostgreSQL', async () => {
  const server = await startPostgres({});
  const gateways = new Map<string, RunningGateway>();
  onTestFinished(async () => {
    for (const gateway of gateways.values()) await gateway.stop('SIGKILL');
    await server.stop();
  });
  const { url: stateUrl } = await createPostgresDatabase(server.url);
  const service = await openRevertedService();
  const cwd = temporaryFolder();
  for (const name of ['one', 'two']) gateways.set(name, await startOver(service, { cwd, stateUrl }));
  const ask = askAnyOf(gateways);
  const before = await service.readAll();
  const first = await ask(SUBMIT, { articles: REVERTED, key: 'first' });
  const reverted = await untilDone(ask, first.result.job.id);
  expect(reverted.summary).toMatchObject({ total: REVERTED.length, updated: REVERTED.length });
  expect(service.writtenTwice()).toEqual([]);
  const left = await service.readAll();

  const [job, revert] = await Promise.all([
    ask(SUBMIT, { articles: OTHERS, key: 'second' }),
    ask(REVERT, { id: reverted.id }),
  ]);
  const isWritten = ({ articleId }: (typeof UPDATES)[number]) => service.written.includes(articleId);
  while (!(REVERTED.some(isWritten) && OTHERS.some(isWritten))) await sleep(5);
  await server.kill();
  const cutAt = performance.now();
  await sleep(ALIVE_MS + 3_000);
  const writtenByThen = service.written.length;
  expect(REVERTED.every(isWritten) || OTHERS.every(isWritten)).toBe(false);
  // Those that come next, of which the revert may have read the first.
  const unwritten = REVERTED.filter((update) => !isWritten(update)).toReversed();
  const edited = unwritten.slice(0, 10).map(({ articleId }) => articleId);
  for (const id of edited) await service.edit(id);
  await sleep(OUTAGE_MS - (performance.now() - cutAt));
  expect(service.written.length).toBe(writtenByThen);
  await server.restart();

  const [done, undone] = [await untilDone(ask, job.result.job.id), await untilDone(ask, revert.result.job.id)];
  expect(service.writtenTwice()).toEqual([]);
  const after = await service.readAll();
  expect(done.summary).toMatchObject({ total: OTHERS.length, failed: 0, notAttempted: 0 });
  expect(undone.summary).toMatchObject({ total: REVERTED.length, failed: 0 });
  expect(undone.summary.notAttempted).toBeGreaterThan(0);
  for (const { articleId, __typename } of undone.results.nodes) {
    const now = { articleId, article: after.get(articleId) };
    if (edited.includes(articleId)) expect(now.article).toMatchObject({ title: EDITED });
    else if (__typename === 'ArticleUpdated') expect(now.article).toEqual(before.get(articleId));
    else {
      expect([articleId, __typename]).toEqual([articleId, 'ArticleUpdateUnknown']);
      expect(now.article).toEqual(left.get(articleId));
    }
  }
}, 600_000);
