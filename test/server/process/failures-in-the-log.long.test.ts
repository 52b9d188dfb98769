import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openFaultyService, status } from '../../support/faulty-service.ts';
import { startGatewayProcess } from '../../support/process.ts';
import { serveWritable } from '../../support/writable-service.ts';

const update = (key = '') =>
  `mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "hush" }] } ${key}) { __typename } }`;

async function start() {
  const service = await openFaultyService();
  const writable = serveWritable(service, ['a1']);
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-failures-'));
  const settings = { UPSTREAM_URL: service.url, METRICS_PORT: '0' };
  const gateway = await startGatewayProcess({ cwd, settings });
  onTestFinished(async () => {
    await gateway.stop('SIGKILL');
    await service.close();
    await rm(cwd, { recursive: true });
  });
  const send = async (id: string, query: string) => {
    const headers = { 'content-type': 'application/json', api_token: 'token', 'x-request-id': id };
    const response = await fetch(gateway.url, { method: 'POST', headers, body: JSON.stringify({ query }) });
    expect((await response.text()).length).toBeGreaterThan(2);
  };
  const lines = (): Readonly<Record<string, unknown>>[] =>
    gateway
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  return { gateway, service, writable, send, lines };
}

it('serve logs the codes and causes of what failed, one line at start and end of a job, and counts the codes', async () => {
  const { gateway, service, writable, send, lines } = await start();
  writable.onNextWrites(() => status(502, 'hush'));
  await send('unknown', update('idempotencyKey: "k"'));
  await send('replayed', update('idempotencyKey: "k"'));
  await send('invalid', 'mutation { updateReaderGroup(input: { groupId: "", title: "A" }) { __typename } }');
  const job = 'submitArticleUpdateJob(input: { articles: [{ articleId: "a1", title: "hush" }] }, idempotencyKey: "j")';
  await send('job', `mutation { ${job} { __typename } }`);
  await expect.poll(gateway.log).toContain('a job has ended');
  await service.close();
  await send('away', update());
  const [metrics] = lines().filter(({ message }) => message === 'metrics are served');
  const page = await (await fetch(`http://127.0.0.1:${metrics?.['port']}/metrics`)).text();
  for (const code of ['VALIDATION_FAILED', 'UNAVAILABLE'])
    expect(page).toContain(`kb_gateway_graphql_errors_total{code="${code}"} 1\n`);
  await gateway.stop();
  const failures = lines()
    .filter(({ message }) => message === 'request')
    .map(({ requestId, errors, unknownCauses }) => [requestId, errors, unknownCauses]);
  const causes = ["The outcome is unknown: the answer is not the service's (HTTP 502)."];
  expect(failures).toEqual([
    ['unknown', undefined, causes],
    ['replayed', undefined, causes],
    ['invalid', ['VALIDATION_FAILED'], undefined],
    ['job', undefined, undefined],
    ['away', ['UNAVAILABLE'], undefined],
  ]);
  const ofJob = lines().filter(({ message }) => `${message}`.startsWith('a job has '));
  expect(ofJob).toMatchObject([
    { message: 'a job has begun', items: 1 },
    { message: 'a job has ended', jobId: ofJob[0]?.['jobId'], state: 'COMPLETED', items: 1, updated: 1 },
  ]);
  expect(gateway.log()).not.toContain('hush');
});
