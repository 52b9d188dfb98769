import { describe, expect, it } from 'vitest';
import type { Backend } from '../../../../src/backend/backend.ts';
import { held, reset } from '../../../support/faulty-service.ts';
import { createSharedWorld } from '../../../support/memory-shared-state.ts';
import { controlTime, openCacheScene, queryCaller, queryStranger, titleOf } from '../../../support/read-cache-scene.ts';
import { callerWith } from '../../../support/rest-scene.ts';
import { applyThen, type WriteBehaviour } from '../../../support/writable-service.ts';

const ARTICLE = 'GET /v2/Articles/a1/en';
const BULK = 'PUT /v2/Articles/bulkupdate';

async function openTwo() {
  const world = createSharedWorld();
  const shared = [world.gateway(), world.gateway()] as const;
  const scene = await openCacheScene({ shared: shared[0] }, { shared: shared[1] });
  const [one, other] = scene.backends;
  if (one === undefined || other === undefined) throw new Error('There are not two gateways.');
  const write = (backend: Backend, title: string, waitMs = 20_000) =>
    backend.bulkUpdateArticles(callerWith('token-1', waitMs), [{ articleId: 'a1', languageCode: 'en', title }]);
  return { ...scene, world, shared, one, other, write };
}

describe('a write by one of two gateways', () => {
  it('is seen by the next query of the other', async () => {
    const { service, one, other, write } = await openTwo();
    await titleOf(other, 'a1');
    await titleOf(other, 'a1');
    expect(service.receivedOn(ARTICLE)).toHaveLength(1);
    await write(one, 'new');
    expect([await titleOf(other, 'a1'), await titleOf(other, 'a1')]).toEqual(['new', 'new']);
    expect(service.receivedOn(ARTICLE)).toHaveLength(2);
  });

  it.each<readonly [string, WriteBehaviour]>([
    ['is under way', (apply) => held(apply()).behaviour],
    ['may have been applied', applyThen(reset())],
  ])('keeps the reads of the other from the cache while it %s', async (_name, behaviour) => {
    const { service, knowledgeBase, one, other, write } = await openTwo();
    await titleOf(other, 'a1');
    knowledgeBase.onNextWrites(behaviour);
    void write(one, 'new');
    await expect.poll(() => service.receivedOn(BULK)).toHaveLength(1);
    expect([await titleOf(other, 'a1'), await titleOf(other, 'a1')]).toEqual(['new', 'new']);
    expect(service.receivedOn(ARTICLE)).toHaveLength(3);
  });
});

describe('a gateway that is cut off from the state', () => {
  it('takes nothing from its cache', async () => {
    const { service, world, shared, one, other, write } = await openTwo();
    await titleOf(one, 'a1');
    world.partition(shared[0], true);
    await write(other, 'new');
    const caller = queryCaller();
    expect(await titleOf(one, 'a1', caller)).toBe('new');
    expect(caller.request.readCacheUse).toMatchObject({ hits: 0, reason: 'bypass' });
    expect(service.receivedOn(ARTICLE)).toHaveLength(2);
  });

  it('sends a write once it counts as missing, and then no other uses its cache, nor what it kept before', async () => {
    const passTime = controlTime();
    const { service, world, shared, one, other, write } = await openTwo();
    await titleOf(other, 'a1');
    world.partition(shared[0], true);
    const written = write(one, 'new');
    passTime(2_000);
    expect(await titleOf(other, 'a1')).toBe('a1');
    expect(service.receivedOn(BULK)).toHaveLength(0);
    expect(service.receivedOn(ARTICLE)).toHaveLength(1);
    passTime(2_100);
    expect(await written).toMatchObject({ ok: true });
    expect(await titleOf(other, 'a1')).toBe('new');
    world.partition(shared[0], false);
    await titleOf(other, 'a1');
    await titleOf(other, 'a1');
    expect(service.receivedOn(ARTICLE)).toHaveLength(3);
  });

  it('sends no write without a mark where its request has too little time to wait', async () => {
    const { service, world, shared, one, write } = await openTwo();
    world.partition(shared[0], true);
    expect(await write(one, 'new', 1_500)).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', isOutOfTime: true },
    });
    expect(service.receivedOn(BULK)).toHaveLength(0);
  });

  it('marks a write after all where the state is back before the answer', async () => {
    const passTime = controlTime();
    const { service, knowledgeBase, world, shared, one, other, write } = await openTwo();
    const answer = Promise.withResolvers<void>();
    knowledgeBase.onNextWrites((apply) => async (...exchange) => {
      await answer.promise;
      await apply()(...exchange);
    });
    world.partition(shared[0], true);
    const written = write(one, 'new');
    passTime(4_100);
    await expect.poll(() => service.receivedOn(BULK)).toHaveLength(1);
    world.partition(shared[0], false);
    expect(await titleOf(other, 'a1')).toBe('a1');
    answer.resolve();
    await written;
    expect(await titleOf(other, 'a1')).toBe('new');
  });
});

it('asks the state nothing for a token that the service has not accepted', async () => {
  const { service, one } = await openTwo();
  const callers = Array.from({ length: 3 }, () => queryStranger('made up'));
  service.on(ARTICLE, reset());
  await Promise.allSettled(callers.map((caller) => titleOf(one, 'a1', caller)));
  expect(callers.map(({ request }) => request.readCacheUse?.reason)).toEqual(['bypass', 'bypass', 'bypass']);
});
