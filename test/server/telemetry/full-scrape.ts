import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { silentLog } from '../../../src/core/base/log.ts';
import { openPostgres } from '../../../src/store/database/postgres/driver.ts';
import { databaseToDrop } from '../../store/store.ts';
import { json, openFaultyService, status } from '../../support/faulty-service.ts';
import { startMeasuredGateway } from '../../support/measured-gateway.ts';
import { openMetrics } from './open-metrics.ts';

/** Nothing has to be read before an update that sets `hidden`. */
const UPDATE =
  'mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a", title: "A", hidden: false }] }) { __typename } }';

/** The pages of a gateway over the service and of a pool of connections, which have every metric together. */
export async function scrapeEveryMetric(): Promise<string> {
  const service = await openFaultyService();
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-scrape-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const { url: stateUrl } = await databaseToDrop();
  const { url, page } = await startMeasuredGateway(cwd, { UPSTREAM_URL: service.url, STATE_URL: stateUrl });
  const headers = { 'x-ratelimit-remaining': '40', 'x-ratelimit-reset': '50' };
  service.on(
    'PUT /v2/Articles/bulkupdate',
    status(401),
    (response) => void response.socket?.destroy(),
    json(200, { success: true, data: [{ article_id: 'a', success: true }] }, headers),
  );
  const body = JSON.stringify({ query: UPDATE });
  // A token that the service has refused is refused from memory for some seconds.
  for (const token of ['refused', 'cut', 'accepted'])
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', 'x-api-token': token }, body });
  await service.close();
  await fetch(new URL('/health/ready', url));
  // The shared budget is known once its row was written, and the size of the state once it was swept: both may be later.
  await expect.poll(page).toContain('kb_gateway_upstream_budget_remaining');
  await expect.poll(page).toContain('kb_gateway_state_size_bytes');
  return `${await page()}${await scrapePool()}`;
}

/** The pool connects at the first statement, which is never sent. */
async function scrapePool(): Promise<string> {
  const { metrics, metricsPage } = await openMetrics();
  const url = 'postgres://user:password@127.0.0.1:1/kb';
  openPostgres(url, { poolSize: 10, log: silentLog, metrics }).kyselyDialect.createDriver();
  return metricsPage();
}
