import type { ApolloClient } from '@apollo/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJwtSource } from '../../../examples/react-page/jwt-source.ts';
import { silentLog } from '../../../src/core/base/log.ts';
import { openRestBackend } from '../../../src/service/rest-backend.ts';
import { demoKnowledgeBase } from '../../../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../../../src/store/local-backend.ts';
import { clientsOf } from '../../../test/server/auth/harness.ts';
import { type Gateway, startGateway } from '../../../test/support/gateway.ts';
import { type JwtIssuer, openJwtIssuer } from '../../../test/support/jwt-issuer.ts';
import { countLine, createPageClient, showMore } from '../../examples/apollo-client/article-list.ts';
import {
  ArticleListDocument,
  type ArticleListQueryVariables,
  RenameArticleDocument,
} from '../../examples/apollo-client/generated/operations.ts';

/** More articles than the service lists in one call, so that it tells no total: the demo, and copies of its first article. */
const COPIES = demoKnowledgeBase.articles
  .slice(0, 1)
  .flatMap((article) =>
    Array.from({ length: 250 }, (_, number) => ({ ...article, id: `zz-${number}`, slug: `zz-${number}` })),
  );
const TOKEN = 'of-the-service';

describe('the recipe for a page with Apollo Client', () => {
  let issuer: JwtIssuer;
  let service: Gateway;
  let gateway: Gateway;
  let authorizations: (string | undefined)[] = [];
  beforeAll(async () => {
    issuer = await openJwtIssuer();
    const store = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: [TOKEN], log: silentLog });
    await store.importKnowledgeBase(
      { ...demoKnowledgeBase, articles: [...demoKnowledgeBase.articles, ...COPIES] },
      () => {},
    );
    service = await startGateway({ backend: store, local: true, token: TOKEN });
    const limits = { timeoutMs: 10_000, bulkSize: 100, maxReadCalls: 60 };
    gateway = await startGateway({
      backend: openRestBackend({ baseUrl: service.url, log: silentLog, ...limits }),
      local: false,
      token: '',
      clients: await clientsOf({ keys: { jwksUrl: issuer.jwksUrl }, apiToken: TOKEN }),
      onRequest: ({ headers }) => authorizations.push(headers.authorization),
    });
  });
  afterAll(() => Promise.all([gateway.close(), service.close(), issuer.close()]));

  /** A client whose JWTs are valid for so many seconds, with all that it was granted. */
  async function openClient(expiresInSeconds: number) {
    authorizations = [];
    const granted: string[] = [];
    const jwtSource = createJwtSource(async () => {
      const jwt = await issuer.sign({ scope: 'read articles:write', jti: `${granted.length}` });
      granted.push(jwt);
      return { jwt, expiresInSeconds };
    });
    const possibleTypes = await (await fetch(`${gateway.url}/possible-types.json`)).json();
    authorizations = [];
    return { client: createPageClient(`${gateway.url}/graphql`, possibleTypes, jwtSource), granted };
  }

  async function openList(client: ApolloClient, variables: ArticleListQueryVariables) {
    const list = client.watchQuery({ query: ArticleListDocument, variables });
    const subscription = list.subscribe({});
    await expect.poll(() => list.getCurrentResult().loading).toBe(false);
    const shown = () => {
      const { data, dataState } = list.getCurrentResult();
      if (dataState !== 'complete' || !data.articles) throw new Error('The list is not complete.');
      const { edges, pageInfo } = data.articles;
      const titles = edges.map(({ node }) => node.title);
      return { titles, count: countLine(data.articles), hasMore: pageInfo.hasNextPage };
    };
    return { list, shown, close: () => subscription.unsubscribe() };
  }

  it('joins the pages of a list, shows what there is without a total, and keeps other filters apart', async () => {
    const { client } = await openClient(300);
    const { list, shown, close } = await openList(client, { first: 2 });
    expect(list.getCurrentResult().data?.articles?.totalCount).toBe(null);
    expect(shown()).toMatchObject({ count: '2 articles', hasMore: true });
    const hidden = await openList(client, { first: 2, filter: { hidden: true } });
    const hiddenBefore = hidden.shown();
    expect(hiddenBefore.count).toMatch(/^\d of \d articles$/u);
    for (const count of ['4 articles', '6 articles']) {
      await showMore(list);
      await expect.poll(() => shown().count).toBe(count);
    }
    expect(new Set(shown().titles).size).toBe(6);
    expect(hidden.shown()).toEqual(hiddenBefore);
    close();
    hidden.close();
  });

  it('shows a new title in the joined list, without reading it again', async () => {
    const { client } = await openClient(300);
    const { list, shown, close } = await openList(client, { first: 4 });
    await showMore(list);
    await expect.poll(() => shown().titles).toContain('Pair a lamp');
    const requests = authorizations.length;
    const article = { articleId: 'pair-a-lamp', title: 'Pair any lamp' };
    await client.mutate({ mutation: RenameArticleDocument, variables: { article }, errorPolicy: 'all' });
    await expect.poll(() => shown().titles).toContain('Pair any lamp');
    expect(authorizations.length).toBe(requests + 1);
    close();
  });

  it('renews the JWT before it ends, once for the requests of a moment, and sends no request twice', async () => {
    const read = ({ client }: { client: ApolloClient }) =>
      client.query({ query: ArticleListDocument, variables: { first: 1 }, fetchPolicy: 'network-only' });
    const lasting = await openClient(300);
    await read(lasting);
    await read(lasting);
    expect(lasting.granted).toHaveLength(1);
    // A JWT that ends within half a minute serves the requests of one moment.
    const ending = await openClient(30);
    const other = { query: ArticleListDocument, variables: { first: 2 } };
    await Promise.all([read(ending), ending.client.query(other)]);
    expect(ending.granted).toHaveLength(1);
    await read(ending);
    expect(ending.granted).toHaveLength(2);
    const [first, second] = ending.granted;
    expect(authorizations).toEqual([first, first, second].map((jwt) => `Bearer ${jwt}`));
  });
});
