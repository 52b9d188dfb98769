import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeGlobalId } from '../../../src/graphql/schema/nodes.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';

describe('node', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  });
  afterAll(() => gateway.close());

  const find = async (id: string) => (await gateway.send(`{ node(id: "${id}") { __typename } }`)).body;

  it.each([
    ['Article', 'articles(first: 1) { nodes { id } }'],
    ['Category', 'categories(projectVersionId: "pv1") { id }'],
    ['ProjectVersion', 'projectVersions { id }'],
    ['ReaderGroup', 'readerGroups(first: 1) { nodes { id } }'],
    ['Reader', 'readers(first: 1) { nodes { id } }'],
    ['InvitedSsoUser', 'invitedSsoUsers(first: 1) { nodes { id } }'],
  ])('finds a %s by the ID that it has in %s', async (type, selection) => {
    const { body } = await gateway.send(`{ ${selection} }`);
    const id = /"id":"([\w-]+)"/u.exec(JSON.stringify(body))?.[1] ?? '';
    expect(await find(id)).toEqual({ data: { node: { __typename: type } } });
  });

  it.each([
    ['Category', ['nowhere', 'en', 'v1']],
    ['ProjectVersion', ['nowhere']],
    ['ReaderGroup', ['nowhere']],
  ])('is null for a %s that does not exist', async (type, parts) => {
    expect(await find(encodeGlobalId(type, parts))).toEqual({ data: { node: null } });
  });

  it.each([
    ['Category', ['c1']],
    ['ProjectVersion', [7]],
    ['ReaderGroup', [7]],
  ])('is an error for the ID of a %s with the parts %j', async (type, parts) => {
    const { errors } = await find(encodeGlobalId(type, parts));
    expect(errors).toMatchObject([{ message: 'id is no global ID of this API.' }]);
  });
});
