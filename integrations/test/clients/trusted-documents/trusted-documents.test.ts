import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { type DocumentNode, getOperationAST, print } from 'graphql';
import { createOperationDescriptor, fetchQuery } from 'relay-runtime';
import { afterEach, describe, expect, it } from 'vitest';
import { decodeDocumentManifest } from '../../../../src/server/config/document-manifest.ts';
import { type DemoGateway, type DemoGatewayOptions, startDemoGateway } from '../../../../test/clients/demo-gateway.ts';
import { operationOf } from '../../../../test/clients/documents.ts';
import { compileForRelay } from '../relay/relay-program.ts';
import { createTrustedApolloClient } from './apollo-client.ts';
import { createTrustedRelayEnvironment } from './relay-environment.ts';
import { createTrustedUrqlClient } from './urql-client.ts';

const ARTICLES = operationOf('ArticlesOfCategory');
const UPDATE = operationOf('UpdateAndReadBack');
const CATEGORY = { categoryId: 'first-steps' };
const RETITLED = { articles: [{ articleId: 'pair-a-lamp', title: 'Pair any lamp' }] };

const nameOf = (document: DocumentNode): string => getOperationAST(document)?.name?.value ?? '';

const TITLES = { articles: { nodes: expect.arrayContaining([expect.objectContaining({ title: 'Pair any lamp' })]) } };
const UPDATED = { bulkUpdateArticles: { results: [expect.objectContaining({ __typename: 'ArticleUpdated' })] } };

let gateway: DemoGateway;
let requests: string[];
afterEach(() => gateway.close());

async function start(options: DemoGatewayOptions) {
  requests = [];
  const onRequest = ({ method, url = '' }: IncomingMessage) => {
    requests.push(`${method} ${url.split('&', 1)[0]}`);
  };
  gateway = await startDemoGateway({ ...options, onRequest });
  return gateway.target;
}

/** The texts that Apollo Client sends: its cache adds `__typename`. */
const textsOfApollo = () => {
  const cache = new InMemoryCache();
  return new Map([ARTICLES, UPDATE].map((document) => [nameOf(document), print(cache.transformDocument(document))]));
};

describe('trusted documents, where nothing else is executed', () => {
  it('are sent by Apollo Client, queries by GET', async () => {
    const target = await start({ trustedTexts: textsOfApollo(), trustedOnly: true });
    const client = createTrustedApolloClient(target, {}, nameOf);
    const update = await client.mutate({ mutation: UPDATE, variables: RETITLED });
    const { data } = await client.query({ query: ARTICLES, variables: CATEGORY });
    expect([update.data, data]).toMatchObject([UPDATED, TITLES]);
    expect(requests).toEqual(['POST /graphql', 'GET /graphql?operationName=ArticlesOfCategory']);
  });

  it('are sent by urql, queries by GET', async () => {
    const target = await start({ trustedTexts: textsOfApollo(), trustedOnly: true });
    const client = createTrustedUrqlClient(target, nameOf);
    const update = await client.mutation(UPDATE, RETITLED);
    const query = await client.query(ARTICLES, CATEGORY);
    expect([update.data, query.data]).toMatchObject([UPDATED, TITLES]);
    expect(requests).toEqual(['POST /graphql', 'GET /graphql?operationName=ArticlesOfCategory']);
  });

  it('are sent by Relay, whose compiler writes the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-relay-'));
    await writeFile(join(folder, 'persisted-documents.json'), '{}');
    const load = await compileForRelay(
      print(ARTICLES),
      folder,
      'integrations/test/clients/trusted-documents/relay.config.json',
    );
    const manifest = decodeDocumentManifest(await readFile(join(folder, 'persisted-documents.json'), 'utf8'));
    const request = await load('ArticlesOfCategory');
    await rm(folder, { recursive: true });
    if (!manifest.ok) throw new Error(manifest.error.join());
    const target = await start({ trustedTexts: manifest.value, trustedOnly: true });
    const environment = createTrustedRelayEnvironment(target.url, target.token);
    const data = await fetchQuery(environment, request, CATEGORY).toPromise();
    expect(data).toMatchObject({ articles: { nodes: expect.any(Array) } });
    expect(environment.check(createOperationDescriptor(request, CATEGORY)).status).toBe('available');
  });
});

describe('automatic persisted queries of Apollo Client', () => {
  const clientOf = ({ url, token }: DemoGateway['target']) =>
    new ApolloClient({
      link: new PersistedQueryLink({
        sha256: (text) => createHash('sha256').update(text).digest('hex'),
        useGETForHashedQueries: true,
      }).concat(new HttpLink({ uri: url, headers: { 'x-api-token': token } })),
      cache: new InMemoryCache(),
      defaultOptions: { query: { fetchPolicy: 'no-cache' } },
    });

  it('send the text once, and the hash from then on', async () => {
    const client = clientOf(await start({}));
    const update = await client.mutate({ mutation: UPDATE, variables: RETITLED });
    expect(update.data).toMatchObject(UPDATED);
    for (let round = 0; round < 2; round++) {
      expect((await client.query({ query: ARTICLES, variables: CATEGORY })).data).toMatchObject(TITLES);
    }
    const get = 'GET /graphql?operationName=ArticlesOfCategory';
    expect(requests).toEqual(['POST /graphql', 'POST /graphql', get, 'POST /graphql', get]);
  });

  it('fail with the reason where only trusted documents are executed', async () => {
    const client = clientOf(await start({ trustedOnly: true }));
    await expect(client.query({ query: ARTICLES, variables: CATEGORY })).rejects.toThrow(/trusted documents only/u);
  });
});
