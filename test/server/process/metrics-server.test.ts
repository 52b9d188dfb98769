import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { packageVersion } from '../../../src/server/package-version.ts';
import { startMeasuredGateway } from '../../support/measured-gateway.ts';
import { portOf } from '../../support/ports.ts';
import { runGateway } from '../../support/process.ts';
import { rawRequest, sendRaw } from '../../support/raw-http.ts';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-metrics-'));
});

afterEach(() => rm(cwd, { recursive: true }));

const start = (settings: Record<string, string> = {}) => startMeasuredGateway(cwd, settings);

describe('the listener for metrics', () => {
  it('serves GET /metrics and nothing else, apart from the listener for clients', async () => {
    const { metricsUrl, url, scrape, stop } = await start({ DATABASE_URL: 'sqlite::memory:' });
    const page = await fetch(metricsUrl);
    expect(page.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const labels = (await scrape()).find(({ name }) => name === 'target_info')?.labels;
    expect(labels).toEqual({ service_name: 'kb-gateway', service_version: packageVersion() });
    const others = [{ target: '/' }, { target: '/metricsx' }, { method: 'POST', target: '/metrics', body: 'a' }];
    for (const other of others) expect((await sendRaw(metricsUrl, rawRequest(other))).status).toBe(404);
    expect((await fetch(new URL('/metrics', url))).status).toBe(404);
    expect((await stop()).code).toBe(0);
    await expect(fetch(metricsUrl)).rejects.toThrow('fetch failed');
  });

  it('fails the start where its port is taken, and leaves nothing behind', { tags: 'long' }, async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => void (await new Promise((resolve) => server.close(resolve))));
    const METRICS_PORT = `${portOf(server.address())}`;
    const { code, stderr } = await runGateway([], { cwd, settings: { PORT: '0', METRICS_PORT } });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `kb-gateway: port ${METRICS_PORT} of 127.0.0.1 is in use: stop what listens there, or set METRICS_PORT (0 takes a free one)\n`,
    );
    expect(await readdir(cwd)).toEqual([]);
  });

  it('closes connections beyond the most that it takes', async () => {
    const { metricsUrl } = await start({ DATABASE_URL: 'sqlite::memory:' });
    const { hostname, port } = new URL(metricsUrl);
    const open = async () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      return { socket, closed: once(socket, 'close') };
    };
    const first = await open();
    for (let count = 1; count < 20; count += 1) await open();
    await (await open()).closed;
    expect(first.socket.destroyed).toBe(false);
    first.socket.destroy();
    await expect
      .poll(() => sendRaw(metricsUrl, rawRequest({ target: '/metrics' })).catch(() => null))
      .toMatchObject({ status: 200, body: expect.stringContaining('target_info') });
  });
});
