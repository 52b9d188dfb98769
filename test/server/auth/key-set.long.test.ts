import { describe, expect, it } from 'vitest';
import { bearer } from '../../support/jwt-issuer.ts';
import { openScene } from './harness.ts';

const WRITE = `mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "x" }] }) {
  __typename ... on MutationError { code } } }`;

describe('the keys at CLIENT_JWKS_URL', () => {
  it('that do not arrive in time fail the request', async () => {
    const { gateway, issuer } = await openScene();
    issuer.misbehave((response) => response.writeHead(200).write('{"keys":['));
    const jwt = await issuer.sign({ scope: 'articles:write' });
    const { body } = await gateway.send(WRITE, {}, bearer(jwt));
    expect(body.data?.['bulkUpdateArticles']).toEqual({ __typename: 'ServiceUnavailableError', code: 'UNAVAILABLE' });
  });
});
