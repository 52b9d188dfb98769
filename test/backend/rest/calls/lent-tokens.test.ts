import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { withPipeline } from '../../../../src/backend/writes/pipeline.ts';
import { type Behaviour, held, json, status } from '../../../support/faulty-service.ts';
import { callerWith, openScene, strangerWith } from '../../../support/rest-scene.ts';

const VERSIONS = 'GET /v2/ProjectVersions';
const UPDATE = 'PUT /v2/Articles/bulkupdate';
const GROUP = 'PUT /v2/Readers/groups/g';

/** A service that accepts the gateway's own token, has received no call with it yet, and lets all others wait. */
async function openWithUntrustedCalls() {
  const scene = await openScene();
  const { service, backend } = scene;
  const strangers = held(status(401));
  const holdStrangers =
    (body: object): Behaviour =>
    (response, request) =>
      (request.headers['api_token'] === 'lent' ? json(200, body) : strangers.behaviour)(response, request);
  service.on(VERSIONS, holdStrangers({ data: [], success: true }));
  service.on(UPDATE, holdStrangers({ data: [{ article_id: 'a', success: true }], success: true }));
  service.on(GROUP, holdStrangers({ result: false, success: true }));
  const untrustedCalls = Array.from({ length: 90 }, (_, index) =>
    backend.projectVersions(strangerWith(`made-up ${index}`)),
  );
  while (service.received.length < 16) await sleep(1);
  const caller = { ...callerWith('lent'), sentToken: 'mine' };
  const endUntrustedCalls = () => {
    strangers.release();
    return Promise.all(untrustedCalls);
  };
  return { ...scene, caller, endUntrustedCalls };
}

describe('a caller who is lent a token that the service has not accepted yet', () => {
  it('reads without waiting for untrusted callers of the same address', async () => {
    const { backend, caller, endUntrustedCalls } = await openWithUntrustedCalls();
    expect(await backend.projectVersions(caller)).toEqual({ ok: true, value: [] });
    await endUntrustedCalls();
  });

  it('updates a reader group', async () => {
    const { backend, caller, endUntrustedCalls } = await openWithUntrustedCalls();
    const group = { groupId: 'g', title: 'Partners', description: null, readerIds: [], invitedSsoUserIds: [] };
    const update = { ...group, accessScope: { level: 'NONE' } } as const;
    expect(await backend.updateReaderGroup(caller, update)).toMatchObject({ ok: true });
    await endUntrustedCalls();
  });

  it('updates articles as well', async () => {
    const { backend, caller, endUntrustedCalls } = await openWithUntrustedCalls();
    const merging = withPipeline(backend, { merging: { maxItems: 100 } });
    const updated = await merging.bulkUpdateArticles(caller, [{ articleId: 'a' }]);
    expect(updated).toMatchObject({ ok: true, value: { outcomes: [{ kind: 'updated' }] } });
    await endUntrustedCalls();
  });
});
