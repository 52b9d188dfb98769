import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { smallKnowledgeBase } from '../store/small-knowledge-base.ts';
import { startGateway } from '../support/gateway.ts';
import { portOf } from '../support/ports.ts';
import { type RunningGateway, startGatewayProcess } from '../support/process.ts';
import { list } from '../support/repeat.ts';

const TOKEN = 'token-of-the-service';
export const ITEMS = 160;
const BULK_SIZE = 4;
export const EDITED = 'By an editor';

const knowledgeBase = {
  ...smallKnowledgeBase,
  reader_groups: [],
  articles: list(ITEMS, (n) => ({
    ...{ id: `n${n}`, project_version_id: 'pv1', category_id: 'basics', slug: `n${n}`, order: n + 1, hidden: false },
    content_type: 'markdown' as const,
    versions: [
      {
        ...{ lang_code: 'en', version_number: 1, title: `Title ${n}`, content: `Text ${n}` },
        translation_option: '0' as const,
      },
    ],
  })),
};

/** An update of each article; those of every other call set texts. */
export const UPDATES = knowledgeBase.articles.map(({ id }, n) => ({
  ...{ articleId: id, title: `New ${n}`, hidden: true },
  ...(Math.floor(n / BULK_SIZE) % 2 === 1 && { content: 'New' }),
}));

export const SUBMIT = `mutation ($articles: [ArticleUpdateInput!]!, $key: String!) {
  result: submitArticleUpdateJob(idempotencyKey: $key, input: { articles: $articles, keepBefore: ALWAYS }) {
    ... on SubmitArticleUpdateJobPayload { job { id } } ... on MutationError { message retryable }
  }
}`;

export const REVERT = `mutation ($id: ID!) {
  result: revertArticleUpdateJob(idempotencyKey: "undo", id: $id) {
    ... on RevertArticleUpdateJobPayload { job { id } } ... on MutationError { message retryable }
  }
}`;

/** The calls of the service that can be held: the list of articles, one article, and the write. */
export const CALLS = ['list', 'text', 'put'] as const;
export type Call = (typeof CALLS)[number];

function callOf({ method, url = '' }: IncomingMessage): Call | null {
  if (method === 'PUT') return 'put';
  if (url.includes('/categories')) return 'list';
  return url.includes('/Articles/') ? 'text' : null;
}

/** The service, behind a server that can hold its calls. */
export async function openRevertedService() {
  const backend = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: [TOKEN], log: silentLog });
  await backend.importKnowledgeBase(knowledgeBase, () => {});
  const service = await startGateway({ backend, local: true, token: TOKEN });
  const ask = async (query: string): Promise<Answer> => Object((await service.send(query)).body.data);
  /** The IDs of the articles of each call that had an effect. */
  const written: string[] = [];
  let held: { readonly at: Call; readonly fate: 'lost' | 'kept'; readonly onHeld: () => void } | null = null;
  const forward = async ({ method = '', url = '' }: IncomingMessage, body: string) => {
    const headers = { api_token: TOKEN, 'content-type': 'application/json' };
    const answer = await fetch(service.url + url, { method, headers, ...(method === 'PUT' && { body }) });
    if (method === 'PUT') for (const { article_id } of JSON.parse(body)) written.push(article_id);
    return { status: answer.status, text: await answer.text() };
  };
  const front = createServer(async (request, response) => {
    const body = await text(request);
    const { at, fate, onHeld } = held ?? {};
    const isHeld = at !== undefined && at === callOf(request);
    if (isHeld) held = null;
    const answer = isHeld && fate === 'lost' ? null : await forward(request, body);
    if (isHeld) onHeld?.();
    else response.writeHead(answer?.status ?? 500, { 'content-type': 'application/json' }).end(answer?.text);
  });
  await once(front.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    front.closeAllConnections();
    front.close();
    await service.close();
  });
  return {
    url: `http://127.0.0.1:${portOf(front.address())}`,
    written,
    /** Ends when a call is held, which had an effect already where it is `kept`. */
    hold: (at: Call, fate: 'lost' | 'kept') => new Promise<void>((onHeld) => (held = { at, fate, onHeld })),
    /** What an editor does. */
    edit: (id: string) =>
      ask(
        `mutation { bulkUpdateArticles(input: { articles: [{ articleId: "${id}", title: "${EDITED}" }] }) { __typename } }`,
      ),
    readAll: async () => {
      const all = new Map<string, unknown>();
      for (const { id } of knowledgeBase.articles)
        all.set(id, (await ask(`{ article(articleId: "${id}") { title content hidden order } }`)).article);
      return all;
    },
    /** The articles that were written twice since it was asked before. */
    writtenTwice: () => {
      const seen = new Set<string>();
      return written.splice(0).filter((id) => seen.has(id) || !seen.add(id));
    },
  };
}

/** An answer of a gateway. */
interface Answer {
  readonly result: { readonly job: { readonly id: string } };
  readonly job: ShownJob | null;
  readonly article: unknown;
}

interface ShownJob {
  readonly id: string;
  readonly done: boolean;
  readonly summary: Readonly<Record<'total' | 'updated' | 'notAttempted' | 'unknown' | 'failed', number>>;
  readonly results: { readonly nodes: readonly Readonly<Record<'__typename' | 'articleId' | 'reason', string>>[] };
}

type Ask = (query: string, variables?: object) => Promise<Answer>;

export const startOver = (
  { url }: { readonly url: string },
  { cwd, stateUrl }: { readonly cwd: string; readonly stateUrl: string },
): Promise<RunningGateway> => {
  const settings = {
    ...{ UPSTREAM_URL: url, UPSTREAM_API_TOKEN: TOKEN, API_TOKEN: 'own', STATE_URL: stateUrl },
    ...{ UPSTREAM_BULK_SIZE: `${BULK_SIZE}`, UPSTREAM_TIMEOUT_MS: '2000' },
  };
  return startGatewayProcess({ cwd, settings });
};

/** Asks the gateways in turn until one answers. */
export const askAnyOf =
  (gateways: ReadonlyMap<string, RunningGateway>): Ask =>
  async (query, variables = {}) => {
    for (;;)
      for (const { url } of gateways.values()) {
        const headers = { 'content-type': 'application/json', api_token: 'own' };
        const body = JSON.stringify({ query, variables });
        const response = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
        const answer = response === null ? null : Object(await response.json().catch(() => null));
        if (answer?.data != null && answer.data.result?.retryable !== true) return answer.data;
        await sleep(100);
      }
  };

/** The job once it is done. */
export async function untilDone(ask: Ask, id: string): Promise<ShownJob> {
  for (;;) {
    const { job } = await ask(
      `query ($id: ID!) { job: articleUpdateJob(id: $id) {
        id done summary { total updated notAttempted unknown failed }
        results(first: 1000) { nodes { __typename articleId ... on ArticleUpdateNotAttempted { reason } } }
      } }`,
      { id },
    );
    if (job?.done) return job;
    await sleep(200);
  }
}
