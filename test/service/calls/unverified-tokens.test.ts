import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Behaviour, held, json, status } from '../../support/faulty-service.ts';
import { createSharedWorld } from '../../support/memory-shared-state.ts';
import { callerWith, openBackendTo, openScene } from '../../support/rest-scene.ts';

const VERSIONS = 'GET /v2/ProjectVersions';
const found = json(200, { data: [], success: true });
const OK = { ok: true, value: [] };
const UNAUTHENTICATED = { ok: false, error: { kind: 'unauthenticated' } };

const proxyPage: Behaviour = (response) => {
  response.writeHead(401, { 'content-type': 'text/html' }).end('<html>');
};

/** Waits for something that happens whatever the machine does. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(1);
}

/** Behaves in one way for the tokens that begin with `good`, and in another for all others. */
const forGood =
  (behaviour: Behaviour, others: Behaviour): Behaviour =>
  (response, request) =>
    (`${request.headers['api_token']}`.startsWith('good') ? behaviour : others)(response, request);

describe('calls with a token that the service has not answered yet', () => {
  it('wait for the answer to one of them, and all go on where it is accepted', { tags: 'long' }, async () => {
    const { service, backend } = await openScene();
    const first = held(found);
    service.on(VERSIONS, first.behaviour, found);
    const reads = Array.from({ length: 1_000 }, () => backend.projectVersions(callerWith()));
    await until(() => service.received.length === 1);
    await sleep(20);
    expect(service.received).toHaveLength(1);
    first.release();
    expect(new Set((await Promise.all(reads)).map(({ ok }) => ok))).toEqual(new Set([true]));
  });

  it('all end with that answer where the token is refused, and it is refused without a call for some seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const { service, backend } = await openScene();
    service.on(VERSIONS, status(401));
    const read = () => backend.projectVersions(callerWith());
    const answers = await Promise.all(Array.from({ length: 50 }, read));
    expect(answers).toMatchObject(answers.map(() => UNAUTHENTICATED));
    expect(await read()).toMatchObject(UNAUTHENTICATED);
    expect(service.received).toHaveLength(1);
    vi.advanceTimersByTime(10_000);
    service.on(VERSIONS, found);
    expect(await read()).toEqual(OK);
  });

  it.each([
    ['an error', status(500)],
    ['a page of a firewall', status(403, '<html>')],
    ['a 401 of a proxy', proxyPage],
    ['a missing resource', json(404, { success: false, errors: [] })],
  ])('go on where it says nothing of the token: %s', async (_name, behaviour) => {
    const { service, backend } = await openScene();
    const first = held(behaviour);
    const others = held(found);
    service.on(VERSIONS, first.behaviour, others.behaviour);
    const reads = Array.from({ length: 5 }, () => backend.projectVersions(callerWith()));
    await until(() => service.received.length === 1);
    first.release();
    // All at one time, since one after another they would wait for each other.
    await until(() => service.received.length === 5);
    others.release();
    expect((await Promise.all(reads)).filter(({ ok }) => ok)).toHaveLength(4);
  });

  it('of many tokens take turns, so that made-up ones keep no good one away', async () => {
    const { service, backend } = await openScene();
    const madeUp = held(status(401));
    service.on(VERSIONS, forGood(found, madeUp.behaviour));
    const refused = Array.from({ length: 300 }, (_, index) => backend.projectVersions(callerWith(`made-up ${index}`)));
    await until(() => service.received.length === 100);
    const good = Array.from({ length: 20 }, (_, index) => backend.projectVersions(callerWith(`good ${index}`)));
    madeUp.release();
    expect(await Promise.all(good)).toEqual(good.map(() => OK));
    await Promise.all(refused);
  });

  it('end by their own deadline', async () => {
    const { service, backend } = await openScene();
    const first = held(found);
    service.on(VERSIONS, first.behaviour);
    const patient = backend.projectVersions(callerWith());
    await until(() => service.received.length === 1);
    expect(await backend.projectVersions(callerWith('token-1', 100))).toMatchObject({ error: { kind: 'unavailable' } });
    expect(service.received).toHaveLength(1);
    first.release();
    expect(await patient).toEqual(OK);
  });
});

describe('a token that one gateway has seen accepted', () => {
  it('waits for nothing at another one that has the same state', async () => {
    const world = createSharedWorld();
    const { service, backend } = await openScene({ shared: world.gateway() });
    const other = openBackendTo(service, { shared: world.gateway() });
    onTestFinished(() => other.close());
    service.on(VERSIONS, found);
    expect(await backend.projectVersions(callerWith())).toEqual(OK);
    const calls = held(found);
    service.forget(VERSIONS);
    service.on(VERSIONS, calls.behaviour);
    const reads = Array.from({ length: 3 }, () => other.projectVersions(callerWith()));
    await until(() => service.received.length === 3);
    calls.release();
    expect(await Promise.all(reads)).toEqual(reads.map(() => OK));
  });

  it('is asked about where the state cannot be reached', async () => {
    const world = createSharedWorld();
    const shared = world.gateway();
    const { service, backend } = await openScene({ shared });
    world.partition(shared, true);
    service.on(VERSIONS, found);
    expect(await backend.projectVersions(callerWith())).toEqual(OK);
  });
});
