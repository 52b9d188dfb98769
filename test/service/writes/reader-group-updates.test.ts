import { describe, expect, it } from 'vitest';
import type { MembersUpdate, ReaderGroupUpdate } from '../../../src/core/reader-groups/reader-group-updates.ts';
import { type Behaviour, hang, json, reset, status } from '../../support/faulty-service.ts';
import { foundGroup, groupBody, groupWritten, joining, keepGroup, wholeUpdate } from '../../support/kept-group.ts';
import { callerWith, openAcceptedScene } from '../../support/rest-scene.ts';

const PUT = 'PUT /v2/Readers/groups/g1';
const GET = 'GET /v2/Readers/groups/g1';

const failed = (httpStatus: number, ...texts: readonly string[]) =>
  json(httpStatus, { success: false, errors: texts.map((description) => ({ description })) });

const UNKNOWN_GROUP = 'The reader group Id does not exist.';

const CATEGORY = { project_version_id: 'v', category_id: 'c', language_code: 'en' };

/** Scopes that the service may show and that nobody has documented: their lists must not be lost on the way back. */
const UNDOCUMENTED_SCOPES: readonly (readonly [string, unknown])[] = [
  ['level 6 without lists', { access_level: 6, categories: [], project_versions: [], languages: [] }],
  ['level 6 with lists', { access_level: 6, categories: [CATEGORY], project_versions: ['v'], languages: null }],
  ['level 6 with members unknown here', { access_level: 6, workspaces: [{ id: 'w', deep: [1, null] }], z: '\u0000' }],
  ['a level unknown here', { access_level: 9, teams: ['t'], categories: null }],
  ['a level that is no 32-bit number', { access_level: 9_007_199_254_740_991, teams: ['t'] }],
  ['a level by another name', { level: 'workspace' }],
  ['a list that cannot be read', { access_level: 1, categories: [{ ...CATEGORY, language_code: null }, CATEGORY] }],
  ['a member named __proto__', JSON.parse('{"access_level":6,"__proto__":{"access_level":3}}')],
  ['no object', 'all'],
];

const accessScopeOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'access_scope' in body ? body.access_scope : undefined;

const { description: _description, readerIds: _readerIds, invitedSsoUserIds: _invited, ...partial } = wholeUpdate;

