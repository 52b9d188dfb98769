import { expect, it, onTestFinished } from 'vitest';
import type { Backend } from '../../../src/core/backend.ts';
import { openStateAt } from '../../jobs/state/shared/postgres-scene.ts';
import { databaseToDrop } from '../../store/store.ts';
import { openCacheScene, titleOf } from '../../support/read-cache-scene.ts';
import { callerWith } from '../../support/rest-scene.ts';
import { describeLateRetry } from './late-retries.ts';

const ARTICLE = 'GET /v2/Articles/a1/en';
const BULK = 'PUT /v2/Articles/bulkupdate';
const WRITES = 10;

/** The states of two gateways that share a PostgreSQL database. */
async function openStates() {
  const { url } = await databaseToDrop();
  const states = [await openStateAt(url), await openStateAt(url)] as const;
  onTestFinished(async () => {
    for (const state of states) await state.close();
  });
  return states;
}

async function openTwo() {
  const states = await openStates();
  const scene = await openCacheScene({ shared: states[0] }, { shared: states[1] });
  const [one, other] = scene.backends;
  if (one === undefined || other === undefined) throw new Error('There are not two gateways.');
  return { ...scene, one, other };
}

const write = (backend: Backend, title: string) =>
  backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a1', languageCode: 'en', title }]);

it('shows each write to the next query of the other gateway, which makes one call for it', async () => {
  const { service, one, other } = await openTwo();
  const titles: (string | null)[] = [];
  for (let index = 0; index < WRITES; index += 1) {
    expect(await write(one, `title ${index}`)).toMatchObject({ ok: true });
    titles.push(await titleOf(other, 'a1'), await titleOf(other, 'a1'));
  }
  expect(titles).toEqual(Array.from({ length: 2 * WRITES }, (_, index) => `title ${Math.floor(index / 2)}`));
  expect(service.receivedOn(ARTICLE)).toHaveLength(WRITES);
});

it('keeps the reads of the other gateway from its cache until the write has its outcome', {
  tags: 'long',
}, async () => {
  const { service, knowledgeBase, one, other } = await openTwo();
  await titleOf(other, 'a1');
  await titleOf(other, 'a1');
  expect(service.receivedOn(ARTICLE)).toHaveLength(1);
  const { promise: outcome, resolve } = Promise.withResolvers<void>();
  knowledgeBase.onNextWrites((apply) => async (...exchange) => {
    await outcome;
    await apply()(...exchange);
  });
  const written = write(one, 'new');
  await expect.poll(() => service.receivedOn(BULK)).toHaveLength(1);
  await titleOf(other, 'a1');
  await titleOf(other, 'a1');
  expect(service.receivedOn(ARTICLE)).toHaveLength(3);
  resolve();
  await written;
  expect([await titleOf(other, 'a1'), await titleOf(other, 'a1')]).toEqual(['new', 'new']);
  expect(service.receivedOn(ARTICLE)).toHaveLength(4);
});

describeLateRetry(openStates);
