import { describe, expect, it } from 'vitest';
import type { Backend } from '../../../src/core/backend.ts';
import { held, reset } from '../../support/faulty-service.ts';
import { createSharedWorld } from '../../support/memory-shared-state.ts';
import { CACHE_MS, controlTime, openCacheScene, queryCaller, titleOf } from '../../support/read-cache-scene.ts';
import { callerWith } from '../../support/rest-scene.ts';
import { applyThen, type WriteBehaviour } from '../../support/writable-service.ts';

const ARTICLE = 'GET /v2/Articles/a1/en';
const BULK = 'PUT /v2/Articles/bulkupdate';

async function openTwo(onSharedFailure: 'closed' | 'open' = 'closed') {
  const world = createSharedWorld();
  const shared = [world.gateway(), world.gateway()] as const;
  const scene = await openCacheScene({ shared: shared[0], onSharedFailure }, { shared: shared[1], onSharedFailure });
  const [one, other] = scene.backends;
  if (one === undefined || other === undefined) throw new Error('There are not two gateways.');
  const write = (backend: Backend, title: string) =>
    backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a1', languageCode: 'en', title }]);
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
    expect(caller.summary.readCacheUse).toMatchObject({ hits: 0, reason: 'bypass' });
    expect(service.receivedOn(ARTICLE)).toHaveLength(2);
  });

  it('sends no write, since it cannot mark it', async () => {
    const { service, world, shared, one, other, write } = await openTwo();
    await titleOf(other, 'a1');
    world.partition(shared[0], true);
    expect(await write(one, 'new')).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', message: expect.stringContaining('nothing was sent') },
    });
    expect(service.receivedOn(BULK)).toHaveLength(0);
    expect(await titleOf(other, 'a1')).toBe('a1');
    expect(service.receivedOn(ARTICLE)).toHaveLength(1);
    world.partition(shared[0], false);
    expect(await write(one, 'new')).toMatchObject({ ok: true });
    expect(await titleOf(other, 'a1')).toBe('new');
  });

  it('sends a write without a mark with STATE_FAILURE=open, and others see it once what they keep is too old', async () => {
    const passTime = controlTime();
    const { service, world, shared, one, other, write } = await openTwo('open');
    await titleOf(other, 'a1');
    world.partition(shared[0], true);
    expect(await write(one, 'new')).toMatchObject({ ok: true });
    expect(service.receivedOn(BULK)).toHaveLength(1);
    expect([await titleOf(one, 'a1'), await titleOf(other, 'a1')]).toEqual(['new', 'a1']);
    passTime(CACHE_MS);
    expect(await titleOf(other, 'a1')).toBe('new');
  });
});

describe('a gateway that is stopped between the mark of a write and its call', () => {
  it('sends nothing once the mark could end before the write takes effect', async () => {
    const passTime = controlTime();
    const world = createSharedWorld();
    const [state, otherState] = [world.gateway(), world.gateway()];
    const begin: typeof state.readMarks.begin = async (scope, ms) => {
      const mark = await state.readMarks.begin(scope, ms);
      passTime(11_000);
      return mark;
    };
    const stopped = { ...state, readMarks: { ...state.readMarks, begin } };
    const { service, backends } = await openCacheScene({ shared: stopped }, { shared: otherState });
    const [one] = backends;
    expect(
      await one?.bulkUpdateArticles(callerWith(), [{ articleId: 'a1', languageCode: 'en', title: 'late' }]),
    ).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    expect(service.receivedOn(BULK)).toHaveLength(0);
  });
});

it('asks the state nothing for a token that the service has not accepted', async () => {
  const { service, one } = await openTwo();
  const callers = Array.from({ length: 3 }, () => queryCaller({ apiToken: 'made up' }));
  service.on(ARTICLE, reset());
  await Promise.allSettled(callers.map((caller) => titleOf(one, 'a1', caller)));
  expect(callers.map(({ summary }) => summary.readCacheUse?.reason)).toEqual(['bypass', 'bypass', 'bypass']);
});
