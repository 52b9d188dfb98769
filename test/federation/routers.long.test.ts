import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import { startDemoGateway } from '../clients/demo-gateway.ts';
import { clientsOf } from '../server/auth/harness.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { bearer, type JwtIssuer, openJwtIssuer } from '../support/jwt-issuer.ts';
import { NEEDS_INTEGRATIONS } from '../support/mounts.ts';
import { composeSupergraph, type Program, type Recorder, startProgram, startRecorder } from './routers.ts';

const HIVE = 'integrations/federation/hive-gateway.ts';
const APOLLO = 'integrations/federation/apollo-gateway.ts';

/** `composes` is true for a router that composes the subgraphs itself, as Apollo does it. */
const ROUTERS = [
  { name: 'Hive Gateway', file: HIVE, composes: false },
  { name: 'Apollo Gateway', file: APOLLO, composes: false },
  { name: 'Apollo Gateway, which composes', file: APOLLO, composes: true },
] as const;

const GROUP = 'groupId: "german-readers", title: "German readers"';

const UPDATE = `mutation ($accessScope: AccessScopeInput) {
  updateReaderGroup(input: { ${GROUP}, accessScope: $accessScope }) { __typename ... on MutationError { code } }
}`;

describe('a federated graph', NEEDS_INTEGRATIONS, () => {
  const calls: string[] = [];
  let service: Gateway;
  let issuer: JwtIssuer;
  let knowledge: Gateway;
  let reviews: Program;
  let recorder: Recorder;
  let folder: string;
  let subgraphs: readonly string[];
  let supergraph: string;

  beforeAll(async () => {
    service = await startDemoGateway({
      onRequest: ({ method, url }) => void calls.push(`${method} ${url?.split('?')[0]}`),
    });
    issuer = await openJwtIssuer();
    const limits = { timeoutMs: 10_000, bulkSize: 100, maxReadCalls: 60 };
    knowledge = await startGateway({
      backend: openRestBackend({ baseUrl: service.url, log: silentLog, ...limits }),
      local: false,
      token: '',
      clients: await clientsOf({ keys: { jwksUrl: issuer.jwksUrl }, apiToken: 'token' }),
    });
    reviews = await startProgram('examples/federation/reviews.ts');
    recorder = await startRecorder(reviews.url);
    folder = await mkdtemp(join(tmpdir(), 'kb-gateway-supergraph-'));
    subgraphs = [`knowledge=${knowledge.url}/graphql`, `reviews=${recorder.url}`];
    supergraph = await composeSupergraph(folder, subgraphs);
  });
  beforeEach(() => {
    calls.length = 0;
  });
  afterAll(async () => {
    await recorder?.close();
    await reviews?.stop();
    await knowledge?.close();
    await issuer?.close();
    await service?.close();
    await rm(folder, { recursive: true });
  });

  it('keeps `@oneOf` where The Guild composes it', async () => {
    expect(await readFile(supergraph, 'utf8')).toMatch(/^input AccessScopeInput .*@oneOf/mu);
  });

  describe.each(ROUTERS)('behind $name', ({ file, composes }) => {
    let router: Program;
    beforeAll(async () => {
      router = await startProgram(file, { takesPort: true, args: composes ? subgraphs : [supergraph] });
    });
    afterAll(() => router?.stop());

    async function send(scope: string | null, query: string, variables: object = {}) {
      const response = await fetch(router.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(scope && bearer(await issuer.sign({ scope }))) },
        body: JSON.stringify({ query, variables }),
      });
      return response.json();
    }

    it('finds what another subgraph refers to, in one call for each article and for each list', async () => {
      const query = '{ latestReviews { rating article { title category { name } } reader { email } } }';
      expect(await send('read', query)).toEqual({
        data: {
          latestReviews: [
            {
              rating: 5,
              article: { title: 'Pair a lamp', category: { name: 'First steps' } },
              reader: { email: 'ada@example.com' },
            },
            {
              rating: 3,
              article: { title: 'Eine Lampe koppeln', category: { name: 'First steps' } },
              reader: { email: 'bo@example.com' },
            },
            {
              rating: 1,
              article: { title: 'Unpack your hub', category: { name: 'First steps' } },
              reader: { email: null },
            },
          ],
        },
      });
      const articles = calls.filter((call) => call.startsWith('GET /v2/Articles/')).sort();
      expect(articles).toEqual([
        'GET /v2/Articles/pair-a-lamp/de',
        'GET /v2/Articles/pair-a-lamp/en',
        'GET /v2/Articles/unpack-the-hub/en',
      ]);
      expect(calls.filter((call) => call === 'GET /v2/Readers')).toHaveLength(1);
    });

    it('gives the token to no other subgraph', async () => {
      const before = recorder.tokens.length;
      await send('read', '{ latestReviews { rating article { title } } }');
      expect(recorder.tokens.slice(before)).toEqual([undefined]);
    });

    it('shows what another subgraph adds', async () => {
      const query =
        '{ article(articleId: "pair-a-lamp", languageCode: "en") { title reviews { nodes { rating } pageInfo { hasNextPage } } } }';
      expect(await send('read', query)).toEqual({
        data: {
          article: { title: 'Pair a lamp', reviews: { nodes: [{ rating: 5 }], pageInfo: { hasNextPage: false } } },
        },
      });
    });

    it.each([
      [null, 'UNAUTHENTICATED'],
      ['groups:write', 'FORBIDDEN'],
    ])('passes the token on, without which nothing is read: %s', async (scope, code) => {
      const { data, errors } = await send(scope, '{ latestReviews { rating article { title } } }');
      expect(data.latestReviews[0]).toEqual({ rating: 5, article: { title: null } });
      expect(errors[0].extensions.code).toBe(code);
      expect(calls).toEqual([]);
    });

    it.each([{ level: 'NONE', projectVersionIds: ['fernlight-2'] }, {}])(
      'refuses a wrong scope, with nothing sent: %j',
      async (accessScope) => {
        const literal = JSON.stringify(accessScope).replaceAll(/"(?=\w+":)|(?<=\w)"(?=:)|"(?=NONE)|(?<=NONE)"/gu, '');
        const answers = [
          await send('read groups:write', UPDATE, { accessScope }),
          await send(
            'read groups:write',
            UPDATE.replace('($accessScope: AccessScopeInput)', '').replace('$accessScope', literal),
          ),
        ];
        for (const { data, errors } of answers) {
          expect(data?.updateReaderGroup ?? null).toBeNull();
          expect(errors[0].message).toMatch(/exactly one (?:key|field)/iu);
          // Apollo's composition loses `@oneOf`, so that the gateway itself has to refuse.
          expect(errors[0].extensions?.serviceName).toBe(composes ? 'knowledge' : undefined);
        }
        expect(calls).toEqual([]);
      },
    );

    it('sends a right one', async () => {
      const accessScope = { projectVersionIds: ['fernlight-2'] };
      expect(await send('read groups:write', UPDATE, { accessScope })).toEqual({
        data: { updateReaderGroup: { __typename: 'UpdateReaderGroupPayload' } },
      });
      expect(calls.filter((call) => call.startsWith('PUT'))).toEqual(['PUT /v2/Readers/groups/german-readers']);
    });

    it('has no queries for the IDs of all subgraphs', async () => {
      const { errors } = await send('read', '{ node(id: "x") { id } }');
      expect(errors[0].message).toMatch(/Cannot query field "node" on type "Query"/u);
    });
  });
});
