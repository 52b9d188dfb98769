import { createHash } from 'node:crypto';
import { exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { startGateway } from '../../support/gateway.ts';
import { AUDIENCE, bearer, ISSUER, openJwtIssuer, requestWith } from '../../support/jwt-issuer.ts';
import { clientsOf, GATEWAY_TOKEN, openScene } from './harness.ts';

const UPDATE = `mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "x" }] }) {
  __typename ... on MutationError { message code retryable mayHaveApplied } } }`;
const VERSIONS = '{ projectVersions { projectVersionId } }';

const UNKNOWN = {
  __typename: 'AuthenticationError',
  message: 'A valid JWT is required. Send it in the header Authorization, after the word Bearer.',
  code: 'UNAUTHENTICATED',
  retryable: false,
  mayHaveApplied: false,
};

const ALL_SCOPES = 'read articles:write groups:write';

const now = () => Math.floor(Date.now() / 1000);

describe('a gateway that knows its clients by their JWT', () => {
  it('writes and reads for a client with a valid one, with its own token', async () => {
    const { gateway, issuer, service } = await openScene();
    const headers = bearer(await issuer.sign({ scope: ALL_SCOPES }));
    const written = await gateway.send(UPDATE, {}, headers);
    expect(written.body).toEqual({ data: { bulkUpdateArticles: { __typename: 'BulkUpdateArticlesPayload' } } });
    const read = await gateway.send(VERSIONS, {}, headers);
    expect(read.body).toEqual({ data: { projectVersions: [] } });
    expect(service.received.map((request) => request.headers['api_token'])).toEqual([GATEWAY_TOKEN, GATEWAY_TOKEN]);
  });

  it.each(['api_token', 'X-Api-Token'])('prefers the token that a client sends in %s', async (name) => {
    const { gateway, issuer, service } = await openScene();
    await gateway.send(UPDATE, {}, { ...bearer(await issuer.sign({ scope: ALL_SCOPES })), [name]: 'of-the-client' });
    expect(service.received.map((request) => request.headers['api_token'])).toEqual(['of-the-client']);
  });

  it('refuses a client without an API token if the gateway has none either', async () => {
    const { gateway, issuer, service } = await openScene({ apiToken: null });
    const { body } = await gateway.send(UPDATE, {}, bearer(await issuer.sign({ scope: ALL_SCOPES })));
    expect(body.data).toMatchObject({ bulkUpdateArticles: { code: 'UNAUTHENTICATED' } });
    expect(service.received).toEqual([]);
  });

  it('sends nothing of a JWT upstream', async () => {
    const { gateway, issuer, service } = await openScene();
    const jwt = await issuer.sign({ scope: ALL_SCOPES });
    await gateway.send(UPDATE, {}, bearer(jwt));
    await gateway.send(VERSIONS, {}, bearer(jwt));
    expect(service.received).toHaveLength(2);
    expect(JSON.stringify(service.received)).not.toContain(jwt.split('.')[2]);
    for (const { headers } of service.received) expect(headers).not.toHaveProperty('authorization');
  });

  it('accepts an issuer whose clock is seconds ahead', async () => {
    const { gateway, issuer } = await openScene();
    const headers = bearer(await issuer.sign({ scope: ALL_SCOPES, nbf: now() + 3 }));
    expect((await gateway.send(VERSIONS, {}, headers)).body.errors).toBeUndefined();
  });

  it('lets any caller read the schema', async () => {
    const { gateway } = await openScene();
    const { body } = await gateway.send('{ __typename __schema { queryType { name } } }', {}, {});
    expect(body).toEqual({ data: { __typename: 'Query', __schema: { queryType: { name: 'Query' } } } });
  });
});

describe('a JWT', () => {
  const refusedHeaders: readonly (readonly [string, (sign: (claims: object) => Promise<string>) => Promise<object>])[] =
    [
      ['that is missing', async () => ({})],
      ['that is missing next to an API token', async () => ({ api_token: 'of-an-untrusted-caller' })],
      ['that is empty', async () => ({ authorization: 'Bearer ' })],
      ['that is none', async () => ({ authorization: 'Bearer of-an-untrusted-caller' })],
      ['of another scheme', async (sign) => ({ authorization: `Basic ${await sign({})}` })],
      ['in the place of the API token', async (sign) => ({ api_token: await sign({}) })],
      ['that has expired', async (sign) => bearer(await sign({ exp: now() - 60 }))],
      ['that never expires', async (sign) => bearer(await sign({ exp: undefined }))],
      ['that is not valid yet', async (sign) => bearer(await sign({ nbf: now() + 60 }))],
      ['of another issuer', async (sign) => bearer(await sign({ iss: 'https://other.example/' }))],
      ['of no issuer', async (sign) => bearer(await sign({ iss: undefined }))],
      ['for another audience', async (sign) => bearer(await sign({ aud: 'other' }))],
      ['for no audience', async (sign) => bearer(await sign({ aud: undefined }))],
      ['that was changed', async (sign) => bearer(withClaims(await sign({}), { sub: 'mallory' }))],
      ['with nothing behind its last dot', async (sign) => bearer((await sign({})).replace(/[^.]*$/u, ''))],
      [
        'signed with a secret that everybody knows',
        async () => bearer(await signedBy('HS256', new TextEncoder().encode('x'.repeat(32)))),
      ],
      ['that nobody signed', async () => bearer(new UnsecuredJWT(forged()).encode())],
      [
        'of a key of their own',
        async () => bearer(await signedBy('ES256', (await generateKeyPair('ES256')).privateKey)),
      ],
    ];

  it.each(refusedHeaders)('%s is refused with the same error, and nothing is sent', async (_what, headersOf) => {
    const { gateway, issuer, service } = await openScene();
    const headers = await headersOf((claims) => issuer.sign({ scope: ALL_SCOPES, ...claims }));
    const written = await gateway.send(UPDATE, {}, { ...headers });
    expect(written.body).toEqual({ data: { bulkUpdateArticles: UNKNOWN } });
    const { body } = await gateway.send(VERSIONS, {}, { ...headers });
    expect(body).toEqual({
      data: { projectVersions: null },
      errors: [
        expect.objectContaining({
          message: UNKNOWN.message,
          extensions: { code: 'UNAUTHENTICATED', retryable: false, requestId: expect.any(String) },
        }),
      ],
    });
    expect(service.received).toEqual([]);
  });

  it('that is refused is logged with the reason and without its content', async () => {
    const logged: unknown[] = [];
    const requestId = 'one';
    const { gateway, issuer } = await openScene({ log: (...line) => logged.push(line) });
    const refused = [await issuer.sign({ aud: 'somewhere' }), await issuer.sign({ exp: now() - 60 }), 'no.jwt.at-all'];
    for (const jwt of refused) await gateway.send(VERSIONS, {}, { ...bearer(jwt), 'x-request-id': requestId });
    expect(logged).toEqual([
      ['debug', 'a JWT was refused', { reason: 'ERR_JWT_CLAIM_VALIDATION_FAILED', claim: 'aud', requestId }],
      ['debug', 'a JWT was refused', { reason: 'ERR_JWT_EXPIRED', claim: 'exp', requestId }],
      ['debug', 'a JWT was refused', { reason: 'ERR_JWS_INVALID', requestId }],
    ]);
  });

  it('that is refused reveals nothing about the rules: the input is not checked', async () => {
    const { gateway } = await openScene();
    const { body } = await gateway.send(
      'mutation { bulkUpdateArticles(input: { articles: [] }) { __typename ... on MutationError { code } } }',
      {},
      {},
    );
    expect(body.data).toEqual({ bulkUpdateArticles: { __typename: 'AuthenticationError', code: 'UNAUTHENTICATED' } });
  });

  it('that is refused reveals nothing about the cost limits', async () => {
    const { gateway } = await openScene();
    const costly = `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: readerGroups(first: 100) { nodes { groupId } }`).join(' ')} }`;
    const { body } = await gateway.send(costly, {}, {});
    expect(new Set(body.errors?.map(({ extensions }) => extensions?.['code']))).toEqual(new Set(['UNAUTHENTICATED']));
  });
});

describe('CLIENT_PUBLIC_KEY', () => {
  it.each(['RS256', 'PS512', 'ES256', 'ES384', 'EdDSA'])('accepts JWTs signed with %s', async (algorithm) => {
    const { privateKey, publicKey } = await generateKeyPair(algorithm);
    const clients = await clientsOf({ keys: { publicKey: await exportSPKI(publicKey) } });
    const client = await clients.identify(requestWith(`Bearer ${await signedBy(algorithm, privateKey)}`));
    expect(client).toMatchObject({ ok: true, value: { subject: 'alice' } });
    const other = await generateKeyPair(algorithm);
    const untrusted = await clients.identify(requestWith(`Bearer ${await signedBy(algorithm, other.privateKey)}`));
    expect(untrusted).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
  });

  it('is no shared secret: a JWT signed with it, as anybody could, is refused', async () => {
    const { publicKey } = await generateKeyPair('RS256');
    const pem = await exportSPKI(publicKey);
    const clients = await clientsOf({ keys: { publicKey: pem } });
    for (const secret of [pem, pem.trim(), createHash('sha256').update(pem).digest('hex')]) {
      const jwt = await signedBy('HS256', new TextEncoder().encode(secret));
      expect(await clients.identify(requestWith(`Bearer ${jwt}`))).toMatchObject({
        error: { kind: 'unauthenticated' },
      });
    }
  });

  it('may have line feeds written as two characters, as many environments need', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const pem = (await exportSPKI(publicKey)).replaceAll('\n', '\\n');
    const clients = await clientsOf({ keys: { publicKey: pem } });
    expect(await clients.identify(requestWith(`Bearer ${await signedBy('ES256', privateKey)}`))).toMatchObject({
      ok: true,
    });
  });
});

describe('the claim of the scopes', () => {
  it.each([
    ['scope', 'read articles:write', ['read', 'articles:write']],
    ['scope', ['groups:write', 'read'], ['groups:write', 'read']],
    ['permissions', ['read'], ['read']],
    ['https://kb.example/scopes', 'read', ['read']],
    ['scope', 'READ reading read:all articles:write,read', []],
    ['scope', { read: true }, []],
    ['scope', undefined, []],
    ['toString', undefined, []],
  ])('%s: %j permits %j', async (scopeClaim, value, permitted) => {
    const issuer = await openJwtIssuer();
    const clients = await clientsOf({ keys: { jwksUrl: issuer.jwksUrl }, scopeClaim });
    const client = await clients.identify(requestWith(`Bearer ${await issuer.sign({ [scopeClaim]: value })}`));
    await issuer.close();
    expect(client.ok && [...client.value.scopes].sort()).toEqual([...permitted].sort());
  });
});

describe('the claim sub', () => {
  it.each([
    ['alice', 'alice'],
    ['', null],
    [undefined, null],
    [7, null],
    [{ name: 'alice' }, null],
  ])('%j names %j', async (sub, subject) => {
    const issuer = await openJwtIssuer();
    const clients = await clientsOf({ keys: { jwksUrl: issuer.jwksUrl } });
    expect(await clients.identify(requestWith(`Bearer ${await issuer.sign({ sub })}`))).toMatchObject({
      value: { subject },
    });
    await issuer.close();
  });
});

describe('the embedded store', () => {
  it('treats a client as the holder of its own token, while its REST API requires that token', async () => {
    const issuer = await openJwtIssuer();
    const clients = await clientsOf({ keys: { jwksUrl: issuer.jwksUrl }, apiToken: TOKEN });
    const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN, clients });
    const jwt = await issuer.sign({ scope: 'read' });
    const codeFor = async (headers: Record<string, string>) => {
      const { body } = await gateway.send('{ projectVersions { __typename } }', {}, headers);
      return body.errors?.[0]?.extensions?.['code'] ?? 'answered';
    };
    expect(await codeFor(bearer(jwt))).toBe('answered');
    expect(await codeFor({ api_token: TOKEN })).toBe('UNAUTHENTICATED');
    expect(await codeFor(bearer(TOKEN))).toBe('UNAUTHENTICATED');
    expect(await codeFor({ ...bearer(jwt), api_token: 'another' })).toBe('UNAUTHENTICATED');
    const rest = async (headers: Record<string, string>) =>
      (await fetch(`${gateway.url}/v2/ProjectVersions`, { headers })).status;
    expect(await rest({ api_token: TOKEN })).toBe(200);
    expect(await rest(bearer(TOKEN))).toBe(200);
    expect(await rest(bearer(jwt))).toBe(401);
    await gateway.close();
    await issuer.close();
  });
});

const forged = () => ({ iss: ISSUER, aud: AUDIENCE, sub: 'alice', exp: now() + 300, scope: ALL_SCOPES });

const signedBy = (algorithm: string, key: Parameters<SignJWT['sign']>[0]) =>
  new SignJWT(forged()).setProtectedHeader({ alg: algorithm }).sign(key);

function withClaims(jwt: string, claims: object): string {
  const [header, payload = '', signature] = jwt.split('.');
  const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims };
  return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
}
