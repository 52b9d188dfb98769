import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort, REPOSITORY, startProcess } from './harness/processes.ts';
import { percentile } from './harness/statistics.ts';
import { withResource } from './harness/with-resource.ts';

/*
 * `npm run bench:window -- [--latency 100]` updates articles with `ifRevision` over REST, and measures at the service the
 * time from the end of the last read to the arrival of each PUT, and the calls for 1,000 items.
 */

const { values } = parseArgs({ options: { latency: { type: 'string', default: '100' } } });
const latencyMs = Number(values.latency);

const ARTICLES = 1_000;
const ITEMS_OF_REQUEST = 100;
const SINGLE_UPDATES = 200;
const ROUNDS = 10;

const articles = new Map(
  Array.from({ length: ARTICLES }, (_, n) => [`a${n}`, { title: 'Before', modifiedAt: Date.now() - 86_400_000 }]),
);
let calls = 0;
let readEndedAt = 0;
const windowsMs: number[] = [];

function entryOf(id: string) {
  const { title = '', modifiedAt = 0 } = articles.get(id) ?? {};
  const fixed = { hidden: false, order: 1, status: 0, translation_option: 0, latest_version: 1, public_version: 0 };
  return { id, title, slug: id, language_code: 'en', content_type: 0, modified_at: new Date(modifiedAt), ...fixed };
}

const LANGUAGES = [{ code: 'en', name: 'English', set_as_default: true }];

function read(path: string): unknown {
  const [, , collection, id = ''] = path.split('/');
  if (collection === 'Articles')
    return { ...entryOf(id), category_id: 'c', project_version_id: 'v', version_number: 1, content: 'Text' };
  if (id === '') return [{ id: 'v', version_code_name: 'v1', is_main_version: true, language_versions: LANGUAGES }];
  const entries = [...articles.keys()].map(entryOf);
  return path.endsWith('/categories') ? [{ id: 'c', name: 'All', articles: entries, child_categories: [] }] : entries;
}

async function answer(request: IncomingMessage): Promise<unknown> {
  calls += 1;
  if (request.method === 'GET') return read(new URL(request.url ?? '', 'http://service').pathname);
  windowsMs.push(performance.now() - readEndedAt);
  const updates = (await json(request)) as readonly { readonly article_id: string; readonly title: string }[];
  return updates.map(({ article_id, title }) => {
    articles.set(article_id, { title, modifiedAt: Date.now() });
    return { article_id, success: true, details: null };
  });
}

const service = createServer(async (request, response) => {
  const data = await answer(request);
  await setTimeout(latencyMs);
  response.writeHead(200, { 'content-type': 'application/json', date: new Date().toUTCString() });
  response.end(JSON.stringify({ data, success: true, errors: [], warnings: [], information: [] }));
  if (request.method === 'GET') readEndedAt = performance.now();
});

async function ask(port: number, query: string, variables: object): Promise<Record<string, unknown>> {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', api_token: 'token' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data?: Record<string, unknown>; errors?: unknown };
  if (data === undefined || errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

async function update(port: number, ids: readonly string[], title: string): Promise<void> {
  const shown = await ask(
    port,
    'mutation ($articles: [ArticleUpdateInput!]!) { previewBulkUpdateArticles(input: { articles: $articles }) { ... on BulkUpdateArticlesPreview { results { revision } } } }',
    { articles: ids.map((articleId) => ({ articleId, languageCode: 'en', title })) },
  );
  const { results: revisions } = Object(shown['previewBulkUpdateArticles']);
  calls = 0;
  const updated = await ask(
    port,
    'mutation ($articles: [ArticleUpdateInput!]!) { bulkUpdateArticles(input: { articles: $articles }) { ... on BulkUpdateArticlesPayload { summary { updated } } } }',
    {
      articles: ids.map((articleId, n) => ({
        articleId,
        languageCode: 'en',
        title,
        ifRevision: revisions[n].revision,
      })),
    },
  );
  if (Object(updated['bulkUpdateArticles']).summary.updated !== ids.length) throw new Error(JSON.stringify(updated));
}

function report(name: string): void {
  const sorted = windowsMs.toSorted((one, other) => one - other);
  const [middle, most] = [percentile(sorted, 0.5), percentile(sorted, 0.99)].map((ms) => ms.toFixed(1));
  console.log(`${name}: ${sorted.length} PUTs, median ${middle} ms, p99 ${most} ms after the last read`);
  windowsMs.length = 0;
}

async function measure(port: number): Promise<void> {
  const ids = [...articles.keys()];
  for (let n = 0; n < SINGLE_UPDATES; n += 1) await update(port, ids.slice(n, n + 1), 'One');
  report('one article a request');
  let total = 0;
  for (let round = 0; round < ROUNDS; round += 1)
    for (let start = 0; start < ARTICLES; start += ITEMS_OF_REQUEST) {
      await update(port, ids.slice(start, start + ITEMS_OF_REQUEST), `Round ${round}`);
      total += calls;
    }
  report(`${ITEMS_OF_REQUEST} articles a request`);
  console.log(`${total / ROUNDS} calls for ${ARTICLES} items`);
}

const [servicePort, port] = [await freePort(), await freePort()];
const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-window-'));
service.listen(servicePort, '127.0.0.1');
try {
  const gateway = startProcess({
    role: 'gateway',
    args: [join(REPOSITORY, 'src/main.ts'), 'serve'],
    env: {
      PORT: `${port}`,
      UPSTREAM_URL: `http://127.0.0.1:${servicePort}`,
      STATE_URL: `sqlite:${join(folder, 'state.db')}`,
    },
    port,
  });
  await withResource(gateway, () => measure(port));
} finally {
  service.close();
  service.closeAllConnections();
  rmSync(folder, { recursive: true });
}
