import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Caller } from '../../../src/core/callers/caller.ts';
import { json, status } from '../../support/faulty-service.ts';
import { accept, callerWith, openScene, type Scene } from '../../support/rest-scene.ts';

const VERSIONS = 'GET /v2/ProjectVersions';
const PUT_GROUP = 'PUT /v2/Readers/groups/g';
const found = json(200, { data: [], success: true });
const done = json(200, { result: false, success: true });
const group = {
  groupId: 'g',
  title: 'Partners',
  description: null,
  readerIds: [],
  invitedSsoUserIds: [],
  accessScope: { level: 'NONE' },
} as const;

/** Where the token is not accepted, the service is asked, and refuses it. */
async function isAccepted({ service, backend }: Scene, caller: Caller): Promise<boolean> {
  service.on(VERSIONS, status(401));
  return (await backend.requireKnown(caller)).ok;
}

describe('an accepted token', () => {
  it.each([
    ['a response', found, true],
    ['a bare list', json(200, []), true],
    ['a refusal of the service for want of permission', json(403, { success: false, errors: [] }), true],
    ['a refusal of a firewall', status(403, '<html>'), false],
    ['401', status(401), false],
    ['400', json(400, { success: false, errors: [] }), false],
    ['404', json(404, { success: false, errors: [] }), false],
    ['413', status(413), false],
    ['429', status(429), false],
    ['a page that is no JSON', status(200, '<html>'), false],
    ['a success that is none', json(200, { success: false }), false],
    ['a failure', json(500, { success: true }), false],
  ])('is shown by %s: %s', async (_name, behaviour, isShown) => {
    const scene = await openScene();
    scene.service.on(VERSIONS, behaviour);
    await scene.backend.projectVersions(scene.caller);
    expect(await isAccepted(scene, callerWith('another'))).toBe(false);
    expect(await isAccepted(scene, callerWith())).toBe(isShown);
  });

  it('is not accepted any more after a 401, and stays accepted after other failures', async () => {
    const scene = await openScene();
    const { service, backend } = scene;
    service.on(VERSIONS, found, status(500), status(404));
    for (let call = 0; call < 3; call += 1) await backend.projectVersions(callerWith());
    expect(await isAccepted(scene, callerWith())).toBe(true);
    await backend.projectVersions(callerWith());
    expect(await isAccepted(scene, callerWith())).toBe(false);
  });

  it('stays accepted for an hour, whatever the clock shows', async () => {
    // First, since the stopped clock begins at 0.
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const scene = await openScene();
    await accept(scene);
    vi.setSystemTime(Date.now() + 7_200_000);
    vi.advanceTimersByTime(3_500_000);
    expect(await isAccepted(scene, callerWith())).toBe(true);
    vi.advanceTimersByTime(200_000);
    expect(await isAccepted(scene, callerWith())).toBe(false);
  });
});

describe('the verification of a token', () => {
  it('takes one call for concurrent requests, and none where the token is accepted', async () => {
    const { service, backend } = await openScene();
    service.on(VERSIONS, found);
    const ask = () => backend.requireKnown(callerWith());
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect([...answers, await ask()]).toEqual(Array.from({ length: 21 }, () => ({ ok: true, value: undefined })));
    expect(service.received).toHaveLength(1);
  });

  it.each([
    ['401', status(401), 'unauthenticated'],
    ['403', status(403), 'forbidden'],
    ['429', status(429), 'rate-limited'],
    ['500', status(500), 'unavailable'],
    ['404', status(404), 'unavailable'],
    ['a response without information', status(200, '<html>'), 'unavailable'],
  ])('fails with the error of the service: %s', async (_name, behaviour, kind) => {
    const { service, backend } = await openScene();
    service.on(VERSIONS, behaviour);
    expect(await backend.requireKnown(callerWith())).toMatchObject({ ok: false, error: { kind } });
    expect(await backend.requireKnown(callerWith(null))).toMatchObject({ error: { kind: 'unauthenticated' } });
  });
});

describe('calls with tokens that the service has not accepted', () => {
  it('do not reach the queue of a reader group', async () => {
    const scene = await openScene();
    const { service, backend, caller } = scene;
    await accept(scene);
    service.on(VERSIONS, status(401));
    service.on(PUT_GROUP, done);
    const refused = Array.from({ length: 40 }, (_, index) =>
      backend.updateReaderGroup(callerWith(`made-up ${index}`), group),
    );
    expect(await backend.updateReaderGroup(caller, group)).toMatchObject({ ok: true });
    const results = await Promise.all(refused);
    expect(results).toEqual(
      results.map(() => ({ ok: false, error: expect.objectContaining({ kind: 'unauthenticated' }) })),
    );
    expect(service.receivedOn(PUT_GROUP).map(({ headers }) => headers['api_token'])).toEqual(['token-1']);
  });

  it('update a reader group where the token may not read', async () => {
    const scene = await openScene();
    const { service, backend } = scene;
    service.on(VERSIONS, status(403));
    service.on(PUT_GROUP, done);
    expect(await backend.updateReaderGroup(callerWith(), group)).toMatchObject({ ok: true });
    expect(await isAccepted(scene, callerWith())).toBe(true);
  });
});
