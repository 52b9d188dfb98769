import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Facade, invitedSsoUsers, numbered, openFacade, readers, refusal } from './harness.ts';

interface Entry {
  readonly reader_id: string;
  readonly is_invite_sso_user: boolean;
}

const idsOf = (body: unknown): readonly string[] => Object(body).result.map(({ reader_id }: Entry) => reader_id);

describe('GET /v2/Readers', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade();
  });
  afterAll(() => facade.close());

  it('lists readers with their groups, then invited users, also those of no group', async () => {
    const { status, body } = await facade.get('/v2/Readers');
    expect(status).toBe(200);
    expect(idsOf(body)).toEqual(['r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'i1', 'i2', 'i3']);
    expect(Object(body).result.at(1)).toEqual({
      reader_id: 'r2',
      first_name: 'Reader',
      last_name: '2',
      email: 'reader2@example.org',
      access_scope: null,
      associated_reader_groups: ['g2', 'g3'],
      is_invite_sso_user: false,
      last_login_at: null,
    });
    expect(Object(body).result.at(-1)).toMatchObject({ email: 'third@example.net', is_invite_sso_user: true });
  });

  it.each([
    ['EXAMPLE.ORG', ['r2', 'r4', 'r6']],
    ['First@', ['i1']],
    ['%', []],
    ['.net', ['i1', 'i2', 'i3']],
  ])('finds %s in addresses, whatever its case', async (part, expected) => {
    const { body } = await facade.get(`/v2/Readers?searchEmail=${encodeURIComponent(part)}`);
    expect(idsOf(body)).toEqual(expected);
  });

  it('sends an empty list for a page behind the last', async () => {
    expect(await facade.get('/v2/Readers?offSet=2')).toMatchObject({ status: 200, body: { result: [] } });
  });

  it('sends 400 for an invalid page', async () => {
    expect(await facade.get('/v2/Readers?offSet=0')).toMatchObject({
      status: 400,
      body: refusal('offSet must be a whole number of 1 or more.'),
    });
  });
});

describe('GET /v2/Readers, page by page', () => {
  /** The fixture has seven readers and three invited users. */
  const open = (count: number) => openFacade({ more: { readers: readers(numbered('s', count - 7)) } });
  const page = async (facade: Facade, number: number) => idsOf((await facade.get(`/v2/Readers?offSet=${number}`)).body);

  it.each([
    [4997, ['i1', 'i2', 'i3'], []],
    [4999, ['i1'], ['i2', 'i3']],
    [5000, [], ['i1', 'i2', 'i3']],
    [5001, [], ['s04993', 'i1', 'i2', 'i3']],
  ])('fills pages of 5000 with %i readers, and then with the invited', async (count, endOfFirst, second) => {
    const facade = await open(count);
    const pages = [await page(facade, 1), await page(facade, 2), await page(facade, 3)];
    await facade.close();
    expect(pages[0]).toHaveLength(5000);
    expect(pages[0]?.filter((id) => id.startsWith('i'))).toEqual(endOfFirst);
    expect(pages.slice(1)).toEqual([second, []]);
  });

  it('continues through all invited users', async () => {
    const invited = numbered('j', 9_997);
    const facade = await openFacade({ more: { invited_sso_users: invitedSsoUsers(invited) } });
    const pages = [await page(facade, 1), await page(facade, 2), await page(facade, 3)];
    await facade.close();
    expect(pages.map((ids) => ids.length)).toEqual([5000, 5000, 7]);
    expect(pages.flat().slice(7)).toEqual(['i1', 'i2', 'i3', ...invited]);
  });
});
