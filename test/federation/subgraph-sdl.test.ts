import { readFileSync } from 'node:fs';
import { buildSubgraphSchema, printSubgraphSchema } from '@apollo/subgraph';
import { buildSchema, isObjectType, isScalarType, isUnionType, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSubgraph } from '../../src/graphql/schema/schema.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { runGateway } from '../support/process.ts';

const SERVICE = '{ _service { sdl } }';

/** The library of Apollo refuses `@oneOf`, even where it is defined. */
const withoutOneOf = (sdl: string): string => sdl.replaceAll(/^directive @oneOf .*$| @oneOf\b/gmu, '');

describe('the SDL of the subgraph', () => {
  let gateway: Gateway;
  let sdl: string;
  beforeAll(async () => {
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    sdl = await (await fetch(`${gateway.url}/schema.graphql?federation`)).text();
  });
  afterAll(() => gateway.close());

  it('has the two keys of each entity, and shares the positions of pages', () => {
    const directives = [...sdl.matchAll(/^type (?<name>\w+)(?: implements Node)? (?<directives>@.*) \{$/gmu)];
    expect(directives.map(({ groups }) => [groups?.['name'], groups?.['directives']])).toEqual([
      ['Article', '@key(fields: "id") @key(fields: "articleId languageCode")'],
      ['Category', '@key(fields: "id") @key(fields: "categoryId languageCode")'],
      ['PageInfo', '@shareable'],
      ['ProjectVersion', '@key(fields: "id") @key(fields: "projectVersionId")'],
      ['Reader', '@key(fields: "id") @key(fields: "readerId")'],
      ['ReaderGroup', '@key(fields: "id") @key(fields: "groupId")'],
    ]);
  });

  it('lacks only `node` and `nodes` of what the schema of clients has', () => {
    const stripped = sdl.replaceAll(/^directive .*$| @(?:key|link|shareable)\([^)]*\)| @shareable/gmu, '');
    const [subgraph, clients] = [buildSchema(stripped), buildSchema(readFileSync('schema.graphql', 'utf8'))];
    expect(Object.keys(subgraph.getTypeMap()).sort()).toEqual(Object.keys(clients.getTypeMap()).sort());
    for (const type of Object.values(clients.getTypeMap())) {
      const own = subgraph.getType(type.name);
      if (!isObjectType(type) || !isObjectType(own)) continue;
      const missing = Object.keys(type.getFields()).filter((name) => !(name in own.getFields()));
      expect(missing, type.name).toEqual(type.name === 'Query' ? ['node', 'nodes'] : []);
    }
  });

  it('is read by the subgraph library of Apollo as it is meant', () => {
    const read = printSubgraphSchema(buildSubgraphSchema(parse(withoutOneOf(sdl))));
    expect(read).toMatch(
      /^type Article implements Node\s+@key\(fields: "id"\)\s+@key\(fields: "articleId languageCode"\)$/mu,
    );
    expect(read).toMatch(/^type PageInfo\s+@shareable$/mu);
  });

  it('is the same from the command, and from `_service`, which needs no token', { tags: 'long' }, async () => {
    const printed = await runGateway(['print-schema', '--federation'], { cwd: '.' });
    expect(printed).toEqual({ code: 0, stdout: sdl, stderr: '' });
    expect((await gateway.send(SERVICE, {}, {})).body).toEqual({ data: { _service: { sdl } } });
  });

  it.each([
    [['serve', '--federation'], '--federation is no option of serve.'],
    [['print-schema', '--federation', '--port', '0'], '--port is no option of print-schema.'],
  ])('is printed by one command only: %s', { tags: 'long' }, async (args, problem) => {
    expect(await runGateway(args, { cwd: '.' })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(problem),
    });
  });

  it('has fields for routers that are those of the library of Apollo', () => {
    const own = createSubgraph();
    const library = buildSubgraphSchema(parse(withoutOneOf(sdl)));
    for (const name of ['_entities', '_service']) {
      const [field, other] = [own, library].map((schema) => schema.getQueryType()?.getFields()[name]);
      expect([`${field?.type}`, field?.args.map((arg) => `${arg.name}: ${arg.type}`)]).toEqual([
        `${other?.type}`,
        other?.args.map((arg) => `${arg.name}: ${arg.type}`),
      ]);
    }
    const [entity, otherEntity] = [own, library].map((schema) => schema.getType('_Entity'));
    if (!isUnionType(entity) || !isUnionType(otherEntity)) throw new Error('_Entity is no union.');
    expect(entity.getTypes().map(String).sort()).toEqual(otherEntity.getTypes().map(String).sort());
    expect(isScalarType(own.getType('_Any'))).toBe(true);
  });

  it('leaves the schema of clients and their possible types as they are', async () => {
    const fetchText = async (path: string) => (await fetch(`${gateway.url}${path}`)).text();
    expect(await fetchText('/schema.graphql')).toBe(readFileSync('schema.graphql', 'utf8'));
    expect(await fetchText('/schema.graphql?other=federation')).toBe(readFileSync('schema.graphql', 'utf8'));
    expect(await fetchText('/possible-types.json')).toBe(readFileSync('possible-types.json', 'utf8'));
  });
});

describe('the SDL of a subgraph without introspection', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const options = { local: true, token: TOKEN, introspection: false };
    gateway = await startGateway({ ...options, backend: await openFixtureStore() });
  });
  afterAll(() => gateway.close());

  it.each([
    SERVICE,
    '{ a: _service { __typename } }',
    'query { ...All } fragment All on Query { ... { _service { sdl } } }',
  ])('is refused, whatever selects it: %s', async (query) => {
    const { body } = await gateway.send(query);
    expect(body.data ?? null).toBeNull();
    expect(body.errors?.[0]?.message).toMatch(/introspection has been disabled, .* "_service"/u);
  });

  it('is not found as a file', async () => {
    expect((await fetch(`${gateway.url}/schema.graphql?federation`)).status).toBe(404);
  });

  it('is not there for callers who may send trusted documents only', async () => {
    const options = { local: true, token: TOKEN, trustedOnly: true };
    const strict = await startGateway({ ...options, backend: await openFixtureStore() });
    const { body } = await strict.send(SERVICE);
    await strict.close();
    expect(body.data ?? null).toBeNull();
    expect(body.errors?.[0]?.message).toMatch(/trusted|persisted/iu);
  });

  it('does not keep routers from entities', async () => {
    const query =
      '{ _entities(representations: [{ __typename: "Reader", readerId: "r1" }]) { ... on Reader { readerId } } }';
    expect((await gateway.send(query)).body).toEqual({ data: { _entities: [{ readerId: 'r1' }] } });
  });
});
