import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { smallKnowledgeBase } from '../store/small-knowledge-base.ts';
import { temporaryFolder } from '../store/store.ts';
import { runGateway, startGatewayProcess } from '../support/process.ts';
import { list } from '../support/repeat.ts';

const ARTICLES = 300;
const KILLS = 6;

const JOB = 'job { id done state summary { total updated notAttempted unknown failed } }';

interface Target {
  readonly url: string;
  readonly api_token: string;
}

it('a job is put back by a gateway that is killed again and again', async () => {
  const [storeFolder, folder] = [temporaryFolder(), temporaryFolder()];
  const articles = list(ARTICLES, (n) => ({
    ...{ id: `n${n}`, project_version_id: 'pv1', category_id: 'basics', slug: `n${n}`, order: n + 1, hidden: false },
    content_type: 'markdown' as const,
    versions: [
      { lang_code: 'en', version_number: 1, title: `Title ${n}`, content: `Text ${n}`, translation_option: '0' },
    ],
  }));
  await writeFile(join(storeFolder, 'kb.json'), JSON.stringify({ ...smallKnowledgeBase, articles, reader_groups: [] }));
  const token = 'token-of-the-service';
  const settings = { API_TOKEN: token, DEMO_DATA: 'false' };
  expect((await runGateway(['import', 'kb.json'], { cwd: storeFolder, settings })).code).toBe(0);
  const service = await startGatewayProcess({ cwd: storeFolder, settings });
  const own = {
    ...{ UPSTREAM_URL: service.url.replace(/\/graphql$/u, ''), UPSTREAM_API_TOKEN: token, API_TOKEN: 'own' },
    ...{ UPSTREAM_BULK_SIZE: '20', UPSTREAM_TIMEOUT_MS: '2000' },
  };
  let gateway = await startGatewayProcess({ cwd: folder, settings: own });
  const ask = async ({ url, api_token }: Target, query: string, variables: object = {}) => {
    const headers = { 'content-type': 'application/json', api_token };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    return Object(await response.json()).data;
  };
  const askGateway = (query: string, variables: object) =>
    ask({ url: gateway.url, api_token: 'own' }, query, variables);
  const readAll = async (): Promise<Readonly<Record<string, unknown>>> => {
    const ids = articles.map(({ id }) => id);
    const all = {};
    for (let start = 0; start < ids.length; start += 50) {
      const fields = ids
        .slice(start, start + 50)
        .map((id) => `${id}: article(articleId: "${id}") { title content hidden order }`);
      Object.assign(all, await ask({ url: service.url, api_token: token }, `{ ${fields.join(' ')} }`));
    }
    return all;
  };
  /** The job once it is done, while the gateway is killed. */
  const killed = async (query: string, variables: object) => {
    const { result } = await askGateway(query, variables);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(randomInt(50, 1_500));
      await gateway.stop('SIGKILL');
      gateway = await startGatewayProcess({ cwd: folder, settings: own });
    }
    for (;;) {
      const { job } = await askGateway(
        `query ($id: ID!) { job: articleUpdateJob(id: $id) { id done summary { total updated notAttempted unknown failed } } }`,
        result.job,
      );
      if (job.done) return job;
      await sleep(200);
    }
  };
  const before = await readAll();
  const items = articles.map(({ id }, n) => ({
    articleId: id,
    languageCode: 'en',
    title: `New ${n}`,
    hidden: true,
    ...(n % 3 === 0 && { content: 'New' }),
  }));
  const job = await killed(
    `mutation ($articles: [ArticleUpdateInput!]!) { result: submitArticleUpdateJob(idempotencyKey: "job", input: { articles: $articles, keepBefore: ALWAYS }) { ... on SubmitArticleUpdateJobPayload { ${JOB} } } }`,
    { articles: items },
  );
  expect(job.summary).toMatchObject({ total: ARTICLES, updated: ARTICLES - job.summary.unknown });
  const undone = await killed(
    `mutation ($id: ID!) { result: revertArticleUpdateJob(idempotencyKey: "undo", id: $id) { ... on RevertArticleUpdateJobPayload { ${JOB} } } }`,
    { id: job.id },
  );
  expect(undone.summary).toMatchObject({ total: ARTICLES, failed: 0 });
  const after = await readAll();
  const { job: shown } = await askGateway(
    'query ($id: ID!) { job: articleUpdateJob(id: $id) { results(first: 1000) { nodes { __typename articleId } } } }',
    { id: undone.id },
  );
  const nodes: readonly { __typename: string; articleId: string }[] = shown.results.nodes;
  // What a killed process had begun and never sent is unknown, and the only thing that may not be put back.
  for (const { __typename, articleId } of nodes)
    if (__typename === 'ArticleUpdated') expect([articleId, after[articleId]]).toEqual([articleId, before[articleId]]);
    else expect(__typename).toBe('ArticleUpdateUnknown');
  expect(undone.summary.updated).toBeGreaterThan(ARTICLES / 2);
  await gateway.stop();
  await service.stop();
});
