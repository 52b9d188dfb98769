import { expect, it } from 'vitest';
import { createMergedPage } from '../../src/telemetry/merged-metrics.ts';
import type { Telemetry } from '../../src/telemetry/start-telemetry.ts';
import { parseMetricsPage, singleValue, valuesBy } from '../support/scrape.ts';
import { openMetrics } from './open-metrics.ts';

/** The metrics as another process gets them. */
const sent = async ({ collect }: Telemetry) => JSON.parse(JSON.stringify(await collect()));

it('values are added up, or the worst one counts', async () => {
  const workers = [await openMetrics({ host: 'a', port: 1 }), await openMetrics({ host: 'a', port: 1 })];
  for (const [index, { metrics }] of workers.entries()) {
    metrics.recordCall({ method: 'GET', result: 200, durationMs: 100 * (index + 1) });
    metrics.recordRequest({ method: 'POST', route: '/graphql', status: 200, durationMs: 7_000 });
    metrics.countItems({ updated: 2, failed: 0, unknown: index, notAttempted: 0 });
    metrics.observe('budgetRemaining', () => 10 + index);
    metrics.observe('breakerOpen', () => index);
    metrics.observe('pendingUpdates', () => 3);
  }
  const merged = createMergedPage('1.2.3');
  const answers = new Map(
    await Promise.all(workers.map(async (worker, index) => [index, await sent(worker)] as const)),
  );
  const page = parseMetricsPage(merged.mergeWorkers(answers));
  const bucket = 'http_client_request_duration_seconds_bucket';
  expect(valuesBy(page, bucket, ['le'])).toEqual({ 0.01: 0, 0.05: 0, 0.25: 2, 1: 2, 5: 2, '+Inf': 2 });
  expect(singleValue(page, 'http_client_request_duration_seconds_sum')).toBeCloseTo(0.3);
  expect(valuesBy(page, 'kb_gateway_items_total', ['outcome'])).toMatchObject({ updated: 4, unknown: 1 });
  expect(singleValue(page, 'kb_gateway_upstream_budget_remaining')).toBe(10);
  expect(singleValue(page, 'kb_gateway_upstream_breaker_open')).toBe(1);
  expect(singleValue(page, 'kb_gateway_pending_updates')).toBe(6);
  merged.onWorkerEnd(0);
  const alone = parseMetricsPage(merged.mergeWorkers(new Map([[1, null]])));
  expect(singleValue(alone, 'http_server_request_duration_seconds_count')).toBe(2);
  expect(singleValue(alone, 'kb_gateway_pending_updates')).toBeUndefined();
});

it('many workers with other series each have at most 500 together', async () => {
  const merged = createMergedPage('1.2.3');
  const answers = new Map<number, Awaited<ReturnType<Telemetry['collect']>>>();
  for (let worker = 0; worker < 8; worker += 1) {
    const telemetry = await openMetrics({ host: 'a', port: 1 });
    for (let status = 0; status < 9; status += 1) {
      telemetry.metrics.recordRequest({ method: 'GET', route: '/', status: 600 + 9 * worker + status, durationMs: 1 });
      telemetry.metrics.recordCall({ method: 'PUT', result: 600 + 9 * worker + status, durationMs: 1 });
    }
    telemetry.metrics.recordRequest({ method: 'POST', route: '/graphql', status: 503, durationMs: 1 });
    answers.set(worker, await sent(telemetry));
  }
  const page = parseMetricsPage(merged.mergeWorkers(answers));
  expect(page.length).toBeLessThanOrEqual(500);
  const count = 'http_server_request_duration_seconds_count';
  const counts = valuesBy(page, count, ['http_response_status_code', 'otel_metric_overflow']);
  expect(counts).toMatchObject({ '503 -': 8, '- true': 63 });
  expect(Object.values(counts).reduce((sum, value) => sum + value)).toBe(80);
});

it('a process that has ended its telemetry answers what it was', async () => {
  const telemetry = await openMetrics();
  telemetry.metrics.countItems({ updated: 3, failed: 0, unknown: 0, notAttempted: 0 });
  await telemetry.shutdown(1_000);
  telemetry.metrics.countItems({ updated: 4, failed: 0, unknown: 0, notAttempted: 0 });
  expect(valuesBy(await telemetry.samples(), 'kb_gateway_items_total', ['outcome'])).toMatchObject({ updated: 3 });
});
