import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeGlobalId, encodeGlobalId } from '../../../src/graphql/schema/nodes.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { jobsClient } from './jobs-client.ts';

const PREVIEW = `mutation ($id: ID!) {
  result: previewRevertArticleUpdateJob(id: $id) {
    ... on RevertArticleUpdateJobPreview { items(first: 10) { nodes { id index } } }
  }
}`;

const NODES = `query ($ids: [ID!]!) {
  nodes(ids: $ids) { id ... on RevertItem { index articleId members { name before asLeft now } } }
}`;

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
    ['TeamAccount', 'teamAccounts(first: 1) { nodes { id } }'],
  ])('finds a %s by the ID that it has in %s', async (type, selection) => {
    const { body } = await gateway.send(`{ ${selection} }`);
    const id = /"id":"([\w-]+)"/u.exec(JSON.stringify(body))?.[1] ?? '';
    expect(await find(id)).toEqual({ data: { node: { __typename: type } } });
  });

  it('finds what a revert would put back, as it is now, for callers who may write articles', async () => {
    const jobs = jobsClient(gateway);
    const articles = [
      { articleId: 'a1', title: 'First' },
      { articleId: 'a2', title: 'Second' },
      { articleId: 'a1', title: 'Third' },
    ];
    const { job } = await jobs.submit('kept', { articles, keepBefore: 'ALWAYS' });
    await jobs.untilDone(job.id);
    const { result } = await jobs.send(PREVIEW, { id: job.id });
    const { nodes } = Object(result).items;
    expect(nodes).toMatchObject([{ index: 2 }, { index: 1 }]);
    await gateway.send(
      'mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a2", title: "Now" }] }) { __typename } }',
    );
    const ids = nodes.map(({ id }: { id: string }) => id);
    const { nodes: found } = await jobs.send(NODES, { ids });
    expect(found).toMatchObject([
      { id: ids[0], index: 2, articleId: 'a1', members: [{ before: 'a1 en 2', asLeft: 'Third', now: 'Third' }] },
      { id: ids[1], index: 1, articleId: 'a2', members: [{ asLeft: 'Second', now: 'Now' }] },
    ]);
    const [jobId = ''] = decodeGlobalId(ids[0])?.parts ?? [];
    // The item before the last one of a text is none of the revert, and neither is one that the job does not have.
    for (const index of [0, 3, -1, Number.MAX_SAFE_INTEGER])
      expect(await find(encodeGlobalId('RevertItem', [jobId, index]))).toEqual({ data: { node: null } });
    const { body } = await gateway.send(
      'query ($id: ID!) { node(id: $id) { id } }',
      { id: ids[0] },
      { api_token: 'other' },
    );
    expect(body).toMatchObject({ data: { node: null }, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });

  it.each([
    ['Category', ['nowhere', 'en', 'v1']],
    ['ProjectVersion', ['nowhere']],
    ['ReaderGroup', ['nowhere']],
    ['TeamAccount', ['nobody']],
    ['RevertItem', ['nowhere', 0]],
  ])('is null for a %s that does not exist', async (type, parts) => {
    expect(await find(encodeGlobalId(type, parts))).toEqual({ data: { node: null } });
  });

  it.each([
    ['Category', ['c1']],
    ['ProjectVersion', [7]],
    ['ReaderGroup', [7]],
    ['RevertItem', ['job', 'item']],
  ])('is an error for the ID of a %s with the parts %j', async (type, parts) => {
    const { errors } = await find(encodeGlobalId(type, parts));
    expect(errors).toMatchObject([{ message: 'id is no global ID of this API.' }]);
  });
});
