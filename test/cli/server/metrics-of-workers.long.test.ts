import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GroupTitlesDocument } from '../../support/generated/operations.ts';
import { startMeasuredGateway } from '../../support/measured-gateway.ts';
import { ask, childrenOf } from '../../support/process.ts';
import { type Sample, singleValue, valuesBy } from '../../support/scrape.ts';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-metrics-'));
});

afterEach(() => rm(cwd, { recursive: true }));

const answered = (samples: readonly Sample[]): number =>
  valuesBy(samples, 'http_server_request_duration_seconds_count', ['http_route', 'http_response_status_code'])[
    '/graphql 200'
  ] ?? 0;

describe('the metrics of several workers', () => {
  it('are those of one process, and counts never fall, though a worker hangs or ends', {
    timeout: 90_000,
  }, async () => {
    const gateway = await startMeasuredGateway(cwd, { WORKERS: '2', DATABASE_URL: 'sqlite:kb.db' });
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
