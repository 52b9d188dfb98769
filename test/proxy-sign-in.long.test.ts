import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTab, rowOf } from '../console/test/support/console-page.ts';
import { launchChromium, NEEDS_CHROMIUM } from './support/chromium.ts';
import { AUDIENCE, ISSUER, openJwtIssuer } from './support/jwt-issuer.ts';
import { NEEDS_NGINX, startNginx } from './support/nginx.ts';
import { portOf } from './support/ports.ts';
import { startGatewayProcess } from './support/process.ts';

/** Answers as oauth2-proxy does; whoever begins to sign in is signed in. */
async function openSignInProxy(sign: () => Promise<string>) {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://proxy.example');
    if (pathname === '/oauth2/start') {
      const location = searchParams.get('rd') ?? '/';
      return response
        .writeHead(302, { location, 'set-cookie': '_oauth2_proxy=ada; Path=/; HttpOnly; SameSite=Lax' })
        .end();
    }
    if (!request.headers.cookie?.includes('_oauth2_proxy=ada')) return response.writeHead(401).end();
    return response.writeHead(202, { authorization: `Bearer ${await sign()}` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${portOf(server.address())}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('the console behind a proxy that signs people in', NEEDS_CHROMIUM, () => {
  it('asks nobody', NEEDS_NGINX, async () => {
    const issuer = await openJwtIssuer();
    const proxy = await openSignInProxy(() => issuer.sign({ scope: 'read articles:write' }));
    const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-proxy-sign-in-'));
    const settings = {
      DATABASE_URL: 'sqlite::memory:',
      API_TOKEN: 'kbg_of-the-gateway',
      CLIENT_JWKS_URL: issuer.jwksUrl,
      CLIENT_JWT_ISSUER: ISSUER,
      CLIENT_JWT_AUDIENCE: AUDIENCE,
    };
    const gateway = await startGatewayProcess({ cwd, settings });
    const file = (await readFile('deploy/nginx/sign-in.conf', 'utf8')).replaceAll('127.0.0.1:4180', proxy.host);
    const target = new URL(gateway.url).host;
    const nginx = await startNginx(
      (port) =>
        `server { listen 127.0.0.1:${port}; proxy_set_header Host $http_host; ${file} location / { proxy_pass http://${target}; } }`,
    );
    const browser = await launchChromium();
    const url = `http://127.0.0.1:${nginx.port}`;
    try {
      const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
      await page.goto(`${url}/console#text=lamp`);
      await rowOf(page, 'pair-a-lamp').waitFor();
      expect(page.url()).toBe(`${url}/console#text=lamp`);
      await page.reload();
      await rowOf(page, 'pair-a-lamp').waitFor();
      await openTab(page, 'Jobs');
      expect(await page.getByText('Sign in').count()).toBe(0);
      // What a client sends in the place of a session counts for nothing.
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${await issuer.sign()}` };
      const body = JSON.stringify({ query: '{ projectVersions { name } }' });
      const send = () => fetch(`${url}/graphql`, { method: 'POST', headers, body, redirect: 'manual' });
      expect((await send()).status).toBe(302);
    } finally {
      await browser.close();
      await nginx.stop();
      await gateway.stop();
      await proxy.close();
      await issuer.close();
      await rm(cwd, { recursive: true });
    }
  });
});
