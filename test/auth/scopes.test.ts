import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  isRequiredArgument,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/schema/schema.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { bearer, type JwtIssuer, openJwtIssuer } from '../support/jwt-issuer.ts';
import { clientsOf } from './harness.ts';

const schema = createSchema();

/** A selection of the field with a value for every required argument. */
function selectionOf(field: GraphQLField<unknown, unknown>): string {
  const args = field.args.filter(isRequiredArgument).map(({ name, type }) => `${name}: ${placeholder(type)}`);
  const selected = isCompositeType(getNamedType(field.type)) ? '{ __typename }' : '';
  return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} ${selected}`;
}

const placeholder = (type: GraphQLInputType): string =>
  isNonNullType(type) ? placeholder(type.ofType) : isListType(type) ? `[${placeholder(type.ofType)}]` : '"x"';

const QUERIES = Object.values(schema.getQueryType()?.getFields() ?? {}).map(
  (field) => [field.name, selectionOf(field)] as const,
);

const GROUP = 'groupId: "g1", title: "Renamed", accessScope: { level: PROJECT }';

const MUTATIONS: Readonly<
  Record<string, { readonly scope: string; readonly call: string; readonly readBack: string }>
> = {
  bulkUpdateArticles: {
    scope: 'articles:write',
    call: 'input: { articles: [{ articleId: "a1", title: "Renamed" }] }',
    readBack: '... on BulkUpdateArticlesPayload { results { ... on ArticleUpdated { article { title } } } }',
  },
  updateReaderGroup: {
    scope: 'groups:write',
    call: `input: { ${GROUP} }`,
    readBack: '... on UpdateReaderGroupPayload { readerGroup { title } }',
  },
  changeReaderGroupMembers: {
    scope: 'groups:write',
    call: 'input: { groupId: "g1", removeReaderIds: ["nobody"] }',
    readBack: '... on ChangeReaderGroupMembersPayload { readerGroup { title } }',
  },
};

/** The mutation whose input each preview takes. */
const PREVIEWS: Readonly<Record<string, string>> = {
  previewBulkUpdateArticles: 'bulkUpdateArticles',
  previewUpdateReaderGroup: 'updateReaderGroup',
  previewChangeReaderGroupMembers: 'changeReaderGroupMembers',
};

/** The mutations of jobs, with the types of their answers for a client who may write. */
const JOB_MUTATIONS: Readonly<Record<string, { readonly call: string; readonly answer: string }>> = {
  submitArticleUpdateJob: {
    call: 'input: { articles: [{ articleId: "a1", title: "Renamed" }] }, idempotencyKey: "scopes"',
    answer: 'SubmitArticleUpdateJobPayload',
  },
  cancelArticleUpdateJob: { call: 'id: "none"', answer: 'JobNotFoundError' },
  resumeArticleUpdateJob: { call: 'id: "none"', answer: 'JobNotFoundError' },
};

const writeOf = (name: string): string => PREVIEWS[name] ?? name;

describe('scopes', () => {
  let issuer: JwtIssuer;
  let gateway: Gateway;
  beforeAll(async () => {
    issuer = await openJwtIssuer();
    const clients = await clientsOf({ keys: { jwksUrl: issuer.jwksUrl }, apiToken: TOKEN });
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN, clients });
  });
  afterAll(async () => {
    await gateway.close();
    await issuer.close();
  });

  const send = async (scope: string, document: string) =>
    (await gateway.send(document, {}, bearer(await issuer.sign({ scope })))).body;

  const mutation = (name: string, selection = '') =>
    `mutation { result: ${name}(${MUTATIONS[writeOf(name)]?.call}) { __typename ... on MutationError { message code } ${selection} } }`;

  const lacks = (scope: string) => `The JWT does not permit this: it lacks the scope ${scope}.`;
  const forbidden = (scope: string) => ({
    __typename: 'AuthenticationError',
    message: lacks(scope),
    code: 'FORBIDDEN',
  });

  it('are known for every mutation', () => {
    const known = [MUTATIONS, PREVIEWS, JOB_MUTATIONS].flatMap(Object.keys);
    expect(Object.keys(schema.getMutationType()?.getFields() ?? {}).sort()).toEqual(known.sort());
  });

  it.each(QUERIES)('read: %s is refused without it', async (_name, selection) => {
    const body = await send('articles:write groups:write', `{ result: ${selection} }`);
    expect(body.data?.['result'] ?? null).toBeNull();
    expect(body.errors).toEqual([
      expect.objectContaining({
        message: lacks('read'),
        extensions: { code: 'FORBIDDEN', retryable: false, requestId: expect.any(String) },
      }),
    ]);
  });

  it.each(QUERIES)('read: %s is permitted with it', async (_name, selection) => {
    const body = await send('read', `{ result: ${selection} }`);
    const codes = body.errors?.map(({ extensions }) => extensions?.['code']) ?? [];
    expect(codes.filter((code) => code !== 'VALIDATION_FAILED')).toEqual([]);
  });

  it('read: entities are refused without it', async () => {
    const entity =
      '_entities(representations: [{ __typename: "Reader", readerId: "r1" }]) { ... on Reader { readerId } }';
    const refused = await send('articles:write groups:write', `{ ${entity} }`);
    expect(refused.data ?? null).toBeNull();
    expect(refused.errors).toEqual([expect.objectContaining({ message: lacks('read'), path: ['_entities'] })]);
    expect(await send('read', `{ ${entity} }`)).toEqual({ data: { _entities: [{ readerId: 'r1' }] } });
  });

  it.each(Object.entries(MUTATIONS))('%s needs its own, and no other is enough', async (name, { scope }) => {
    const others = ['read', 'articles:write', 'groups:write'].filter((other) => other !== scope).join(' ');
    expect((await send(others, mutation(name))).data).toEqual({ result: forbidden(scope) });
    expect((await send(scope, mutation(name))).data).toEqual({
      result: { __typename: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Payload` },
    });
  });

  it.each(Object.entries(JOB_MUTATIONS))('%s needs the one for articles', async (name, { call, answer }) => {
    const document = `mutation { result: ${name}(${call}) { __typename ... on MutationError { message code } } }`;
    expect((await send('read groups:write', document)).data).toEqual({ result: forbidden('articles:write') });
    expect((await send('articles:write', document)).data).toMatchObject({ result: { __typename: answer } });
  });

  it.each([...Object.keys(MUTATIONS), ...Object.keys(PREVIEWS)])(
    '%s does not check the input without its own',
    async (name) => {
      const input = { bulkUpdateArticles: 'articles: []', changeReaderGroupMembers: 'groupId: ""' }[writeOf(name)];
      const args = input ?? 'groupId: "", title: "", accessScope: { level: PROJECT }';
      const body = await send(
        'read',
        `mutation { result: ${name}(input: { ${args} }) { ... on MutationError { code } } }`,
      );
      expect(body.data).toEqual({ result: { code: 'FORBIDDEN' } });
    },
  );

  it.each(Object.entries(MUTATIONS))('%s is read back for clients that may read', async (name, { scope, readBack }) => {
    const written = await send(scope, mutation(name, readBack));
    expect(written.data).toMatchObject({ result: { __typename: expect.stringMatching(/Payload$/u) } });
    expect(JSON.stringify(written.data)).toMatch(/"(?:article|readerGroup)":null/u);
    expect(written.errors?.map(({ extensions }) => extensions?.['code'])).toEqual(['FORBIDDEN']);
    const read = await send(`${scope} read`, mutation(name, readBack));
    expect(read.errors).toBeUndefined();
    expect(JSON.stringify(read.data)).toMatch(/"(?:article|readerGroup)":\{/u);
  });

  it.each(Object.keys(PREVIEWS))('%s needs the scope of the write, and read too', async (name) => {
    const scope = MUTATIONS[writeOf(name)]?.scope ?? '';
    expect((await send(scope, mutation(name))).data).toEqual({ result: forbidden('read') });
    expect((await send('read', mutation(name))).data).toEqual({ result: forbidden(scope) });
    const { data } = await send(`${scope} read`, mutation(name));
    expect(data).toMatchObject({ result: { __typename: expect.stringMatching(/Preview$/u) } });
  });
});
