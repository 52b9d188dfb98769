import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { GroupTitlesDocument } from '../../support/generated/operations.ts';
import { startMeasuredGateway } from '../../support/measured-gateway.ts';
import { portOf } from '../../support/ports.ts';
import { ask, childrenOf, runGateway } from '../../support/process.ts';
import { rawRequest, sendRaw } from '../../support/raw-http.ts';
import { type Sample, singleValue, valuesBy } from '../../support/scrape.ts';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-metrics-'));
});

afterEach(() => rm(cwd, { recursive: true }));

const start = (settings: Record<string, string> = {}) => startMeasuredGateway(cwd, settings);

const answered = (samples: readonly Sample[]): number =>
  valuesBy(samples, 'http_server_request_duration_seconds_count', ['http_route', 'http_response_status_code'])[
    '/graphql 200'
  ] ?? 0;

describe('the listener for metrics', () => {
  it('serves GET /metrics and nothing else, apart from the listener for clients', async () => {
    const { metricsUrl, url, scrape, stop } = await start({ DATABASE_URL: 'sqlite::memory:' });
    const page = await fetch(metricsUrl);
    expect(page.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const labels = (await scrape()).find(({ name }) => name === 'target_info')?.labels;
    expect(labels).toEqual({ service_name: 'kb-gateway', service_version: '0.1.0' });
    const others = [{ target: '/' }, { target: '/metricsx' }, { method: 'POST', target: '/metrics', body: 'a' }];
    for (const other of others) expect((await sendRaw(metricsUrl, rawRequest(other))).status).toBe(404);
    expect((await fetch(new URL('/metrics', url))).status).toBe(404);
    expect((await stop()).code).toBe(0);
    await expect(fetch(metricsUrl)).rejects.toThrow('fetch failed');
  });

  it.each(['1', '2'])(
    'fails the start where its port is taken, and leaves nothing behind, with WORKERS=%s',
    async (WORKERS) => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(async () => void (await new Promise((resolve) => server.close(resolve))));
      const METRICS_PORT = `${portOf(server.address())}`;
      const { code, stderr } = await runGateway([], { cwd, settings: { PORT: '0', METRICS_PORT, WORKERS } });
      expect(code).toBe(1);
      expect(stderr).toBe(
        `kb-gateway: port ${METRICS_PORT} of 127.0.0.1 is in use: stop what listens there, or set METRICS_PORT (0 takes a free one)\n`,
      );
      expect(await readdir(cwd)).toEqual([]);
    },
  );
});

describe('the metrics of several workers', () => {
  it('are those of one process, and counts never fall, though a worker hangs or ends', {
    timeout: 90_000,
  }, async () => {
    const gateway = await start({ WORKERS: '2', DATABASE_URL: 'sqlite:kb.db' });
    await expect
      .poll(async () => singleValue(await gateway.scrape(), 'kb_gateway_processes'), { timeout: 40_000 })
      .toBe(2);
    const upTo = Array.from({ length: 20 });
    await Promise.all(upTo.map(() => ask(gateway, GroupTitlesDocument, {})));
    const before = await gateway.scrape();
    expect(answered(before)).toBe(20);
    expect(before.length).toBeLessThanOrEqual(500);
    const [worker = 0] = childrenOf(gateway.pid);
    process.kill(worker, 'SIGSTOP');
    const withoutOne = await gateway.scrape();
    expect(singleValue(withoutOne, 'kb_gateway_processes')).toBe(1);
    expect(answered(withoutOne)).toBe(20);
    process.kill(worker, 'SIGKILL');
    await expect
      .poll(async () => singleValue(await gateway.scrape(), 'kb_gateway_processes'), { timeout: 40_000 })
      .toBe(2);
    expect(answered(await gateway.scrape())).toBe(20);
    await ask(gateway, GroupTitlesDocument, {});
    expect(answered(await gateway.scrape())).toBe(21);
    expect((await gateway.stop()).code).toBe(0);
  });
});
