import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { openForwardProxy } from '../support/forward-proxy.ts';
import { startGatewayProcess } from '../support/process.ts';

it('serve calls the service, and fetches keys, through the proxies of its settings, by its name and version', async () => {
  const proxy = await openForwardProxy();
  onTestFinished(() => proxy.close());
  proxy.onTunnel((socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  const open = async (settings: Record<string, string>) => {
    const gateway = await startGatewayProcess({
      cwd: tmpdir(),
      settings: { UPSTREAM_URL: 'http://kb.invalid', HTTP_PROXY: proxy.url, https_proxy: proxy.url, ...settings },
    });
    onTestFinished(() => gateway.stop().then(() => {}));
    return gateway;
  };
  const ask = async ({ url }: { url: string }, headers: Record<string, string>) => {
    const query = JSON.stringify({ query: '{ projectVersions { name } }' });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: query,
    });
    return response.json();
  };

  const gateway = await open({});
  expect((await fetch(new URL('/readyz', gateway.url))).status).toBe(200);
  await ask(gateway, { api_token: 'secret' });
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  expect(proxy.forwarded[0]).toMatchObject({
    url: 'http://kb.invalid/v2/ProjectVersions',
    headers: { host: 'kb.invalid', api_token: 'secret', 'user-agent': `kb-gateway/${version}` },
  });

  const clients = { CLIENT_JWT_ISSUER: 'https://id.invalid/', CLIENT_JWT_AUDIENCE: 'kb' };
  const withClients = await open({ ...clients, CLIENT_JWKS_URL: 'https://id.invalid/jwks' });
  const jwt = [{ alg: 'ES256', kid: 'k' }, {}].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  expect(await ask(withClients, { authorization: `Bearer ${jwt.join('.')}.AAAA` })).toMatchObject({
    errors: [{ extensions: { code: 'UNAVAILABLE' } }],
  });
  expect(proxy.tunnels.map(({ url }) => url)).toEqual(['id.invalid:443']);
});
