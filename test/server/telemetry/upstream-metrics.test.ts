import { expect, it } from 'vitest';
import { withPipeline } from '../../../src/core/writes/pipeline.ts';
import { mergeWrites } from '../../../src/service/merging/merging.ts';
import { json, status } from '../../support/faulty-service.ts';
import { accept, callerWith, openScene } from '../../support/rest-scene.ts';
import { singleValue, valuesBy } from '../../support/scrape.ts';
import { openMetrics } from './open-metrics.ts';

const UPSTREAM = { host: 'service.example', port: 443 };
const BULK = 'PUT /v2/Articles/bulkupdate';

async function open(timeoutMs = 5_000) {
  const { metrics, samples } = await openMetrics(UPSTREAM);
  const scene = await openScene({ metrics, timeoutMs });
  return { ...scene, metrics, samples };
}

it('each call is measured by its method and what became of it', async () => {
  const { service, backend, caller, samples } = await open(1_000);
  await accept({ service, backend });
  service.on(
    BULK,
    status(500),
    (response) => void response.socket?.destroy(),
    () => {},
  );
  for (const articleId of ['a', 'b', 'c']) await backend.bulkUpdateArticles(caller, [{ articleId, title: 'A' }]);
  await service.close();
  const [read] = await backend.articles({ ...caller, request: callerWith().request }, [{ articleId: 'a' }]);
  expect(read?.ok).toBe(false);
  const page = await samples();
  const labels = ['http_request_method', 'http_response_status_code', 'error_type'];
  expect(valuesBy(page, 'http_client_request_duration_seconds_count', labels)).toEqual({
    'GET 200 -': 1,
    'PUT 500 500': 1,
    'PUT - connection_closed': 1,
    'PUT - timeout': 1,
    'GET - not_connected': 3,
  });
  const addresses = page.filter(({ name }) => name.startsWith('http_client_')).map(({ labels }) => labels);
  for (const address of addresses)
    expect(address).toMatchObject({ server_address: 'service.example', server_port: '443' });
  expect(singleValue(page, 'kb_gateway_upstream_breaker_open')).toBe(1);
});

it('the budget is that of the accepted token with the fewest calls left', async () => {
  const { service, backend, samples } = await open();
  expect(singleValue(await samples(), 'kb_gateway_upstream_budget_remaining')).toBeUndefined();
  const versions = (remaining: number) =>
    json(200, { data: [], success: true }, { 'x-ratelimit-remaining': `${remaining}`, 'x-ratelimit-reset': '50' });
  const refused = status(401, '', { 'x-ratelimit-remaining': '1' });
  service.on('GET /v2/ProjectVersions', versions(40), versions(7), refused);
  for (const token of ['token-1', 'token-2', 'token-3']) await backend.projectVersions(callerWith(token));
  const page = await samples();
  expect(singleValue(page, 'kb_gateway_upstream_budget_remaining')).toBe(7);
  expect(singleValue(page, 'kb_gateway_upstream_budget_reset_seconds')).toBeLessThanOrEqual(50);
  expect(JSON.stringify(page)).not.toContain('token-');
});

it('calls in flight, waiting updates and the items of merged calls are counted', async () => {
  const { service, backend, caller, metrics, samples } = await open();
  const coalesced = withPipeline(backend, { merging: mergeWrites({ maxItems: 100, metrics }) });
  const reached = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  service.on(BULK, async (response, request) => {
    reached.resolve();
    await release.promise;
    const items: readonly { article_id: string }[] = Object(request.body).articles ?? request.body;
    const data = items.map(({ article_id }) => ({ article_id, success: true }));
    return json(200, { success: true, data })(response, request);
  });
  const updates = ['a', 'b', 'c', 'd'].map((articleId) =>
    coalesced.bulkUpdateArticles(caller, [{ articleId, title: 'A' }]),
  );
  await reached.promise;
  const meanwhile = await samples();
  expect(singleValue(meanwhile, 'kb_gateway_upstream_calls_in_flight')).toBe(1);
  expect(singleValue(meanwhile, 'kb_gateway_pending_updates')).toBe(3);
  release.resolve();
  for (const update of updates) expect((await update).ok).toBe(true);
  const after = await samples();
  expect(singleValue(after, 'kb_gateway_merged_call_items_count')).toBe(2);
  expect(singleValue(after, 'kb_gateway_merged_call_items_sum')).toBe(4);
  expect(singleValue(after, 'kb_gateway_pending_updates')).toBe(0);
  expect(valuesBy(after, 'kb_gateway_upstream_calls_waiting', ['queue'])).toEqual({
    rate_limit: 0,
    connection: 0,
    unverified: 0,
  });
});
