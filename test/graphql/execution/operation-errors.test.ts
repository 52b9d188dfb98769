import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Backend } from '../../../src/core/backend.ts';
import { ok } from '../../../src/core/base/result.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, type GraphQLAnswer, startGateway } from '../../support/gateway.ts';

const fail = (): never => {
  throw new Error('A method of the backend fails.');
};

const update = (alias: string, selection: string, title = 'New') =>
  `${alias}: bulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "${title}" }] }) { ... on BulkUpdateArticlesPayload { ${selection} } }`;

const READ_BACK = 'results { ... on ArticleUpdated { article { title } } }';

const SCOPED =
  'updateReaderGroup(input: { groupId: "g1", title: "New", accessScope: { level: $level } }) { __typename }';

/** Each way on which an operation is executed. */
const WAYS: readonly (readonly [way: string, headers: Readonly<Record<string, string>>])[] = [
  ['the fast path', { 'content-type': 'application/json' }],
  ['Yoga', { 'content-type': 'application/json;  charset=utf-8' }],
];

const errorsOf = ({ body }: GraphQLAnswer) =>
  body.errors?.map(({ path, extensions = {} }) => [path, extensions['code'], extensions['mayHaveApplied']]);

describe.each(WAYS)('an error of a mutation over %s', (_way, headers) => {
  const open: Gateway[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((gateway) => gateway.close()));
  });

  async function send(methods: Partial<Backend>, query: string, options: { token?: string; variables?: object } = {}) {
    const store = await openFixtureStore();
    const backend: Backend = Object.assign(Object.create(store), methods);
    const gateway = await startGateway({ backend, local: false, token: TOKEN, limits: { maxAnswerFields: 400 } });
    open.push(gateway);
    return gateway.send(query, options.variables, { ...headers, api_token: options.token ?? TOKEN });
  }

  it('may have applied where the write ends unexpectedly, and only there', async () => {
    const failTwo: Backend['bulkUpdateArticles'] = async (_caller, updates) =>
      updates[0]?.title === 'Two'
        ? fail()
        : ok({ outcomes: [], serviceErrors: [], warnings: [], information: [], extensionData: null });
    const document = `mutation { ${update('one', 'summary { total }')} ${update('two', 'summary { total }', 'Two')} ${update('three', 'summary { total }')} }`;
    const answer = await send({ bulkUpdateArticles: failTwo }, document);
    expect(answer.body.data).toEqual({ one: { summary: { total: 0 } }, two: null, three: { summary: { total: 0 } } });
    expect(errorsOf(answer)).toEqual([[['two'], 'INTERNAL', true]]);
  });

  it('may have applied where only the read-back fails, as expected or not', async () => {
    const notOffered = await send(
      {
        articles: async (_caller, keys) =>
          keys.map(() => ({ ok: false, error: { kind: 'not-offered', message: 'No.', serviceErrors: [] } })),
      },
      `mutation { ${update('one', READ_BACK)} }`,
    );
    expect(notOffered.body.data).toEqual({ one: { results: [{ article: null }] } });
    expect(errorsOf(notOffered)).toEqual([[['one', 'results', 0, 'article'], 'NOT_OFFERED', true]]);
    const unexpected = await send({ articles: fail }, `mutation { ${update('one', READ_BACK)} }`);
    expect(errorsOf(unexpected)).toEqual([[['one', 'results', 0, 'article'], 'INTERNAL', true]]);
  });

  it('may have applied where the answer of the write is too large', async () => {
    const many = Array.from({ length: 95 }, (_, n) => `a${n}: description`).join(' ');
    const notices = Array.from({ length: 5 }, () => ({ description: 'Long.', code: null, extensionData: null }));
    const answer = await send(
      {
        bulkUpdateArticles: async () =>
          ok({ outcomes: [], serviceErrors: [], warnings: notices, information: [], extensionData: null }),
      },
      `mutation { ${update('one', `warnings { ${many} }`)} ${update('two', 'summary { total }')} }`,
    );
    expect(answer.body.data).toEqual({ one: null, two: null });
    expect(errorsOf(answer)).toEqual([
      [['one'], 'QUERY_TOO_COSTLY', true],
      [['two'], 'QUERY_TOO_COSTLY', false],
    ]);
  });

  it('did not apply where an argument does not fit, which is found before the write', async () => {
    const query = `mutation ($input: BulkUpdateArticlesInput = { articles: [] }) { bulkUpdateArticles(input: $input) { __typename } }`;
    const answer = await send({}, query, { variables: { input: null } });
    expect(answer.body.data).toEqual({ bulkUpdateArticles: null });
    expect(errorsOf(answer)).toEqual([[['bulkUpdateArticles'], 'BAD_USER_INPUT', false]]);
  });

  it('did not apply where the outcome of a write would be too large', async () => {
    const articles = Array.from({ length: 100 }, () => '{ articleId: "a1" }').join(' ');
    const costly = `mutation { ${update('one', 'summary { total }')} two: bulkUpdateArticles(input: { articles: [${articles}] }) { ... on BulkUpdateArticlesPayload { results { index articleId } } } }`;
    const answer = await send({}, costly);
    expect(answer.body.data).toEqual({ one: { summary: { total: 1 } }, two: null });
    expect(errorsOf(answer)).toEqual([[['two'], 'QUERY_TOO_COSTLY', false]]);
  });

  it('did not apply where a mutation is refused as a whole', async () => {
    const misfit = await send({}, `mutation ($level: ScopeLevel!) { ${SCOPED} }`, { variables: { level: 'HIGH' } });
    expect(errorsOf(misfit)).toEqual([[undefined, 'BAD_USER_INPUT', false]]);
    const authenticate = vi.fn<Backend['authenticate']>(fail);
    const broken = await send({ authenticate }, `mutation { ${update('one', 'summary { total }')} }`);
    expect([broken.status, errorsOf(broken)]).toEqual([500, [[undefined, 'INTERNAL', false]]]);
  });

  it('did not apply in a preview, which writes nothing', async () => {
    const preview = `mutation { previewBulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "New" }] }) { __typename } }`;
    const answer = await send({ articlesOfUpdates: fail }, preview);
    expect(answer.body.data).toEqual({ previewBulkUpdateArticles: null });
    expect(errorsOf(answer)).toEqual([[['previewBulkUpdateArticles'], 'INTERNAL', false]]);
  });

  it('is told apart from an error of a query, which wrote nothing', async () => {
    const answer = await send({ listReaderGroups: fail }, '{ readerGroups { nodes { title } } }');
    expect(errorsOf(answer)).toEqual([[['readerGroups'], 'INTERNAL', undefined]]);
  });
});