const ids = (prefix: string, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${from + index}`);

async function update(behaviour: Behaviour, change: ReaderGroupUpdate = wholeUpdate, timeoutMs = 60_000) {
  const { service, backend, caller } = await openAcceptedScene({ timeoutMs });
  service.on(PUT, behaviour);
  return backend.updateReaderGroup(caller, change);
}

describe('an update of a reader group', () => {
  it('sends a complete update without reading the group', async () => {
    const { service, backend, caller } = await openAcceptedScene();
    service.on(PUT, groupWritten);
    await backend.updateReaderGroup(caller, wholeUpdate);
    expect(service.received.map(({ method }) => method)).toEqual(['PUT']);
    expect(service.received[0]?.body).toEqual({
      title: 'Partners',
      description: null,
      associated_readers: ['r1'],
      access_scope: { access_level: 3, categories: null, project_versions: null, languages: null },
      associated_invited_sso_users: [],
    });
  });

  it.each([
    ['result: false', { result: false }, false],
    ['result: true', { result: true }, true],
    ['no result', {}, null],
    ['a result of another kind', { result: 'yes' }, null],
  ])('succeeds with %s, which never decides', async (_name, members, serviceResult) => {
    const result = await update(json(200, { success: true, ...members }));
    expect(result).toMatchObject({ ok: true, value: { serviceResult } });
  });

  it.each([
    ['a list', { data: [{ name: 'sign-in' }] }],
    ['an object', { data: {} }],
    ['a result that is an object', { result: {} }],
  ])('is unknown where the answer is %s and neither says that it succeeded nor has a result', async (_name, body) => {
    expect(await update(json(200, body))).toMatchObject({ ok: false, error: { kind: 'outcome-unknown' } });
  });

  it('keeps the notices and the extension data of the response', async () => {
    const notices = { warnings: [{ description: 'w' }], information: [{ description: 'i' }], extension_data: { a: 1 } };
    expect(await update(json(200, { success: true, ...notices }))).toMatchObject({
      value: { warnings: [{ description: 'w' }], information: [{ description: 'i' }], extensionData: { a: 1 } },
    });
  });

  it.each([
    ['the unknown group', failed(400, UNKNOWN_GROUP), { kind: 'reader-group-not-found' }],
    [
      'a missing title',
      failed(400, 'The Title field is required.'),
      { kind: 'validation', source: 'SERVICE', issues: [{ path: ['title'] }] },
    ],
    ['two texts', failed(400, UNKNOWN_GROUP, 'More.'), { kind: 'rejected', httpStatus: 400, mayHaveApplied: false }],
    ['400 with a page', status(400, '<html>'), { kind: 'outcome-unknown' }],
    [
      '200 with success: false',
      json(200, { success: false }),
      { kind: 'rejected', httpStatus: 200, mayHaveApplied: true },
    ],
    [
      '200 with errors',
      json(200, { success: true, errors: [{ description: 'x' }] }),
      { kind: 'rejected', mayHaveApplied: true },
    ],
    ['401 without a body', status(401), { kind: 'unauthenticated' }],
    ['403 without a body', status(403), { kind: 'forbidden' }],
    ['404', status(404), { kind: 'unavailable', foreignStatus: 404 }],
    ['405', status(405), { kind: 'unavailable', foreignStatus: 405 }],
    ['a redirect', status(301, '', { location: '/x' }), { kind: 'unavailable', foreignStatus: 301 }],
    ['429', status(429, '', { 'x-ratelimit-reset': '90' }), { kind: 'rate-limited', retryAfterSeconds: 90 }],
  ])('fails at %s', async (_name, behaviour, error) => {
    expect(await update(behaviour)).toMatchObject({ ok: false, error });
  });

  it('is unavailable where the service cannot be reached', async () => {
    const { service, backend, caller } = await openAcceptedScene();
    await service.close();
    expect(await backend.updateReaderGroup(caller, wholeUpdate)).toMatchObject({
      ok: false,
      error: { kind: 'unavailable' },
    });
  });
});

describe('the properties that an update of a reader group leaves out', () => {
  it('are read first, and sent unchanged', async () => {
    const { service, backend, caller } = await openAcceptedScene();
    service.on(GET, foundGroup());
    service.on(PUT, groupWritten);
    await backend.updateReaderGroup(caller, partial);
    expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v2/Readers/groups/g1?offSet=1',
      'PUT /v2/Readers/groups/g1',
    ]);
    expect(service.received[1]?.body).toMatchObject({
      title: 'Partners',
      description: 'Old text',
      associated_readers: ['r1', 'r2'],
      associated_invited_sso_users: ['i1'],
      access_scope: { access_level: 3 },
    });
  });

  it.each([
    ['description', { description: null }, { description: null, associated_readers: ['r1', 'r2'] }],
    ['readers', { readerIds: [] }, { associated_readers: [], associated_invited_sso_users: ['i1'] }],
    ['invitations', { invitedSsoUserIds: [] }, { associated_readers: ['r1', 'r2'], associated_invited_sso_users: [] }],
  ])('do not replace those that it states: %s', async (_name, stated, body) => {
    const { service, backend, caller } = await openAcceptedScene();
    service.on(GET, foundGroup());
    service.on(PUT, groupWritten);
    await backend.updateReaderGroup(caller, { ...partial, ...stated });
    expect(service.receivedOn(PUT)[0]?.body).toMatchObject(body);
  });

  it('are the title and the scope too', async () => {
    const { service, backend, caller } = await openAcceptedScene();
    service.on(
      GET,
      foundGroup({ access_scope: { access_level: 2, project_versions: ['v'], categories: [], more: 1 } }),
    );
    service.on(PUT, groupWritten);
    await backend.updateReaderGroup(caller, { groupId: 'g1', readerIds: ['r7'] });
    expect(service.receivedOn(PUT)[0]?.body).toEqual({
      title: 'Old',
      description: 'Old text',
      associated_readers: ['r7'],
      associated_invited_sso_users: ['i1'],
      access_scope: { access_level: 2, categories: null, project_versions: ['v'], languages: null },
    });
  });

  it.each(UNDOCUMENTED_SCOPES)('are a scope exactly as it came: %s', async (_name, scope) => {
    const { service, backend, caller } = await openAcceptedScene();
    service.on(GET, foundGroup({ access_scope: scope }));
    service.on(PUT, groupWritten);
    expect(await backend.updateReaderGroup(caller, { groupId: 'g1', title: 'New' })).toMatchObject({ ok: true });
    expect(JSON.stringify(accessScopeOf(service.receivedOn(PUT)[0]?.body))).toBe(JSON.stringify(scope));
  });

  it.each([undefined, null])('keep the update from being sent where the service shows the scope %s', async (scope) => {
    const { service, backend, caller } = await openAcceptedScene();
    service.on(GET, foundGroup({ access_scope: scope }));
    service.on(PUT, groupWritten);
    expect(await backend.updateReaderGroup(caller, { groupId: 'g1', title: 'New' })).toMatchObject({
      ok: false,
      error: { kind: 'rejected', mayHaveApplied: false },
    });
    expect(service.receivedOn(PUT)).toEqual([]);
    expect(await backend.updateReaderGroup(caller, partial)).toMatchObject({ ok: true });
  });

  it('are read over all pages of members, and merged without repeats', async () => {
    const { service, backend, caller } = await openAcceptedScene();
    service.on(
      GET,
      foundGroup({ associated_readers: ids('r', 0, 5_000), associated_invited_sso_users: ['i1'] }),
      foundGroup({ associated_readers: ids('r', 4_999, 5_000), associated_invited_sso_users: ['i1', 'i2'] }),
      foundGroup({ associated_readers: ids('r', 9_999, 3), associated_invited_sso_users: null }),
    );
    service.on(PUT, groupWritten);
    await backend.updateReaderGroup(caller, partial);
    expect(service.receivedOn(GET).map(({ url }) => url.split('?')[1])).toEqual(['offSet=1', 'offSet=2', 'offSet=3']);
    expect(service.receivedOn(PUT)[0]?.body).toMatchObject({
      associated_readers: ids('r', 0, 10_002),
      associated_invited_sso_users: ['i1', 'i2'],
    });
  });

  const full = { associated_readers: ids('r', 0, 5_000) };

  it.each([
    ['500', [status(500)], 'unavailable'],
    ['an HTML 502', [status(502, '<html>')], 'unavailable'],
    ['a timeout', [hang()], 'unavailable'],
    ['a reset', [reset()], 'unavailable'],
    ['half a response', [status(200, '{"result": {')], 'unavailable'],
    ['a response that is no group', [json(200, { result: {}, success: true })], 'unavailable'],
    ['no group', [json(200, { result: null, success: true })], 'unavailable'],
    ['another group', [foundGroup({ reader_group_id: 'g2' })], 'unavailable'],
    ['members that are no list', [foundGroup({ associated_readers: 'r1' })], 'unavailable'],
    ['a member that is no ID', [foundGroup({ associated_readers: ['r1', 7] })], 'unavailable'],
    ['errors beside the group', [json(200, { result: groupBody(), errors: [{ description: 'Half.' }] })], 'rejected'],
    ['404', [status(404)], 'unavailable'],
    ['404 with a reason', [failed(404, 'Gone.')], 'unavailable'],
    ['405', [status(405)], 'unavailable'],
    ['400: unknown', [failed(400, UNKNOWN_GROUP)], 'reader-group-not-found'],
    ['401', [status(401)], 'unauthenticated'],
    ['403', [status(403)], 'forbidden'],
    ['429', [status(429)], 'rate-limited'],
    ['a second page that fails', [foundGroup(full), status(500)], 'unavailable'],
    ['a second page that vanished', [foundGroup(full), failed(400, UNKNOWN_GROUP)], 'unavailable'],
    ['a full page that is repeated', [foundGroup(full)], 'unavailable'],
  ])('keep the update from being sent where they cannot be read: %s', async (_name, behaviours, kind) => {
    const { service, backend, caller } = await openAcceptedScene({ timeoutMs: 1_500 });
    service.on(GET, ...behaviours);
    service.on(PUT, groupWritten);
    const result = await backend.updateReaderGroup(caller, partial);
    expect(result).toMatchObject({ ok: false, error: { kind } });
    expect(service.receivedOn(PUT)).toEqual([]);
  });

  it('are not read forever where pages repeat themselves', async () => {
    const { service, backend, caller } = await openAcceptedScene();
    service.on(GET, foundGroup(full));
    const result = await backend.updateReaderGroup(caller, partial);
    expect(result).toMatchObject({ error: { message: expect.stringContaining('repeats') } });
    expect(service.received).toHaveLength(2);
  });

  it('are not counted among the reads of the query', async () => {
    const { service, backend, caller } = await openAcceptedScene({ maxReadCalls: 0 });
    service.on(GET, foundGroup());
    service.on(PUT, groupWritten);
    expect(await backend.updateReaderGroup(caller, partial)).toMatchObject({ ok: true });
  });
});

describe('writes of one reader group', () => {
  it('run one after another, so that none undoes another', async () => {
    const scene = await openAcceptedScene();
    const kept = keepGroup(scene.service);
    const readers = ids('r', 0, 20);
    await Promise.all(readers.map((id) => scene.backend.changeReaderGroupMembers(callerWith(), joining(id))));
    expect(kept.members()).toMatchObject({ associated_readers: readers });
    expect(kept.mostAtOnce()).toBe(1);
  });

  it('do not delay those of another group', { tags: 'long' }, async () => {
    const { service, backend } = await openAcceptedScene({ timeoutMs: 1_000 });
    service.on(PUT, hang());
    service.on('PUT /v2/Readers/groups/g2', groupWritten);
    const first = backend.updateReaderGroup(callerWith(), wholeUpdate);
    expect(await backend.updateReaderGroup(callerWith(), { ...wholeUpdate, groupId: 'g2' })).toMatchObject({
      ok: true,
    });
    expect(await first).toMatchObject({ ok: false, error: { kind: 'outcome-unknown' } });
  });

  it('of one token wait by hundreds for their turn', async () => {
    const { service, backend } = await openAcceptedScene();
    service.on(PUT, groupWritten);
    const all = Array.from({ length: 200 }, () => backend.updateReaderGroup(callerWith(), wholeUpdate));
    expect((await Promise.all(all)).filter(({ ok }) => !ok)).toEqual([]);
    expect(service.receivedOn(PUT)).toHaveLength(200);
  });

  it('wait no longer than their caller, and fail unsent', async () => {
    const { service, backend } = await openAcceptedScene({ timeoutMs: 1_000 });
    service.on(PUT, hang());
    const first = backend.updateReaderGroup(callerWith(), wholeUpdate);
    expect(await backend.updateReaderGroup(callerWith('token-1', 100), wholeUpdate)).toMatchObject({
      ok: false,
      error: { kind: 'unavailable' },
    });
    await first;
    expect(service.receivedOn(PUT)).toHaveLength(1);
  });

  it('wait in a queue of at most a thousand of one token', { tags: 'long' }, async () => {
    const { service, backend } = await openAcceptedScene({ timeoutMs: 1_000 });
    service.on(PUT, hang());
    const all = Array.from({ length: 1_002 }, () =>
      backend.updateReaderGroup(callerWith('token-1', 1_500), wholeUpdate),
    );
    expect(await all[1_001]).toMatchObject({
      error: { kind: 'unavailable', message: expect.stringContaining('Too many updates') },
    });
    await Promise.all(all);
    expect(service.receivedOn(PUT)).toHaveLength(1);
  });
});

describe('a change of members', () => {
  const change: MembersUpdate = {
    groupId: 'g1',
    addReaderIds: ['r1', 'r3'],
    removeReaderIds: ['r2', 'r9'],
    addInvitedSsoUserIds: [],
    removeInvitedSsoUserIds: ['i1'],
  };

  it('writes the whole group back, and reports the changes', async () => {
    const { service, backend, caller } = await openAcceptedScene();
    service.on(GET, foundGroup());
    service.on(PUT, json(200, { success: true, warnings: [{ description: 'w' }] }));
    expect(await backend.changeReaderGroupMembers(caller, change)).toMatchObject({
      ok: true,
      value: {
        readers: { added: ['r3'], removed: ['r2'], alreadyMembers: ['r1'], notMembers: ['r9'] },
        invitedSsoUsers: { added: [], removed: ['i1'], alreadyMembers: [], notMembers: [] },
        warnings: [{ description: 'w' }],
      },
    });
    expect(service.receivedOn(PUT)[0]?.body).toEqual({
      title: 'Old',
      description: 'Old text',
      associated_readers: ['r1', 'r3'],
      associated_invited_sso_users: [],
      access_scope: { access_level: 5, categories: null, project_versions: null, languages: null },
    });
  });

  it('sends no write where it changes nothing', async () => {
    const { service, backend, caller } = await openAcceptedScene();
    service.on(GET, foundGroup());
    const result = await backend.changeReaderGroupMembers(caller, joining('r1'));
    expect(result).toMatchObject({ ok: true, value: { readers: { alreadyMembers: ['r1'] } } });
    expect(service.receivedOn(PUT)).toEqual([]);
  });

  it.each(UNDOCUMENTED_SCOPES)('sends a scope back exactly as it came: %s', async (_name, scope) => {
    const { service, backend, caller } = await openAcceptedScene();
    service.on(GET, foundGroup({ access_scope: scope }));
    service.on(PUT, groupWritten);
    expect(await backend.changeReaderGroupMembers(caller, change)).toMatchObject({ ok: true });
    expect(JSON.stringify(accessScopeOf(service.receivedOn(PUT)[0]?.body))).toBe(JSON.stringify(scope));
  });

  it.each([undefined, null])('is rejected, unsent, where the service shows the scope %s', async (scope) => {
    const { service, backend, caller } = await openAcceptedScene();
    service.on(GET, foundGroup({ access_scope: scope }));
    expect(await backend.changeReaderGroupMembers(caller, change)).toMatchObject({
      ok: false,
      error: { kind: 'rejected', mayHaveApplied: false, message: expect.stringContaining('Nothing was sent.') },
    });
    expect(service.receivedOn(PUT)).toEqual([]);
  });

  it.each([
    ['the group does not exist', { read: failed(400, UNKNOWN_GROUP), write: groupWritten }, 'reader-group-not-found'],
    ['the group cannot be read', { read: status(500), write: groupWritten }, 'unavailable'],
    ['the outcome of the write is unknown', { read: foundGroup(), write: hang() }, 'outcome-unknown'],
  ])('fails where %s', async (_name, { read, write }, kind) => {
    const { service, backend, caller } = await openAcceptedScene({ timeoutMs: 1_000 });
    service.on(GET, read);
    service.on(PUT, write);
    expect(await backend.changeReaderGroupMembers(caller, change)).toMatchObject({ ok: false, error: { kind } });
  });
});
