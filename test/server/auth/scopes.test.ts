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
import { fieldScopesOf, scopesPage } from '../../../scripts/reference/scopes-page.ts';
import { createSchema, createSubgraph } from '../../../src/graphql/schema/schema.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { bearer, type JwtIssuer, openJwtIssuer } from '../../support/jwt-issuer.ts';
import { ALL_WRITES, JOB_MUTATIONS, mutationOf, previewOf } from '../../support/writes.ts';
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

  const sendInput = async (scope: string, document: string, input: object) =>
    (await gateway.send(document, { input }, bearer(await issuer.sign({ scope })))).body;

  const lacks = (scope: string) => `This needs the scope ${scope}, which the caller does not have.`;
  const forbidden = (scope: string) => ({
    result: expect.objectContaining({ __typename: 'AuthenticationError', message: lacks(scope), code: 'FORBIDDEN' }),
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

  it('are told to the caller, without those that mean nothing here', async () => {
    const { data } = await send('groups:write read another', '{ caller { scopes } }');
    expect(data).toEqual({ caller: { scopes: ['read', 'groups:write'] } });
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

  it.each(ALL_WRITES)('$name needs its own, and no other is enough', async (write) => {
    const { name, scope, inputs } = write;
    const others = ['read', 'articles:write', 'articles:publish', 'groups:write']
      .filter((other) => other !== scope)
      .join(' ');
    expect((await sendInput(others, mutationOf(write), inputs[0])).data).toEqual(forbidden(scope));
    expect((await sendInput(scope, mutationOf(write), inputs[0])).data).toMatchObject({
      result: { __typename: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Payload` },
    });
  });

  it.each(Object.entries(JOB_MUTATIONS))('%s needs the one for articles', async (name, { call, answer }) => {
    const document = `mutation { result: ${name}(${call}) { __typename ... on MutationError { message code } } }`;
    expect((await send('read groups:write', document)).data).toEqual(forbidden('articles:write'));
    const scopes = name.startsWith('preview') ? 'read articles:write' : 'articles:write';
    expect((await send(scopes, document)).data).toMatchObject({ result: { __typename: answer } });
  });

  it('a job that publishes needs those for articles and for publishing, each time that it is submitted', async () => {
    const document = `mutation ($input: SubmitArticleUpdateJobInput!) {
      result: submitArticleUpdateJob(idempotencyKey: "publish", input: $input) {
        __typename ... on SubmitArticleUpdateJobPayload { replayed } ... on MutationError { message code }
      }
    }`;
    const input = { articles: [{ articleId: 'a1', title: 'One' }], publish: true, userId: 'embedded-store' };
    const submit = async (scopes: string) => (await sendInput(scopes, document, input)).data;
    for (const replayed of [false, true]) {
      expect(await submit('read articles:write groups:write')).toEqual(forbidden('articles:publish'));
      expect(await submit('articles:publish')).toEqual(forbidden('articles:write'));
      expect(await submit('articles:write articles:publish')).toMatchObject({ result: { replayed } });
    }
  });

  it.each(ALL_WRITES)('$name and its preview do not check the input without its own', async (write) => {
    for (const document of [mutationOf(write), previewOf(write)])
      expect((await sendInput('read', document, write.invalidInput)).data).toEqual(forbidden(write.scope));
  });

  it.each(ALL_WRITES)('$name is read back for clients that may read', async (write) => {
    const { scope, inputs } = write;
    const written = await sendInput(scope, mutationOf(write), inputs[0]);
    expect(written.data).toMatchObject({ result: { __typename: expect.stringMatching(/Payload$/u) } });
    expect(JSON.stringify(written.data)).toMatch(/"(?:article|category|readerGroup)":null/u);
    expect(written.errors?.map(({ extensions }) => extensions?.['code'])).toEqual(['FORBIDDEN']);
    const read = await sendInput(`${scope} read`, mutationOf(write), inputs[0]);
    expect(read.errors).toBeUndefined();
    expect(JSON.stringify(read.data)).toMatch(/"(?:article|category|readerGroup)":\{/u);
  });

  it.each(ALL_WRITES)('the preview of $name needs the scope of the write, and read too', async (write) => {
    const { scope, inputs } = write;
    const sendPreview = async (scopes: string) => (await sendInput(scopes, previewOf(write), inputs[0])).data;
    expect(await sendPreview(scope)).toEqual(forbidden('read'));
    expect(await sendPreview('read')).toEqual(forbidden(scope));
    expect(await sendPreview(`${scope} read`)).toMatchObject({
      result: { __typename: expect.stringMatching(/Preview$/u) },
    });
  });
});

describe('the page of scopes', () => {
  it('has every field of Query and Mutation, and those that payloads read back', async () => {
    const subgraph = createSubgraph();
    const roots = [subgraph.getQueryType(), subgraph.getMutationType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}).map((name) => `${type?.name}.${name}`),
    );
    const found = new Map((await fieldScopesOf(subgraph)).map(({ field, scopes }) => [field, [...scopes]]));
    // The SDL of the subgraph is for routers, which have no JWT.
    expect(roots.filter((field) => !found.has(field))).toEqual(['Query._service']);
    expect(found.get('ArticleUpdated.article')).toEqual(['read']);
    for (const { name, scope } of ALL_WRITES) {
      const preview = `preview${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
      expect([found.get(`Mutation.${name}`), found.get(`Mutation.${preview}`)]).toEqual([[scope], [scope, 'read']]);
    }
  });

  it('is made from the resolvers, so that a field that asks for another scope changes it', async () => {
    const subgraph = createSubgraph();
    const before = await scopesPage(subgraph);
    const field = subgraph.getMutationType()?.getFields()['bulkUpdateArticles'];
    const asking = subgraph.getMutationType()?.getFields()['updateReaderGroup'];
    if (field === undefined || asking?.resolve === undefined) throw new Error('There are no such mutations.');
    field.resolve = asking.resolve;
    expect(await scopesPage(subgraph)).not.toBe(before);
  });
});
