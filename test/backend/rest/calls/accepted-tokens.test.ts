import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Backend } from '../../../../src/backend/backend.ts';
import type { Caller } from '../../../../src/domain/callers/caller.ts';
import { type Behaviour, held, json, status } from '../../../support/faulty-service.ts';
import { accept, callerWith, openScene, strangerWith } from '../../../support/rest-scene.ts';

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

const callerFrom = (address: string, apiToken: string) => strangerWith(apiToken, { address });

const isAccepted = ({ tokenVerdicts }: Backend, caller: Caller) => tokenVerdicts?.isAccepted(caller) === true;

/** Behaves in one way for a token, and in another for all others. */
const forToken =
  (token: string, behaviour: Behaviour, others: Behaviour): Behaviour =>
  (response, request) =>
    (request.headers['api_token'] === token ? behaviour : others)(response, request);

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
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, behaviour);
    expect(isAccepted(backend, caller)).toBe(false);
    await backend.projectVersions(caller);
    expect([isAccepted(backend, caller), isAccepted(backend, callerWith('another'))]).toEqual([isShown, false]);
  });

  it('is not accepted any more after a 401, and stays accepted after other failures', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, found, status(500), status(404), status(401));
    const accepted: boolean[] = [];
    for (let call = 0; call < 4; call += 1) {
      await backend.projectVersions(callerWith());
      accepted.push(isAccepted(backend, caller));
    }
    expect(accepted).toEqual([true, true, true, false]);
  });

  it('stays accepted for an hour, whatever the clock shows', async () => {
    // First, since the stopped clock begins at 0.
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const scene = await openScene();
    await accept(scene);
    vi.setSystemTime(Date.now() + 7_200_000);
    vi.advanceTimersByTime(3_500_000);
    expect(isAccepted(scene.backend, scene.caller)).toBe(true);
    vi.advanceTimersByTime(200_000);
    expect(isAccepted(scene.backend, scene.caller)).toBe(false);
  });
});

describe('the verification of a token', () => {
  it('takes one call for concurrent requests, and none where the token is accepted', async () => {
    const { service, backend } = await openScene();
    service.on(VERSIONS, found);
    const ask = () => backend.requireKnown(strangerWith('token-1'));
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
    expect(await backend.requireKnown(strangerWith('token-1'))).toMatchObject({ ok: false, error: { kind } });
    expect(await backend.requireKnown(strangerWith(null))).toMatchObject({ error: { kind: 'unauthenticated' } });
  });
});

describe('calls with tokens that the service has not accepted', () => {
  it('are few at one time, and fewer from one network, while trusted calls go on', async () => {
    const scene = await openScene();
    const { service, backend, caller } = scene;
    await accept(scene);
    const strangers = held(status(401));
    service.on(VERSIONS, forToken('token-1', found, strangers.behaviour));
    const untrusted = Array.from({ length: 100 }, (_, index) =>
      backend.projectVersions(callerFrom('192.0.2.1', `made-up ${index}`)),
    );
    while (service.received.length < 16) await sleep(1);
    expect(await backend.projectVersions(caller)).toMatchObject({ ok: true });
    // 16 are in flight and 62 wait; the others fail at once.
    const refused = await Promise.all(untrusted.slice(78));
    expect(refused).toEqual(
      refused.map(() => ({ ok: false, error: expect.objectContaining({ kind: 'unavailable' }) })),
    );
    expect(service.received).toHaveLength(17);
    strangers.release();
    await Promise.all(untrusted);
  });

  it('do not reach the queue of a reader group', async () => {
    const scene = await openScene();
    const { service, backend, caller } = scene;
    await accept(scene);
    service.on(VERSIONS, status(401));
    service.on(PUT_GROUP, done);
    const untrusted = Array.from({ length: 40 }, (_, index) =>
      backend.updateReaderGroup(callerFrom('192.0.2.1', `made-up ${index}`), group),
    );
    const trusted = await backend.updateReaderGroup(caller, group);
    expect(trusted).toMatchObject({ ok: true });
    const results = await Promise.all(untrusted);
    expect(results).toEqual(
      results.map(() => ({ ok: false, error: expect.objectContaining({ kind: 'unauthenticated' }) })),
    );
    expect(service.receivedOn(PUT_GROUP).map(({ headers }) => headers['api_token'])).toEqual(['token-1']);
  });

  it('fill only a small part of the queue of a reader group where the service does not tell whether it accepts them', async () => {
    const scene = await openScene();
    const { service, backend, caller } = scene;
    await accept(scene);
    service.on(VERSIONS, status(403, '<html>'));
    const strangers = held(status(401));
    service.on(PUT_GROUP, forToken('token-1', done, strangers.behaviour));
    const results: string[] = [];
    const untrusted = Array.from({ length: 70 }, async (_, index) => {
      const end = await backend.updateReaderGroup(callerFrom('192.0.2.1', `made-up ${index}`), group);
      results.push(end.ok ? 'updated' : end.error.message);
    });
    while (results.length < 7) await sleep(1);
    expect(new Set(results)).toEqual(new Set([expect.stringContaining('Too many updates of this reader group')]));
    const trusted = backend.updateReaderGroup(caller, group);
    strangers.release();
    expect(await trusted).toMatchObject({ ok: true });
    await Promise.all(untrusted);
  });

  it('update a reader group where the token may not read', async () => {
    const { service, backend } = await openScene();
    const caller = strangerWith('token-1');
    service.on(VERSIONS, status(403));
    service.on(PUT_GROUP, done);
    expect(await backend.updateReaderGroup(caller, group)).toMatchObject({ ok: true });
    expect(isAccepted(backend, caller)).toBe(true);
  });
});
