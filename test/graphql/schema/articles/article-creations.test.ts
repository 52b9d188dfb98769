import { describe, expect, it, onTestFinished } from 'vitest';
import { STORE_ACCOUNT } from '../../../../src/store/knowledge-base/format.ts';
import {
  type Behaviour,
  envelope,
  type FaultyService,
  json,
  openFaultyService,
  reset,
  status,
} from '../../../support/faulty-service.ts';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';
import { openBackendTo } from '../../../support/rest-scene.ts';

const CREATE = /* GraphQL */ `
  mutation ($input: CreateArticlesInput!) {
    createArticles(input: $input) {
      __typename
      ... on CreateArticlesPayload {
        results {
          __typename
          ... on ArticleCreated { articleId article { slug } }
          ... on ArticleCreateUnknown { candidates { articleId title content } }
        }
      }
    }
  }
`;

const PREVIEW = /* GraphQL */ `
  mutation ($input: CreateArticlesInput!) {
    previewCreateArticles(input: $input) {
      __typename
      ... on CreateArticlesPreview {
        results { wouldSucceed content contentType order issues { path message } existing { articleId } }
        summary { total created failing }
      }
      ... on TooCostlyError { calls allowed }
    }
  }
`;

const inputOf = (articles: readonly object[], userId: string = STORE_ACCOUNT.user_id) => ({
  input: { userId, articles: articles.map((article) => ({ projectVersionId: 'pv1', categoryId: 'c1', ...article })) },
});

async function openStore(): Promise<Gateway> {
  const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  onTestFinished(() => gateway.close());
  return gateway;
}

describe('more than 1,000 articles', () => {
  it('are refused before anything is sent, over both backends', async () => {
    const service = await openFaultyService();
    onTestFinished(() => service.close());
    const rest = await startGateway({ backend: openBackendTo(service), local: false, token: TOKEN });
    onTestFinished(() => rest.close());
    const input = inputOf(Array.from({ length: 1_001 }, (_, n) => ({ title: `New ${n}` })));
    for (const gateway of [await openStore(), rest])
      for (const document of [CREATE, PREVIEW]) {
        const { body } = await gateway.send(document, input);
        expect(Object.values(body.data ?? {})).toEqual([{ __typename: 'ValidationError' }]);
      }
    expect(service.received).toEqual([]);
  });
});

describe('new articles of the store', () => {
  const slugsOf = async (gateway: Gateway, titles: readonly string[]) => {
    const { body } = await gateway.send(CREATE, inputOf(titles.map((title) => ({ title }))));
    const { results } = Object(body.data?.['createArticles']);
    return results.map(({ article }: { article: { slug: string } }) => article.slug);
  };

  it('have slugs of the letters and digits of their titles', async () => {
    const titles = ['Straße & Öl – 2.0', '日本語 ガイド', 'İstanbul', '?!', 'हिन्दी', 'a'.repeat(300)];
    expect(await slugsOf(await openStore(), titles)).toEqual([
      'straße-ol-2-0',
      '日本語-ガイド',
      'istanbul',
      'article',
      'हिन्दी',
      'a'.repeat(80),
    ]);
  });

  it('have slugs of their own, however many have one title, and beside numbers that are taken', async () => {
    const gateway = await openStore();
    expect(await slugsOf(gateway, ['Step 2', 'Step', 'Step', 'a1', 'step-3'])).toEqual([
      'step-2',
      'step',
      'step-3',
      'a1-2',
      'step-3-2',
    ]);
    const many = await slugsOf(
      gateway,
      Array.from({ length: 50 }, () => 'Step'),
    );
    expect([many[0], many.at(-1), new Set(many).size]).toEqual(['step-4', 'step-53', 50]);
  });

  it('are found by their words at once', async () => {
    const gateway = await openStore();
    await gateway.send(CREATE, inputOf([{ title: 'Zeppelin', content: 'A xylophone' }]));
    for (const text of ['zeppelin', 'xylophone']) {
      const { body } = await gateway.send(
        'query ($text: String) { articles(filter: { text: $text }) { nodes { title } } }',
        { text },
      );
      expect(body.data).toEqual({ articles: { nodes: [{ title: 'Zeppelin' }] } });
    }
  });

  it('are previewed with their members; an unknown team account fails all of them', async () => {
    const gateway = await openStore();
    const preview = async (userId?: string) => {
      const items = [{ title: 'One', content: 'Text', contentType: 'BLOCK', order: 3 }, { title: 'Two' }];
      return (await gateway.send(PREVIEW, inputOf(items, userId))).body.data?.['previewCreateArticles'];
    };
    const bare = { content: null, contentType: null, order: null };
    const good = { wouldSucceed: true, issues: [], existing: null };
    expect(await preview()).toEqual({
      __typename: 'CreateArticlesPreview',
      results: [
        { ...good, content: 'Text', contentType: 'BLOCK', order: 3 },
        { ...good, ...bare },
      ],
      summary: { total: 2, created: 2, failing: 0 },
    });
    const message = "The user with id 'nobody' does not exist in your project.";
    const failing = { wouldSucceed: false, issues: [{ path: ['input', 'userId'], message }] };
    expect(await preview('nobody')).toMatchObject({ results: [failing, failing], summary: { created: 0, failing: 2 } });
  });
});

