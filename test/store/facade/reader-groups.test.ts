import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture, textOf } from '../../support/fixtures.ts';
import { type Facade, invitedSsoUsers, numbered, openFacade, readerGroup, readers, refusal } from './harness.ts';

const READ_PLAIN = { access_level: 0, categories: [], project_versions: [], languages: [] };

describe('GET /v2/Readers/groups', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade();
  });
  afterAll(() => facade.close());

  const idsOf = async (search: string) => {
    const { body } = await facade.get(`/v2/Readers/groups${search}`);
    return Object(body).result.map(({ reader_group_id }: { reader_group_id: string }) => reader_group_id);
  };

  it('lists five groups on each page, counted from 1', async () => {
    expect(await idsOf('')).toEqual(['g1', 'g2', 'g3', 'g4', 'g5']);
    expect(await idsOf('?offSet=1')).toEqual(['g1', 'g2', 'g3', 'g4', 'g5']);
    expect(await idsOf('?offset=2')).toEqual(['g6', 'g7']);
    expect(await idsOf('?offSet=3')).toEqual([]);
    expect(await idsOf('?offSet=2147483647')).toEqual([]);
  });

  it('shows all of a group, with [] for the lists of other levels', async () => {
    const { text } = await facade.get('/v2/Readers/groups?excludeReaders=false');
    expect(text).toContain(
      '{"reader_group_id":"g3","title":"Version two","description":null,"associated_readers":["r2","r3","r4"],"access_scope":{"access_level":2,"categories":[],"project_versions":["pv2"],"languages":[]},"associated_invited_sso_users":[]}',
    );
    expect(text).toMatch(/"extension_data":null,"success":true,"errors":null,"warnings":null,"information":null\}$/u);
  });

  it('leaves out the members with excludeReaders', async () => {
    const { body } = await facade.get('/v2/Readers/groups?excludeReaders=TRUE');
    expect(Object(body).result[3]).toMatchObject({
      title: 'Everything',
      associated_readers: [],
      associated_invited_sso_users: [],
    });
  });

  it.each([
    ['offSet=0', 'offSet must be a whole number of 1 or more.'],
    ['offSet=x', 'offSet must be a whole number of 1 or more.'],
    ['excludeReaders=yes', 'excludeReaders must be true or false.'],
  ])('sends 400 for %s', async (search, description) => {
    const answer = await facade.get(`/v2/Readers/groups?${search}`);
    expect(answer).toMatchObject({ status: 400, body: refusal(description) });
  });
});

describe('GET /v2/Readers/groups/{groupId}', () => {
  let facade: Facade;
  beforeAll(async () => {
    const readerIds = numbered('s', 5001);
    const invitedSsoUserIds = numbered('j', 10_000);
    const more = {
      readers: readers(readerIds),
      invited_sso_users: invitedSsoUsers(invitedSsoUserIds),
      reader_groups: [readerGroup('large', { readerIds, invitedSsoUserIds })],
    };
    facade = await openFacade({ more });
  });
  afterAll(() => facade.close());

  it.each([
    [1, [5000, 's00000'], [5000, 'j00000']],
    [2, [1, 's05000'], [5000, 'j05000']],
    [3, [0, undefined], [0, undefined]],
  ])('shows page %i of its members, both lists sliced', async (page, readers, invited) => {
    const { status, body } = await facade.get(`/v2/Readers/groups/large?offSet=${page}`);
    const { associated_readers, associated_invited_sso_users, ...group } = Object(body).result;
    expect(status).toBe(200);
    expect([associated_readers.length, associated_readers[0]]).toEqual(readers);
    expect([associated_invited_sso_users.length, associated_invited_sso_users[0]]).toEqual(invited);
    expect(group).toEqual({
      reader_group_id: 'large',
      title: 'More',
      description: null,
      access_scope: READ_PLAIN,
    });
  });

  it('sends exactly the documented error for an unknown group', async () => {
    const answer = await facade.get('/v2/Readers/groups/none');
    expect(answer.status).toBe(400);
    expect(answer.text).toBe(textOf(fixture('reader-group-update-unknown-group')));
  });

  it('decodes an encoded ID', async () => {
    expect(await facade.get('/v2/Readers/groups/%671')).toMatchObject({ status: 200 });
    expect(await facade.get('/v2/Readers/groups/g1%2F..')).toMatchObject({ status: 400 });
  });
});
