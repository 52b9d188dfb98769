import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture, textOf } from '../../support/fixtures.ts';
import { type Facade, openFacade, refusal } from './harness.ts';

const PLAIN = { access_level: 0, categories: null, project_versions: null, languages: null };
const READ_PLAIN = { access_level: 0, categories: [], project_versions: [], languages: [] };

describe('PUT /v2/Readers/groups/{groupId}', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade();
  });
  afterAll(() => facade.close());

  const groupOf = async (id: string) => Object((await facade.get(`/v2/Readers/groups/${id}`)).body).result;

  it('sends exactly the envelope of a success: result false, success true, the rest null', async () => {
    const body = {
      title: 'Partners',
      description: 'Who sells',
      associated_readers: ['r3', 'r1'],
      access_scope: {
        access_level: 1,
        categories: [{ project_version_id: 'pv1', category_id: 'c3', language_code: 'de' }],
      },
      associated_invited_sso_users: ['i2'],
    };
    const answer = await facade.put('/v2/Readers/groups/g1', body);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(textOf(fixture('reader-group-update-success')));
    expect(await groupOf('g1')).toEqual({
      reader_group_id: 'g1',
      ...body,
      access_scope: { ...READ_PLAIN, ...body.access_scope },
    });
  });

  it('replaces the whole group and empties absent fields', async () => {
    const answer = await facade.put('/v2/readers/groups/g4', { title: 'Bare', access_scope: PLAIN });
    expect(answer.status).toBe(200);
    expect(await groupOf('g4')).toEqual({
      reader_group_id: 'g4',
      title: 'Bare',
      description: null,
      associated_readers: [],
      access_scope: READ_PLAIN,
      associated_invited_sso_users: [],
    });
  });

  it.each([
    ['reader-group-update-unknown-group', 'none', { title: 'T', access_scope: PLAIN }],
    ['reader-group-update-title-missing', 'g2', { access_scope: PLAIN }],
    ['reader-group-update-title-missing', 'g2', { title: '', access_scope: PLAIN }],
    ['reader-group-update-access-scope-missing', 'g2', { title: 'T', access_scope: null }],
    ['reader-group-update-both-missing', 'g2', {}],
    ['reader-group-update-both-missing', 'none', {}],
  ])('sends exactly %s: group %s, body %j', async (name, groupId, body) => {
    const answer = await facade.put(`/v2/Readers/groups/${groupId}`, body);
    expect(answer.status).toBe(400);
    expect(answer.text).toBe(textOf(fixture(name)));
  });

  it('reports both required fields for a request without a body', async () => {
    const answer = await facade.send('/v2/Readers/groups/g2', { method: 'PUT' });
    expect(answer.text).toBe(textOf(fixture('reader-group-update-both-missing')));
  });

  it('reports every problem of the body before it reads the group', async () => {
    const access_scope = { access_level: 2, languages: [{ project_version_id: 'pv1', language_code: 'en' }] };
    const answer = await facade.put('/v2/Readers/groups/none', { title: 'a.b', access_scope });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(
      refusal(
        'The Title field must not contain ..',
        'access_scope.project_versions is required when access_level is 2.',
        'access_scope.languages must not be present when access_level is 2.',
      ),
    );
  });

  it('sends one error per unknown ID, and changes nothing', async () => {
    const before = await groupOf('g2');
    const answer = await facade.put('/v2/Readers/groups/g2', {
      title: 'New title',
      associated_readers: ['r1', 'nobody', 'no one'],
      associated_invited_sso_users: ['uninvited'],
      access_scope: { access_level: 4, languages: [{ project_version_id: 'pv2', language_code: 'de' }] },
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(
      refusal(
        expect.stringContaining('nobody'),
        expect.stringContaining('no one'),
        expect.stringContaining('uninvited'),
        expect.stringContaining('de'),
      ),
    );
    expect(await groupOf('g2')).toEqual(before);
  });

  it('names the path of a value with the wrong type', async () => {
    const body = { title: 'T', access_scope: PLAIN, associated_readers: ['r1', 5] };
    expect(await facade.put('/v2/Readers/groups/g2', body)).toMatchObject({
      status: 400,
      body: refusal(expect.stringMatching(/^\$\.associated_readers\[1\]: /u)),
    });
  });
});
