import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCH_FOLDER, freePort, REPOSITORY, type RunningProcess, startProcess } from './harness/processes.ts';
import { withResource } from './harness/with-resource.ts';

/*
 * `node bench/executed-files.ts [--list]` counts the functions of src that one warm update of one article over REST executes, and
 * their files, by V8's precise coverage of that request alone. The update sets `hidden`, so that nothing is read before it.
 */

const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } });

const WARM_UPDATES = 20;

/** Runs in the gateway: a message starts the coverage, the next one ends it and sends it. */
const PRELOAD = `
import { Session } from 'node:inspector/promises';
const session = new Session();
session.connect();
await session.post('Profiler.enable');
process.on('message', async (message) => {
  if (message === 'start') {
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    process.send('started');
  }
  if (message === 'stop') {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const executed = ({ ranges }) => ranges[0].count > 0;
    process.send(result.flatMap(({ url, functions }) => functions.filter(executed).map(({ functionName }) => [url, functionName])));
  }
});
process.channel.unref();
`;

async function ask(gateway: RunningProcess, message: 'start' | 'stop'): Promise<unknown> {
  const answer = once(gateway.child, 'message');
  gateway.child.send(message);
  const [value] = await answer;
  return value;
}

async function update(port: number): Promise<void> {
  const query = `mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a", title: "A title", hidden: false }] }) {
    __typename ... on BulkUpdateArticlesPayload { results { __typename articleId } } } }`;
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', api_token: 'token' },
    body: JSON.stringify({ query }),
  });
  const text = await response.text();
  if (!text.includes('"ArticleUpdated"')) throw new Error(`The update was answered with ${response.status}: ${text}`);
}

const [upstreamPort, port] = [await freePort(), await freePort()];
const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-executed-'));
try {
  const upstream = startProcess({
    role: 'upstream',
    args: [join(BENCH_FOLDER, 'harness/upstream.ts')],
    env: { PORT: `${upstreamPort}` },
    port: upstreamPort,
  });
  const gateway = () =>
    startProcess({
      role: 'gateway',
      args: [`--import=data:text/javascript,${encodeURIComponent(PRELOAD)}`, join(REPOSITORY, 'src/main.ts'), 'serve'],
      env: {
        PORT: `${port}`,
        UPSTREAM_URL: `http://127.0.0.1:${upstreamPort}`,
        STATE_URL: `sqlite:${join(folder, 'state.db')}`,
      },
      port,
    });
  await withResource(upstream, () => withResource(gateway(), measure));
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(gateway: RunningProcess): Promise<void> {
  for (let count = 0; count < WARM_UPDATES; count += 1) await update(port);
  await ask(gateway, 'start');
  await update(port);
  const executed = (await ask(gateway, 'stop')) as readonly (readonly [url: string, name: string])[];
  const prefix = new URL(`file://${join(REPOSITORY, 'src')}/`).href;
  const ofSource = executed.filter(([url]) => url.startsWith(prefix));
  const byFile = Map.groupBy(ofSource, ([url]) => url.slice(prefix.length));
  if (values.list)
    for (const [file, functions] of [...byFile].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      console.log(`${functions.length} ${file}: ${functions.map(([, name]) => name || '(anonymous)').join(', ')}`);
  const named = ofSource.filter(([, name]) => name !== '').length;
  console.log(
    `One warm update of one article over REST executes ${ofSource.length} functions of src (${named} have a name) in ${byFile.size} files.`,
  );
}
