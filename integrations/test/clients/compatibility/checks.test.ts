import { readFileSync } from 'node:fs';
import { ApolloClient, HttpLink, InMemoryCache, setLogVerbosity } from '@apollo/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DemoGateway, startDemoGateway } from '../../../../test/clients/demo-gateway.ts';
import { operationsOf } from '../../../../test/clients/documents.ts';
import { runWithApollo } from '../apollo/run-with-apollo.ts';
import type { ClientAnswer, TestClient } from '../client-suite.ts';
import { compatibilityPage } from './page.ts';
import { failuresOf } from './run-library.ts';
import { sendPlainly } from './session.ts';

const operationOf = operationsOf(readFileSync('integrations/test/clients/compatibility/documents.graphql', 'utf8'));

type Variables = Readonly<Record<string, unknown>>;

describe('the checks of compatibility', () => {
  let gateway: DemoGateway;
  beforeEach(async () => {
    gateway = await startDemoGateway();
  });
  afterEach(() => gateway.close());

  const failing = async (client: TestClient) => [
    ...(await failuresOf({ client, target: gateway.target, operationOf })).keys(),
  ];

  const send = (name: string, variables: Variables = {}): Promise<ClientAnswer> =>
    sendPlainly({ target: gateway.target, operationOf }, name, variables);

  it('pass by plain requests', async () => {
    expect(await failing({ run: send })).toEqual([]);
  });

  it('find a cache that does not know the types of an interface', { tags: 'long' }, async () => {
    setLogVerbosity('silent');
    const { url, token } = gateway.target;
    const link = new HttpLink({ uri: url, headers: { 'x-api-token': token } });
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const run = (name: string, variables?: Variables) =>
      runWithApollo(client, { document: operationOf(name), variables });
    expect(await failing({ run })).toEqual(['error']);
    setLogVerbosity('log');
  });

  it('find a client that drops the data beside an error', { tags: 'long' }, async () => {
    const run = async (name: string, variables?: Variables) => {
      const answer = await send(name, variables);
      return answer.errors.length === 0 ? answer : { ...answer, data: null };
    };
    expect(await failing({ run })).toEqual(['data beside an error']);
  });

  it('find a client that hides errors, and one that returns too much', { tags: 'long' }, async () => {
    const silent = async (name: string, variables?: Variables) => ({ ...(await send(name, variables)), errors: [] });
    expect(await failing({ run: silent })).toEqual(['data beside an error', 'contradicting scope']);
    const greedy = (name: string, variables: Variables = {}) =>
      send(name, name === 'GroupPage' ? { ...variables, first: 4 } : variables);
    expect(await failing({ run: greedy })).toEqual(['pages']);
  });

  it('find a client that reads the first page again and again', { tags: 'long' }, async () => {
    const run = (name: string, variables: Variables = {}) => send(name, { ...variables, after: null });
    expect(await failing({ run })).toEqual(['pages']);
  });

  it('find a client that changes a contradicting scope, and one that sends none', { tags: 'long' }, async () => {
    const first = (scope: object) => Object.fromEntries(Object.entries(scope).slice(0, 1));
    const edited = (edit: (scope: object) => object | undefined): TestClient => ({
      run: (name, variables = {}) =>
        send(
          name,
          JSON.parse(JSON.stringify(variables), (key, value) => (key === 'accessScope' ? edit(value) : value)),
        ),
    });
    expect(await failing(edited(first))).toEqual(['contradicting scope']);
    expect(await failing(edited(() => undefined))).toEqual(['access scope', 'contradicting scope']);
  });
});

describe('the page of compatibility', () => {
  it('shows a check that failed, in one line', () => {
    const failures = new Map([['pages', 'a | b\nc']]);
    const page = compatibilityPage([{ name: 'A client', setup: 'none', versions: ['a 1.0.0'], failures, types: null }]);
    expect(page).toContain('| A client | a 1.0.0 | none | **pages**: a \\| b |');
  });
});
