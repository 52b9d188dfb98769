import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEEDS_PAGE_PACKAGES, startExample } from '../support/example-page.ts';
import { startGatewayProcess } from '../support/process.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const signIn = (url: string, body: unknown): Promise<Response> =>
  fetch(`${url}/session`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });

const ask = async (url: string, token: string, query: string): Promise<unknown> => {
  const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return response.json();
};

describe('npm run example', NEEDS_PAGE_PACKAGES, () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-example-'));
  });
  afterAll(() => rm(cwd, { recursive: true }));

  it('starts the page, an issuer, and a gateway that accepts its JWTs', async () => {
    const example = await startExample({ DATABASE_URL: 'sqlite::memory:' });
    const { url, password } = example;
    expect(await (await fetch(url)).text()).toContain('<div id="root">');
    const response = await signIn(url, { name: 'chidi', password });
    expect(response.headers.get('set-cookie')).toMatch(/; Path=\/session; HttpOnly; SameSite=Strict$/u);
    const { token, name, scope, expiresIn } = await response.json();
    expect({ name, scope, expiresIn }).toEqual({ name: 'chidi', scope: 'read', expiresIn: 300 });
    expect(await ask(url, token, '{ articles { totalCount } }')).toEqual({ data: { articles: { totalCount: 10 } } });
    await example.stop();
  });

  it('uses a gateway that runs already, whose settings it prints', async () => {
    const gateway = await startGatewayProcess({ cwd, settings: { DATABASE_URL: 'sqlite::memory:' } });
    const example = await startExample({ GATEWAY_URL: gateway.url, ISSUER_PORT: '0' });
    expect(example.printed()).toContain(`The gateway at ${gateway.url} needs these settings:`);
    expect(example.printed()).toMatch(/^CLIENT_JWKS_URL=http:\/\/127\.0\.0\.1:\d+\/jwks\.json$/mu);
    await example.stop();
    await gateway.stop();
  });

  it('does not start with a GATEWAY_URL that is none', async () => {
    await expect(startExample({ GATEWAY_URL: '127.0.0.1:4000' })).rejects.toThrow('local/start.ts ended with 1.');
  });

  it('gives nobody a session without the password, or for a page of another site', async () => {
    const example = await startExample({ DATABASE_URL: 'sqlite::memory:' });
    const { url, password } = example;
    const refused = [
      { name: 'ada', password: 'wrong' },
      { name: 'nobody', password },
      { name: 'ada' },
      { name: ['ada'], password },
      null,
      'x'.repeat(2000),
    ];
    const statuses = await Promise.all(refused.map(async (body) => (await signIn(url, body)).status));
    expect(statuses).toEqual([401, 401, 401, 401, 400, 400]);
    const body = JSON.stringify({ name: 'ada', password });
    expect((await fetch(`${url}/session`, { method: 'POST', body })).status).toBe(415);
    expect((await fetch(`${url}/session/token`, { method: 'POST', headers: JSON_TYPE })).status).toBe(401);
    await example.stop();
  });
});
