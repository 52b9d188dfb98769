import { describe, expect, it } from 'vitest';
import { openScene } from '../../server/auth/harness.ts';
import { jobsClient } from './jobs-client.ts';

const INPUT = { articles: [{ articleId: 'a1', title: 'New' }] };

const LIST = '{ articleUpdateJobs { nodes { id } } }';

async function openCallers() {
  const { issuer, gateway, service } = await openScene();
  const clientOf = async (claims: object, headers: Record<string, string> = {}) =>
    jobsClient(gateway, {
      authorization: `Bearer ${await issuer.sign({ scope: 'read articles:write', ...claims })}`,
      ...headers,
    });
  return { gateway, service, issuer, clientOf };
}

describe('a job of a client with a JWT', () => {
  it('is seen only with the subject and the token that it was submitted with', async () => {
    const { clientOf, gateway, issuer } = await openCallers();
    const alice = await clientOf({ sub: 'alice' });
    const { job } = await alice.submit('k', INPUT);
    expect(await alice.untilDone(job.id)).toMatchObject({ state: 'COMPLETED', summary: { updated: 1 } });
    for (const other of [await clientOf({ sub: 'bob' }), await clientOf({ sub: 'alice' }, { api_token: 'her-own' })]) {
      expect(await other.find(job.id)).toBeNull();
      expect(await other.cancel(job.id)).toMatchObject({ __typename: 'JobNotFoundError' });
      expect(await other.send(LIST, {})).toEqual({ articleUpdateJobs: { nodes: [] } });
      expect(await other.send('query ($id: ID!) { node(id: $id) { id } }', { id: job.id })).toEqual({ node: null });
      const own = await other.submit('k', INPUT);
      expect(own).toMatchObject({ replayed: false });
      expect(own.job.id).not.toBe(job.id);
    }
    const again = jobsClient(gateway, { authorization: `Bearer ${await issuer.sign({ scope: 'read' })}` });
    expect(await again.find(job.id)).toMatchObject({ state: 'COMPLETED' });
  });

  it('needs the scope to write for every change, and to read for a look', async () => {
    const { clientOf, gateway, issuer } = await openCallers();
    const writer = await clientOf({});
    const { job } = await writer.submit('k', { ...INPUT, moreToCome: true });
    const reader = await clientOf({ scope: 'read' });
    const refused = { __typename: 'AuthenticationError', code: 'FORBIDDEN' };
    expect(await reader.submit('k', { ...INPUT, moreToCome: true })).toMatchObject(refused);
    expect(await reader.cancel(job.id)).toMatchObject(refused);
    expect(await reader.resume(job.id)).toMatchObject(refused);
    expect(await reader.find(job.id)).toMatchObject({ state: 'OPEN' });
    const headers = { authorization: `Bearer ${await issuer.sign({ scope: 'articles:write' })}` };
    const { body } = await gateway.send(LIST, {}, headers);
    expect(body).toMatchObject({ data: { articleUpdateJobs: null }, errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    await writer.cancel(job.id);
  });

  it('needs a subject, and so does a key', async () => {
    const { gateway, issuer, service } = await openCallers();
    const headers = { authorization: `Bearer ${await issuer.sign({ sub: undefined, scope: 'read articles:write' })}` };
    const nobody = jobsClient(gateway, headers);
    const refused = { __typename: 'AuthenticationError', code: 'FORBIDDEN', message: expect.stringContaining('sub') };
    expect(await nobody.submit('k', INPUT)).toMatchObject(refused);
    const { body } = await gateway.send(LIST, {}, headers);
    expect(body.errors).toMatchObject([{ path: ['articleUpdateJobs'], extensions: { code: 'FORBIDDEN' } }]);
    const keyed = await nobody.send(
      `mutation ($input: BulkUpdateArticlesInput!) {
        bulkUpdateArticles(input: $input, idempotencyKey: "k") { ... on MutationError { __typename code message } }
      }`,
      { input: INPUT },
    );
    expect(keyed).toMatchObject({ bulkUpdateArticles: refused });
    expect(service.received.filter(({ method }) => method === 'PUT')).toEqual([]);
  });
});
