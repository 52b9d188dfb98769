import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openFaultyService } from '../../support/faulty-service.ts';

/** Three gateways, with everything that can keep a process alive. The program ends where nothing does. */
const program = (serviceUrl: string) => `
import { createGateway } from '${pathToFileURL(resolve('src/index.ts'))}';

const lines = [];
const log = { level: 'info', write: (line) => lines.push(line) };
const service = { kind: 'service', url: '${serviceUrl}' };
const gateways = [
  createGateway({ backend: service, log, metrics: { port: 0 }, audit: { path: 'audit.log' }, state: { url: 'sqlite:state.db' } }),
  createGateway({ backend: service, log, clients: { jwksUrl: '${serviceUrl}/keys', issuer: 'i', audience: 'a' } }),
  createGateway({ backend: { kind: 'store', databaseUrl: 'sqlite:kb.db', apiTokens: ['t'] }, log, metrics: { port: 0 } }),
];
const query = 'mutation { bulkUpdateArticles(idempotencyKey: "k", input: { articles: [{ articleId: "a", title: "b" }] }) { __typename } }';
const headers = { 'content-type': 'application/json', authorization: 'Bearer t' };
const statuses = [];
for (const { fetch: ask } of gateways) {
  const answer = await ask(new Request('http://site.example/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) }));
  await answer.text();
  statuses.push(answer.status);
}
const ports = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'metrics are served').map(({ port }) => port);
for (const port of ports) {
  const page = await fetch(\`http://127.0.0.1:\${port}/metrics\`, { headers: { connection: 'close' } });
  statuses.push((await page.text()).includes('kb_gateway_'));
}
await Promise.all(gateways.map((gateway) => gateway.close()));
process.stdout.write(JSON.stringify(statuses));
`;

it('close leaves nothing that keeps the process alive', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-close-'));
  const service = await openFaultyService();
  const script = program(service.url);
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder });
  const { stdout, stderr } = await run.finally(() => service.close());
  await rm(folder, { recursive: true });
  expect({ stdout, stderr }).toEqual({ stdout: '[200,200,200,true,true]', stderr: '' });
});