describe('new articles of the service', () => {
  const VERSIONS = json(
    200,
    envelope([{ id: 'pv1', is_main_version: true, language_versions: [{ code: 'en', set_as_default: true }] }]),
  );
  const entry = { id: 'n1', title: 'New', language_code: 'en', latest_version: 1, public_version: 1 };
  const TREE = json(200, envelope([{ id: 'c1', name: 'One', articles: [entry], child_categories: [] }]));

  async function open(create: Behaviour): Promise<{ gateway: Gateway; service: FaultyService }> {
    const service = await openFaultyService();
    service.on('POST /v2/Articles', create);
    service.on('GET /v2/ProjectVersions', VERSIONS);
    service.on('GET /v2/ProjectVersions/pv1/categories', TREE);
    const gateway = await startGateway({
      backend: openBackendTo(service, { maxReadCalls: 10 }),
      local: false,
      token: 't',
      maxUpstreamCalls: 10,
    });
    onTestFinished(async () => {
      await gateway.close();
      await service.close();
    });
    return { gateway, service };
  }

  it('show the candidates of an unknown outcome, read anew', async () => {
    const { gateway, service } = await open(reset());
    service.on(
      'GET /v2/Articles/n1/en',
      json(200, envelope({ ...entry, title: 'New', content: 'Theirs', version_number: 1 })),
    );
    const { body } = await gateway.send(CREATE, inputOf([{ title: 'New' }]));
    expect(body).toEqual({
      data: {
        createArticles: {
          __typename: 'CreateArticlesPayload',
          results: [
            {
              __typename: 'ArticleCreateUnknown',
              candidates: [{ articleId: 'n1', title: 'New', content: 'Theirs' }],
            },
          ],
        },
      },
    });
  });

  it('keep their outcomes where a candidate cannot be read', async () => {
    const { gateway, service } = await open(reset());
    service.on('GET /v2/Articles/n1/en', status(500));
    const { body } = await gateway.send(CREATE, inputOf([{ title: 'New' }]));
    expect(body.data).toMatchObject({
      createArticles: { results: [{ __typename: 'ArticleCreateUnknown', candidates: [] }] },
    });
  });

  it('keep their outcomes where the new article cannot be read', async () => {
    const { gateway } = await open(json(200, envelope({ id: 'n9' })));
    const { body } = await gateway.send(CREATE, inputOf([{ title: 'New' }]));
    expect(body.data).toMatchObject({ createArticles: { results: [{ articleId: 'n9', article: null }] } });
  });

  it('are not previewed where that takes too many calls, and no call is made', async () => {
    const { gateway, service } = await open(reset());
    const items = Array.from({ length: 10 }, (_, n) => ({ title: 'New', projectVersionId: `pv${n}` }));
    const { body } = await gateway.send(PREVIEW, inputOf(items));
    expect(body.data).toEqual({ previewCreateArticles: { __typename: 'TooCostlyError', calls: 11, allowed: 10 } });
    expect(service.received).toEqual([]);
  });

  it('are not previewed where the categories cannot be read', async () => {
    const { gateway, service } = await open(reset());
    service.on('GET /v2/ProjectVersions/pv1/categories', status(502));
    const { body } = await gateway.send(PREVIEW, inputOf([{ title: 'New' }]));
    expect(body.data).toEqual({ previewCreateArticles: { __typename: 'ServiceUnavailableError' } });
    expect(service.received.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});
