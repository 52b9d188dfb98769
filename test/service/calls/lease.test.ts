import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { json, status } from '../../support/faulty-service.ts';
import { openForwardProxy, openTunnel } from '../../support/forward-proxy.ts';
import { portOf } from '../../support/ports.ts';
import { callerWith, openBackendTo, openScene } from '../../support/rest-scene.ts';
import { CERTIFICATE, identityOf } from '../../support/tls-front.ts';

const authorities = getCACertificates();
beforeAll(() => setDefaultCACertificates([...authorities, readFileSync(CERTIFICATE, 'utf8')]));
// Other test files share the process.
afterAll(() => setDefaultCACertificates(authorities));

const BULK = 'PUT /v2/Articles/bulkupdate';
const UPDATE = [{ articleId: 'a' }];
const updated = json(200, { success: true, data: [{ article_id: 'a', success: true }] });
const LEASE_EXPIRED = {
  ok: false,
  error: { kind: 'unavailable', message: expect.stringContaining('nothing was sent') },
};

/** A lease that a test sets, with the number of times that it was checked. */
function setLease() {
  const lease = {
    late: false,
    asked: 0,
    isExpired() {
      lease.asked += 1;
      return lease.late;
    },
  };
  return lease;
}

/** A service behind TLS whose handshakes wait. Counts the bytes that come after them. */
async function openHeldTls() {
  const waiting: Socket[] = [];
  const received: Buffer[] = [];
  const server = createServer((socket) => waiting.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of waiting) socket.destroy();
    server.close();
  });
  const shakeHands = () =>
    Promise.all(
      waiting.map(async (socket) => {
        const secure = new TLSSocket(socket, { isServer: true, ...identityOf(CERTIFICATE) });
        secure.on('data', (data) => received.push(Buffer.from(data))).on('error', () => {});
        await new Promise((resolve) => secure.once('close', resolve));
      }),
    );
  return { url: `https://127.0.0.1:${portOf(server.address())}`, waiting, received, shakeHands };
}

describe('a write whose lease is late', () => {
  it('sends no byte on a connection that was made for it', async () => {
    const { service, backend } = await openScene();
    service.on(BULK, updated);
    const lease = { isExpired: () => true };
    expect(await backend.bulkUpdateArticles({ ...callerWith(), lease }, UPDATE)).toMatchObject(LEASE_EXPIRED);
    expect([service.received, service.connections()]).toEqual([[], 1]);
  });

  it('sends no byte on a connection that is used again', async () => {
    const { service, backend } = await openScene();
    service.on(BULK, updated);
    const lease = setLease();
    const caller = { ...callerWith(), lease };
    expect(await backend.bulkUpdateArticles(caller, UPDATE)).toMatchObject({ ok: true });
    lease.late = true;
    expect(await backend.bulkUpdateArticles(caller, UPDATE)).toMatchObject(LEASE_EXPIRED);
    expect([service.receivedOn(BULK).length, service.connections(), lease.asked]).toEqual([1, 1, 2]);
  });

  it('is not sent again after a refusal for the rate limit', async () => {
    const { service, backend } = await openScene();
    const lease = setLease();
    const refused = status(429, '', { 'retry-after': '0' });
    service.on(
      BULK,
      (...exchange) => {
        lease.late = true;
        return refused(...exchange);
      },
      updated,
    );
    expect(await backend.bulkUpdateArticles({ ...callerWith(), lease }, UPDATE)).toMatchObject(LEASE_EXPIRED);
    expect([service.receivedOn(BULK).length, lease.asked]).toEqual([1, 2]);
  });

  it('sends no byte after a handshake that took until then, before which the lease is not asked', async () => {
    const held = await openHeldTls();
    const backend = openBackendTo({ ...(await openScene()).service, url: held.url });
    onTestFinished(() => backend.close());
    const lease = setLease();
    const written = backend.bulkUpdateArticles({ ...callerWith(), lease }, UPDATE);
    await expect.poll(() => held.waiting.length).toBe(1);
    expect(lease.asked).toBe(0);
    lease.late = true;
    const closed = held.shakeHands();
    expect(await written).toMatchObject(LEASE_EXPIRED);
    await closed;
    expect(held.received).toEqual([]);
    expect(lease.asked).toBe(1);
  });

  it('sends no byte into a tunnel that took until then', async () => {
    const proxy = await openForwardProxy();
    onTestFinished(() => proxy.close());
    const held = await openHeldTls();
    const opened = Promise.withResolvers<void>();
    proxy.onTunnel((socket, target) => void opened.promise.then(() => openTunnel(socket, target)));
    const { service } = await openScene();
    const backend = openBackendTo({ ...service, url: held.url }, { proxyUrl: proxy.url });
    onTestFinished(() => backend.close());
    const lease = setLease();
    const written = backend.bulkUpdateArticles({ ...callerWith(), lease }, UPDATE);
    await expect.poll(() => proxy.tunnels.length).toBe(1);
    opened.resolve();
    await expect.poll(() => held.waiting.length).toBe(1);
    expect(lease.asked).toBe(0);
    lease.late = true;
    void held.shakeHands();
    expect(await written).toMatchObject(LEASE_EXPIRED);
    expect(held.received).toEqual([]);
  });

  it('counts as no call that has failed', async () => {
    const { service, backend } = await openScene();
    service.on(BULK, updated);
    const lease = { isExpired: () => true };
    for (let call = 0; call < 20; call += 1) await backend.bulkUpdateArticles({ ...callerWith(), lease }, UPDATE);
    expect(await backend.bulkUpdateArticles(callerWith(), UPDATE)).toMatchObject({ ok: true });
  });

  it('does not stop reads', async () => {
    const { service, backend } = await openScene();
    service.on('GET /v2/ProjectVersions', json(200, { data: [], success: true }));
    expect(await backend.projectVersions({ ...callerWith(), lease: { isExpired: () => true } })).toMatchObject({
      ok: true,
    });
  });
});
