import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyService, json, openFaultyService } from '../../../support/faulty-service.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';
import { accept, openBackendTo } from '../../../support/rest-scene.ts';

const TOKEN = 'token-1';
const GET = 'GET /v2/Readers/groups/g1';
const PUT = 'PUT /v2/Readers/groups/g1';

const WITH_LISTS = { access_level: 6, categories: [], project_versions: ['v'], languages: null };
const WITHOUT_LISTS = { access_level: 6, categories: [], project_versions: [], languages: [] };
const UNKNOWN = { access_level: 9, teams: ['t'] };

describe('an access scope that the service shows', () => {
  let service: FaultyService;
  let gateway: Gateway;
  beforeAll(async () => {
    service = await openFaultyService();
    const backend = openBackendTo(service);
    await accept({ service, backend }, TOKEN);
    gateway = await startGateway({ backend, local: false, token: TOKEN });
  });
  beforeEach(() => {
    service.forget(GET);
    service.on(PUT, json(200, { success: true, result: false }));
  });
  afterAll(async () => {
    await gateway.close();
    await service.close();
  });

  const show = (access_scope?: unknown) =>
    service.on(GET, json(200, { result: { reader_group_id: 'g1', title: 'One', access_scope }, success: true }));

  const send = async (query: string, input: object = {}) => (await gateway.send(query, { input })).body;

  it.each([
    ['level 6', WITH_LISTS, { __typename: 'PlainAccessScope', level: 'LEVEL_6', rawLevel: 6, scopeLevel: 'LEVEL_6' }],
    ['a level unknown here', UNKNOWN, { __typename: 'UnrecognizedAccessScope', level: 'UNRECOGNIZED', rawLevel: 9 }],
    [
      'a level that is no Int of GraphQL',
      { access_level: 2 ** 40 },
      { __typename: 'UnrecognizedAccessScope', level: 'UNRECOGNIZED', rawLevel: -1 },
    ],
    ['nothing', undefined, { __typename: 'UnrecognizedAccessScope', level: 'UNRECOGNIZED', rawLevel: -1 }],
  ])('can be read: %s', async (_what, scope, expected) => {
    show(scope);
    const query =
      '{ readerGroup(groupId: "g1") { accessScope { __typename level rawLevel ... on PlainAccessScope { scopeLevel } } } }';
    expect(await send(query)).toEqual({ data: { readerGroup: { accessScope: expected } } });
  });

  it('costs no call for what a scope of another level names', async () => {
    show({ access_level: 2, project_versions: ['v1'] });
    const before = service.received.length;
    const ofCategories = '... on CategoryAccessScope { categories { category { name } projectVersion { name } } }';
    const query = `{ readerGroup(groupId: "g1") { accessScope { level ${ofCategories} } } }`;
    expect(await send(query)).toEqual({ data: { readerGroup: { accessScope: { level: 'VERSION' } } } });
    expect(service.received.length - before).toBe(1);
  });

  it.each([
    ['level 6 with lists', WITH_LISTS],
    ['a level unknown here', UNKNOWN],
  ])('goes back exactly as it came when members join: %s', async (_what, scope) => {
    show(scope);
    const change = `mutation ($input: ChangeReaderGroupMembersInput!) {
      changeReaderGroupMembers(input: $input) { ... on ChangeReaderGroupMembersPayload { readers { added } } }
    }`;
    expect(await send(change, { groupId: 'g1', addReaderIds: ['r1'] })).toEqual({
      data: { changeReaderGroupMembers: { readers: { added: ['r1'] } } },
    });
    expect(service.receivedOn(PUT)).toMatchObject([{ body: { access_scope: scope, associated_readers: ['r1'] } }]);
    expect(service.receivedOn(PUT)[0]?.body).toHaveProperty('access_scope', scope);
  });

  const PREVIEW = `mutation ($input: UpdateReaderGroupInput!) {
    previewUpdateReaderGroup(input: $input) {
      ... on UpdateReaderGroupPreview { wouldSucceed issues { path message } changesAccessScope accessScope { rawLevel } }
    }
  }`;

  it.each([
    ['is left out', { shown: WITH_LISTS, stated: undefined, isChanged: false }],
    ['has lists that a stated level 6 has not', { shown: WITH_LISTS, stated: { level: 'LEVEL_6' }, isChanged: true }],
    ['has no lists, as a stated level 6', { shown: WITHOUT_LISTS, stated: { level: 'LEVEL_6' }, isChanged: false }],
    ['is of another level', { shown: UNKNOWN, stated: { level: 'LEVEL_6' }, isChanged: true }],
  ])('is changed or not in a preview where it %s', async (_what, { shown, stated, isChanged }) => {
    show(shown);
    expect(await send(PREVIEW, { groupId: 'g1', title: 'Two', accessScope: stated })).toMatchObject({
      data: { previewUpdateReaderGroup: { wouldSucceed: true, issues: [], changesAccessScope: isChanged } },
    });
    expect(service.receivedOn(PUT)).toEqual([]);
  });

  it('is an issue of the previews when it is not there, since it cannot be kept', async () => {
    show();
    const message = 'The service does not show the access scope of the reader group, so it cannot be kept.';
    expect(await send(PREVIEW, { groupId: 'g1', title: 'Two' })).toMatchObject({
      data: {
        previewUpdateReaderGroup: { wouldSucceed: false, issues: [{ path: ['input', 'accessScope'], message }] },
      },
    });
    const change = `mutation ($input: ChangeReaderGroupMembersInput!) {
      previewChangeReaderGroupMembers(input: $input) {
        ... on ChangeReaderGroupMembersPreview { wouldSucceed issues { path message } }
      }
    }`;
    service.on('GET /v2/Readers', json(200, { result: [{ reader_id: 'r1' }], success: true }));
    expect(await send(change, { groupId: 'g1', addReaderIds: ['r1'] })).toEqual({
      data: { previewChangeReaderGroupMembers: { wouldSucceed: false, issues: [{ path: ['input'], message }] } },
    });
    expect(await send(change, { groupId: 'g1', removeReaderIds: ['r1'] })).toEqual({
      data: { previewChangeReaderGroupMembers: { wouldSucceed: true, issues: [] } },
    });
  });

  it('cannot be stated as unrecognized', async () => {
    const input = 'input: { groupId: "g1", accessScope: { level: UNRECOGNIZED } }';
    const { data, errors } = await send(`mutation { updateReaderGroup(${input}) { __typename } }`);
    expect(data).toBeUndefined();
    expect(errors?.[0]?.message).toContain('UNRECOGNIZED');
    expect(service.received).toEqual([]);
  });
});
