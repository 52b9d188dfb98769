import { describe, expect, it, onTestFinished } from 'vitest';
import { createConsoleIssuer } from '../../../src/server/auth/console-issuer.ts';
import { readConsoleFiles } from '../../../src/server/console-files.ts';
import { type Behaviour, json, openFaultyService, status } from '../../support/faulty-service.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { startGateway } from '../../support/gateway.ts';

const DISCOVERY = 'GET /.well-known/openid-configuration';

/** An issuer that answers like this, and what the console is told of it. */
async function openIssuer(answer: (issuer: string) => Behaviour) {
  const service = await openFaultyService();
  onTestFinished(() => service.close());
  service.on(DISCOVERY, answer(service.url));
  const warnings: string[] = [];
  const read = createConsoleIssuer({
    signIn: { issuer: service.url, clientId: 'a"b&<c', audience: 'kb', proxyUrl: null, setting: 'CONSOLE_OIDC_ISSUER' },
    userAgent: 'kb-gateway/test',
    log: (_level, message, fields) => warnings.push(`${message}: ${fields?.['error']}`),
  });
  return { service, read, warnings };
}

const published = (issuer: string, members: object = {}) =>
  json(200, {
    issuer,
    authorization_endpoint: 'https://id.example/authorize?tenant=a',
    token_endpoint: 'https://tokens.example/a,b;c',
    scopes_supported: ['email', 'groups:write', 'read'],
    ...members,
  });

describe('what the console is told of its issuer', () => {
  it('are the endpoints, and the scopes of the gateway that the issuer knows', async () => {
    const { service, read } = await openIssuer(published);
    const expected = {
      issuer: service.url,
      clientId: 'a"b&<c',
      audience: 'kb',
      metadata: {
        authorizationEndpoint: 'https://id.example/authorize?tenant=a',
        tokenEndpoint: 'https://tokens.example/a,b;c',
        scope: 'openid read groups:write',
      },
    };
    expect(await Promise.all([read(), read()])).toEqual([expected, expected]);
    expect(service.received).toHaveLength(1);
  });

  it.each([
    ['another issuer', (issuer: string) => published(`${issuer}/`), /calls itself/u],
    [
      'http to another machine',
      (issuer: string) => published(issuer, { token_endpoint: 'http://id.example' }),
      /token_endpoint/u,
    ],
    [
      'no endpoint',
      (issuer: string) => published(issuer, { authorization_endpoint: undefined }),
      /authorization_endpoint/u,
    ],
    ['an error', () => status(500), /HTTP 500/u],
    ['no object', () => json(200, null), /calls itself/u],
  ] as const)('is nothing where it publishes %s, which the log has', async (_name, answer, reason) => {
    const { read, warnings } = await openIssuer(answer);
    expect((await read()).metadata).toBe(null);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/CONSOLE_OIDC_ISSUER/u);
    expect(warnings[0]).toMatch(reason);
  });

  it('stands in the page and in its policy, and the callback is served only then', async () => {
    const { read } = await openIssuer(published);
    const backend = await openFixtureStore();
    const gateway = await startGateway({
      backend,
      local: true,
      token: TOKEN,
      readConsole: readConsoleFiles,
      readConsoleIssuer: read,
    });
    onTestFinished(gateway.close);
    const page = await fetch(`${gateway.url}/console`);
    const text = await page.text();
    expect(text).toContain('&quot;clientId&quot;:&quot;a\\&quot;b&amp;&lt;c&quot;');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self' https://tokens.example/a%2Cb%3Bc; frame-src 'self' https://id.example; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const etag = page.headers.get('etag') ?? '';
    expect((await fetch(`${gateway.url}/console`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const callback = await fetch(`${gateway.url}/console/signed-in?code=x`);
    expect(callback.headers.get('content-security-policy')).toMatch(/connect-src 'self';.*frame-ancestors 'self'$/u);
    expect(callback.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(callback.headers.get('cache-control')).toBe('no-cache');
  });
});
