import { describe, expect, it, onTestFinished } from 'vitest';
import type { Backend } from '../../../../src/core/backend.ts';
import { silentLog } from '../../../../src/core/base/log.ts';
import { openRestBackend } from '../../../../src/service/rest-backend.ts';
import type { ImportedArticle } from '../../../../src/store/knowledge-base/format.ts';
import { openLocalBackend } from '../../../../src/store/local-backend.ts';
import { smallKnowledgeBase } from '../../../store/small-knowledge-base.ts';
import { TOKEN } from '../../../support/fixture-store.ts';
import { startGateway } from '../../../support/gateway.ts';

/** The states of an article with two versions in English. */
const STATES = { draft: {}, 'old version public': { en: 1 }, 'latest version public': { en: 2 } } as const;

const TARGETS = [undefined, 'en', 'de', 'xx'].flatMap((languageCode) =>
  [undefined, 1, 2, 3, 99].map((versionNumber) => ({ languageCode, versionNumber })),
);

const WRITES = ['publishArticles', 'unpublishArticles'] as const;

interface Case {
  readonly write: (typeof WRITES)[number];
  readonly article: ImportedArticle;
  readonly item: { readonly articleId: string };
}

/** Each has an article of its own, so that no write changes what another finds. */
const CASES: readonly Case[] = WRITES.flatMap((write) =>
  Object.entries(STATES).flatMap(([state, publicVersion]) =>
    TARGETS.map((target) => {
      const id = `${write} ${state} ${target.languageCode} ${target.versionNumber}`.replaceAll(' ', '-');
      const versions = [1, 2].map((number) => ({
        lang_code: 'en',
        version_number: number,
        title: id,
        content: 'x',
        translation_option: '0' as const,
        status: Object.values<number>(publicVersion).includes(number) ? (3 as const) : (0 as const),
      }));
      const article: ImportedArticle = {
        ...{ id, slug: id, project_version_id: 'pv1', category_id: 'guides', order: null, hidden: false },
        content_type: 'markdown',
        versions,
        public_version: publicVersion,
      };
      return { write, article, item: { articleId: id, ...target } };
    }),
  ),
);

async function openStore() {
  const backend = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: [TOKEN], log: silentLog });
  const articles = CASES.map(({ article }) => article);
  await backend.importKnowledgeBase({ ...smallKnowledgeBase, articles }, () => {});
  return backend;
}

async function gatewayOver(backend: Backend, local: boolean) {
  const gateway = await startGateway({ backend, local, token: TOKEN, maxUpstreamCalls: 10_000 });
  onTestFinished(() => gateway.close());
  return gateway;
}

describe.each(['the store', 'the service'])('the preview of a publication over %s', (name) => {
  it('promises what the write then does, for every state, language and version', async () => {
    const store = await gatewayOver(await openStore(), true);
    const options = { baseUrl: store.url, timeoutMs: 60_000, bulkSize: 100, maxReadCalls: 10_000, log: silentLog };
    const gateway = name === 'the store' ? store : await gatewayOver(openRestBackend(options), false);
    const differing: unknown[] = [];
    for (const { write, item } of CASES) {
      const type = write === 'publishArticles' ? 'PublishArticles' : 'UnpublishArticles';
      const variables = { input: { articles: [item], userId: 'u2' } };
      const { body: preview } = await gateway.send(
        `mutation ($input: ${type}Input!) { preview${type}(input: $input) { ... on ${type}Preview { results { wouldSucceed changes { field } } } } }`,
        variables,
      );
      const { body: written } = await gateway.send(
        `mutation ($input: ${type}Input!) { ${write}(input: $input) { ... on ${type}Payload { results { __typename ... on ArticleUpdated { evidence } } } } }`,
        variables,
      );
      const [promised] = Object(preview.data)[`preview${type}`].results;
      const [outcome] = Object(written.data)[write].results;
      const isUpdated = outcome.__typename === 'ArticleUpdated';
      const isChanged = isUpdated && outcome.evidence === 'ANSWER';
      if (promised.wouldSucceed !== isUpdated || promised.changes.length > 0 !== isChanged)
        differing.push({ ...item, promised, outcome });
    }
    expect(differing).toEqual([]);
  });
});
