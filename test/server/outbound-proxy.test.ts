import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { openClientAuth } from '../../src/server/auth/client-auth.ts';
import { openPipeline } from '../support/call-pipeline.ts';
import { json, openFaultyService, status } from '../support/faulty-service.ts';
import { type ForwardProxy, openForwardProxy, type TunnelBehaviour } from '../support/forward-proxy.ts';
import { AUDIENCE, ISSUER, openJwtIssuer, requestWith } from '../support/jwt-issuer.ts';
import { portOf } from '../support/ports.ts';
import { callerWith, openBackendTo } from '../support/rest-scene.ts';
import { CERTIFICATE, identityOf, NAMED_CERTIFICATE } from '../support/tls-front.ts';

const authorities = getCACertificates();
beforeAll(() => {
  const ours = [CERTIFICATE, NAMED_CERTIFICATE].map((file) => readFileSync(file, 'utf8'));
  setDefaultCACertificates([...authorities, ...ours]);
});
// Other test files share the process.
afterAll(() => setDefaultCACertificates(authorities));

const PUT = { kind: 'write', staleReads: 'articles', path: ['Teams'], body: { a: 1 } } as const;

/** A service that speaks TLS, with the bodies that it received. */
async function openTlsService(certificate = CERTIFICATE) {
  const received: { readonly body: string; readonly headers: object }[] = [];
  let cutsOff = false;
  const server = createServer(identityOf(certificate), async (request, response) => {
    const body = await request.toArray();
    received.push({ body: Buffer.concat(body).toString(), headers: request.headers });
    if (cutsOff) request.socket.destroy();
    else response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const cutOff = () => {
    cutsOff = true;
  };
  return { url: `https://127.0.0.1:${portOf(server.address())}`, received, cutOff };
}

async function openProxy(certificate?: string): Promise<ForwardProxy> {
  const proxy = await openForwardProxy(certificate);
  onTestFinished(() => proxy.close());
  return proxy;
}

function openSender(baseUrl: string, proxyUrl: string | null, timeoutMs = 5_000) {
  const pipeline = openPipeline({ baseUrl, proxyUrl, userAgent: 'kb-gateway/1.2.3', timeoutMs });
  return () => pipeline.send({ ...callerWith('secret'), sentToken: null }, PUT);
}

describe('a call through a proxy', () => {
  it('has a tunnel to https, which later calls share and in which the proxy reads nothing', async () => {
    const [service, proxy] = [await openTlsService(), await openProxy()];
    const send = openSender(service.url, proxy.url.replace('//', '//me:p%40ss@'));
    for (let call = 0; call < 2; call += 1) expect(await send()).toMatchObject({ ok: true });
    expect(service.received.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
    expect(service.received[0]?.headers).toMatchObject({ api_token: 'secret', 'user-agent': 'kb-gateway/1.2.3' });
    expect(service.received[0]?.headers).not.toHaveProperty('proxy-authorization');
    expect(proxy.tunnels.map(({ url }) => url)).toEqual([new URL(service.url).host]);
    expect(proxy.tunnels[0]?.headers).toMatchObject({ 'proxy-authorization': `Basic ${btoa('me:p@ss')}` });
    expect(JSON.stringify(proxy.tunnels[0]?.headers)).not.toContain('secret');
  });

  it('is forwarded to http by its whole URL', async () => {
    const service = await openFaultyService();
    onTestFinished(() => service.close());
    service.on('PUT /v2/Teams', json(200, {}));
    const proxy = await openProxy();
    expect(await openSender(service.url, proxy.url)()).toMatchObject({ ok: true, value: { httpStatus: 200 } });
    expect(proxy.forwarded.map(({ url }) => url)).toEqual([`${service.url}/v2/Teams`]);
    expect(service.received[0]?.body).toEqual({ a: 1 });
  });

  it.each(['localhost', '127.0.0.1'])('reaches https and http by TLS to a proxy at %s', async (proxyHost) => {
    const [secure, plain] = [await openTlsService(NAMED_CERTIFICATE), await openFaultyService()];
    onTestFinished(() => plain.close());
    plain.on('PUT /v2/Teams', json(200, {}));
    const proxy = await openProxy(CERTIFICATE);
    for (const { url } of [secure, plain]) {
      const send = openSender(url.replace('127.0.0.1', 'kb.test'), proxy.url.replace('localhost', proxyHost));
      expect(await send()).toMatchObject({ ok: true });
    }
    expect([...secure.received, ...plain.received].map(({ body }) => body)).toEqual(['{"a":1}', { a: 1 }]);
    expect([proxy.tunnels.length, proxy.forwarded.length]).toEqual([1, 1]);
  });

  it.each(['http', 'https'])(
    'was provably not sent to %s where the proxy has a certificate of another name',
    async (scheme) => {
      const proxy = await openProxy(NAMED_CERTIFICATE);
      const result = await openSender(`${scheme}://kb.test`, proxy.url)();
      expect(result).toMatchObject({ ok: false, error: { kind: 'not-connected' } });
      expect([...proxy.tunnels, ...proxy.forwarded]).toEqual([]);
    },
  );

  const refusals: readonly (readonly [string, TunnelBehaviour])[] = [
    ['refuses', (socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')],
    ['closes', (socket) => socket.destroy()],
    ['never answers', () => {}],
    ['opens to something without TLS', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nWelcome to no TLS at all.\r\n')],
    ['opens to silence', (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n')],
  ];
  it.each(refusals)('was provably not sent where the proxy %s', { tags: 'long' }, async (_name, behaviour) => {
    const [service, proxy] = [await openTlsService(), await openProxy()];
    proxy.onTunnel(behaviour);
    const result = await openSender(service.url, proxy.url, 500)();
    expect(result).toMatchObject({ ok: false, error: { kind: 'not-connected', error: { kind: 'unavailable' } } });
    expect(JSON.stringify(result)).not.toContain('127.0.0.1');
    expect(service.received).toEqual([]);
  });

  it('was provably not sent where no proxy listens', async () => {
    const result = await openSender('https://kb.example', 'http://127.0.0.1:1')();
    expect(result).toMatchObject({ ok: false, error: { kind: 'not-connected' } });
  });

  it('is unknown, and not stale, where a new tunnel is cut after the request', async () => {
    const [service, proxy] = [await openTlsService(), await openProxy()];
    service.cutOff();
    const result = await openSender(service.url, proxy.url)();
    expect(result).toMatchObject({ ok: false, error: { kind: 'unknown' } });
    expect(service.received).toHaveLength(1);
  });
});

describe('a proxy that asks for a user', () => {
  const unsent = {
    ok: false,
    error: { kind: 'unavailable', message: expect.stringContaining('the proxy asks for a user and a password.') },
  };

  it('says so of http, where its answer is none of the service, and the call is provably unsent', async () => {
    const proxy = await openFaultyService();
    proxy.onAny(status(407, 'Who are you?', { 'proxy-authenticate': 'Basic' }));
    const baseUrl = 'http://kb.test';
    const backend = openBackendTo(proxy, { baseUrl, proxyUrl: proxy.url });
    onTestFinished(() => backend.close().then(() => proxy.close()));
    expect(await openSender(baseUrl, proxy.url)()).toMatchObject({ ok: false, error: { kind: 'not-connected' } });
    expect(await openSender(proxy.url, null)()).toMatchObject({ ok: true, value: { httpStatus: 407 } });
    for (let call = 0; call < 3; call += 1)
      expect(await backend.requireKnown(callerWith('token-1'))).toMatchObject(unsent);
    expect(proxy.received).toHaveLength(5);
    expect(await backend.checkReady()).toMatchObject({ ok: true });
  });

  it('says so of https, and is not asked again', async () => {
    const [service, proxy] = [await openFaultyService(), await openProxy()];
    proxy.onTunnel((socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
    const backend = openBackendTo(service, { baseUrl: 'https://kb.test', proxyUrl: proxy.url });
    onTestFinished(() => backend.close().then(() => service.close()));
    expect(await backend.requireKnown(callerWith('token-1'))).toMatchObject(unsent);
    expect(proxy.tunnels).toHaveLength(1);
  });
});

describe('readiness', () => {
  it('asks whether the proxy accepts connections, since the service is behind it', async () => {
    const service = await openFaultyService();
    await service.close();
    const proxy = await openForwardProxy();
    const backend = openBackendTo(service, { proxyUrl: proxy.url });
    onTestFinished(() => backend.close());
    expect(await backend.checkReady()).toMatchObject({ ok: true });
    await proxy.close();
    expect(await backend.checkReady()).toMatchObject({ ok: false, error: expect.stringContaining('ECONNREFUSED') });
    expect(proxy.tunnels).toEqual([]);
  });
});

describe('the keys of clients', () => {
  it('are fetched through a proxy', async () => {
    const [issuer, proxy] = [await openJwtIssuer(), await openProxy()];
    onTestFinished(() => issuer.close());
    const clients = await openClientAuth({
      keys: { jwksUrl: issuer.jwksUrl, proxyUrl: proxy.url },
      userAgent: 'kb-gateway/1.2.3',
      issuer: ISSUER,
      audience: AUDIENCE,
      scopeClaim: 'scope',
      apiToken: null,
      log: silentLog,
    });
    if (!clients.ok) throw new Error(clients.error);
    expect(await clients.value.identify(requestWith(`Bearer ${await issuer.sign()}`))).toMatchObject({ ok: true });
    expect(proxy.forwarded.map(({ url, headers }) => [url, headers['user-agent']])).toEqual([
      [issuer.jwksUrl, 'kb-gateway/1.2.3'],
    ]);
  });
});
