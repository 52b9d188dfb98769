import { print } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoGateway, startDemoGateway, type Target } from '../../../test/clients/demo-gateway.ts';
import { operationOf, readmeAnswer } from '../../../test/clients/documents.ts';
import { PAGE_CALLS } from '../../../test/clients/page-calls.ts';

export interface ClientAnswer {
  readonly data: unknown;
  /** The messages of the errors beside the data. */
  readonly errors: readonly string[];
}

/** A client library as the tests use it. */
export interface TestClient {
  /** Runs the operation of this name. The answer to a query may come from the cache. */
  run(operation: string, variables?: Readonly<Record<string, unknown>>): Promise<ClientAnswer>;
}

const CATEGORY = { categoryId: 'first-steps' };

const retitled = (title: string) => ({ articles: [{ articleId: 'pair-a-lamp', title }] });

const titled = (title: string) => ({
  articles: { nodes: expect.arrayContaining([expect.objectContaining({ title })]) },
});

/** Times and revisions differ between two gateways, as the IDs of their stores do. */
const withoutOwn = (answer: object): object =>
  JSON.parse(JSON.stringify(answer, (name, value) => (OWN.has(name) ? typeof value : value)));

const OWN: ReadonlySet<string> = new Set(['revision', 'modifiedAt', 'knowledgeBaseId']);

/** What every client does with the schema, whatever its cache is like. */
export function testClient(create: (target: Target) => TestClient | Promise<TestClient>): void {
  let gateway: DemoGateway;
  let client: TestClient;

  const begin = async () => {
    gateway = await startDemoGateway();
    client = await create(gateway.target);
  };
  const end = () => gateway.close();

  describe('returns all that is asked for', () => {
    let reference: DemoGateway;
    beforeAll(async () => {
      reference = await startDemoGateway();
      await begin();
    });
    afterAll(() => Promise.all([end(), reference.close()]));

    // The expected data comes from a second gateway, which is sent the same documents without a client.
    it.each(PAGE_CALLS)('in $operation with $variables', async ({ operation, variables }) => {
      const { body } = await reference.send(print(operationOf(operation)), variables);
      const answer = await client.run(operation, variables);
      expect(withoutOwn(answer)).toMatchObject(withoutOwn({ data: body.data, errors: [] }));
    });

    it('in the mutation of the README', async () => {
      expect(await client.run('Readme')).toMatchObject({ data: readmeAnswer.data, errors: [] });
    });
  });

  describe('its cache', () => {
    beforeAll(async () => {
      await begin();
      expect((await client.run('ArticlesOfCategory', CATEGORY)).data).toMatchObject(titled('Pair a lamp'));
    });
    afterAll(end);

    it('shows the old title after a mutation without a read-back', async () => {
      await client.run('UpdateOnly', retitled('Pair two lamps'));
      expect((await client.run('ArticlesOfCategory', CATEGORY)).data).toMatchObject(titled('Pair a lamp'));
    });

    it('shows the new title after a mutation with a read-back', async () => {
      await client.run('UpdateAndReadBack', retitled('Pair all lamps'));
      expect((await client.run('ArticlesOfCategory', CATEGORY)).data).toMatchObject(titled('Pair all lamps'));
    });
  });

  describe('a mutation whose read-back fails', () => {
    beforeAll(begin);
    afterAll(end);

    it('has its outcomes beside the error', async () => {
      const { data, errors } = await client.run('UpdateWithFailingReadBack', retitled('Pair any lamp'));
      expect(data).toMatchObject({ bulkUpdateArticles: { results: [{ __typename: 'ArticleUpdated' }] } });
      expect(errors).toEqual([expect.stringContaining('first')]);
    });
  });
}
