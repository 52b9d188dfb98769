import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { STORE_ACCOUNT } from '../../src/store/knowledge-base/format.ts';
import { freePort } from '../../test/support/ports.ts';
import { REPOSITORY, startProcess } from '../harness/processes.ts';
import { median } from '../harness/statistics.ts';
import { withResource } from '../harness/with-resource.ts';

/*
 * `npm run bench:store:creates`: three callers create 1,000 articles of 8 kB each over SQLite, while another caller updates
 * one article after another. Ends with 1 where one of these updates took more than a second.
 */

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const rounds = Number(values.rounds);

const CREATORS = ['a', 'b', 'c'];
const ARTICLES = 1_000;
const WORDS = 800;
const MAX_WAIT_MS = 1_000;

const CREATE = `mutation ($input: CreateArticlesInput!) {
  createArticles(input: $input) { ... on CreateArticlesPayload { summary { created } results { ... on ArticleCreated { articleId } } } }
}`;
const UPDATE = `mutation ($input: BulkUpdateArticlesInput!) {
  bulkUpdateArticles(input: $input) { ... on BulkUpdateArticlesPayload { summary { updated } } }
}`;

interface Answer {
  readonly data?: {
    readonly projectVersions?: readonly { readonly projectVersionId: string }[];
    readonly createArticles?: {
      readonly summary?: { readonly created: number };
      readonly results: readonly { articleId: string }[];
    };
    readonly bulkUpdateArticles?: { readonly summary?: { readonly updated: number } };
  };
}

/** Ten characters a word, of 20,011 words. */
const textOf = (first: number): string =>
  Array.from({ length: WORDS }, (_, n) => ((first + n * n) % 20_011).toString(36).padEnd(9, 'w')).join(' ');

/** The calls of the gateway at a port. A caller is its token. */
async function openClient(port: number) {
  const send = async (caller: string, query: string, variables: object = {}): Promise<NonNullable<Answer['data']>> => {
    const headers = { 'content-type': 'application/json', api_token: caller };
    const body = JSON.stringify({ query, variables });
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body });
    const answer: Answer = JSON.parse(await response.text());
    if (answer.data === undefined) throw new Error(`The gateway answered ${JSON.stringify(answer).slice(0, 300)}.`);
    return answer.data;
  };
  const { projectVersions } = await send('a', '{ projectVersions { projectVersionId } }');
  const projectVersionId = projectVersions?.[0]?.projectVersionId;
  return {
    create: async (caller: string, count: number, title: string) => {
      const titles = Array.from({ length: count }, (_, n) => `${title} ${n}`);
      const articles = titles.map((each, n) => ({ title: each, projectVersionId, content: textOf(n * 31) }));
      const { createArticles } = await send(caller, CREATE, { input: { userId: STORE_ACCOUNT.user_id, articles } });
      if (createArticles?.summary?.created !== count) throw new Error('An article was not created.');
      return createArticles.results;
    },
    update: async (caller: string, articleId: string, title: string) => {
      const { bulkUpdateArticles } = await send(caller, UPDATE, { input: { articles: [{ articleId, title }] } });
      if (bulkUpdateArticles?.summary?.updated !== 1) throw new Error('The article was not updated.');
    },
  };
}

async function measure(port: number): Promise<void> {
  const client = await openClient(port);
  const [article] = await client.create('d', 1, 'updated');
  const state = { isOver: false };
  const begun = performance.now();
  const creates = Promise.all(
    CREATORS.map(async (caller) => {
      for (let round = 0; round < rounds; round += 1) await client.create(caller, ARTICLES, `${caller} ${round}`);
    }),
  ).finally(() => {
    state.isOver = true;
  });
  const waits: number[] = [];
  while (!state.isOver) {
    const start = performance.now();
    await client.update('d', article?.articleId ?? '', `Title ${waits.length}`);
    waits.push(performance.now() - start);
  }
  await creates;
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const [middle, most] = [Math.round(median(waits)), Math.round(Math.max(...waits))];
  console.log(
    `${CREATORS.length} callers created ${rounds} times ${ARTICLES} articles of ${WORDS * 10} bytes in ${seconds} s. Of ` +
      `${waits.length} updates beside them the median took ${middle} ms, and the slowest ${most} ms (at most ${MAX_WAIT_MS}).`,
  );
  if (most > MAX_WAIT_MS) process.exitCode = 1;
}

const isReady = async (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

await withResource(new AsyncDisposableStack(), async (stack) => {
  const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-creates-'));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const port = await freePort();
  const env = {
    DATABASE_URL: `sqlite:${join(folder, 'kb.db')}`,
    STATE_URL: `sqlite:${join(folder, 'state.db')}`,
    API_TOKEN: 'a,b,c,d',
    PORT: `${port}`,
    LOG_LEVEL: 'warn',
    REQUEST_TIMEOUT_MS: '300000',
  };
  stack.use(
    await startProcess({
      role: 'gateway',
      args: [join(REPOSITORY, 'src/main.ts'), 'serve'],
      env,
      port,
      hasStarted: isReady,
    }),
  );
  await measure(port);
});
