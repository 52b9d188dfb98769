import {
  BULK_DOCUMENT,
  GROUP_DOCUMENT,
  HIVE_BULK_DOCUMENT,
  HIVE_GROUP_DOCUMENT,
  TYPENAME_DOCUMENT,
} from './documents.ts';
import type { Message } from './harness/message-reader.ts';
import { graphqlArticle, graphqlGroup, groupIdOf, restArticle, restGroup } from './inputs.ts';

/**
 * The requests of a target: by our schema, by the schema that Hive derives, or the service's REST calls (baselines).
 */
export type Dialect = 'graphql' | 'hive' | 'rest';

export type Operation = 'bulk' | 'group' | 'typename';

export interface Workload {
  readonly name: string;
  readonly title: string;
  readonly operation: Operation;
  /** Items in each bulk update. */
  readonly items: number;
  readonly connections: number;
  /** The response time of the upstream, in milliseconds. */
  readonly latencyMs: number;
  /** Settings of kb-gateway that differ from their defaults. */
  readonly settings: Readonly<Record<string, string>>;
}

const bulk = { operation: 'bulk', latencyMs: 0, settings: {} } as const;

export const WORKLOADS = {
  W1: { ...bulk, name: 'W1', title: '1 item, 50 connections', items: 1, connections: 50 },
  W2: { ...bulk, name: 'W2', title: '100 items, 20 connections', items: 100, connections: 20 },
  W3: {
    ...bulk,
    name: 'W3',
    title: '1,000 items in one PUT, 8 connections',
    items: 1000,
    connections: 8,
    settings: { UPSTREAM_BULK_SIZE: '1000' },
  },
  W4: {
    ...bulk,
    name: 'W4',
    title: 'reader group with 20 categories, 50 connections',
    operation: 'group',
    items: 0,
    connections: 50,
  },
  W5: {
    ...bulk,
    name: 'W5',
    title: '{ __typename }, 50 connections',
    operation: 'typename',
    items: 0,
    connections: 50,
  },
  W6: {
    ...bulk,
    name: 'W6',
    title: '1 item, upstream takes 20 ms, 200 connections',
    items: 1,
    connections: 200,
    latencyMs: 20,
  },
} as const satisfies Record<string, Workload>;

export type WorkloadName = keyof typeof WORKLOADS;

interface RequestShape {
  readonly dialect: Dialect;
  readonly operation: Operation;
  readonly items: number;
}

/** The complete HTTP request that one connection sends repeatedly. */
export function requestBytes(shape: RequestShape, connection: number): Buffer {
  const { method, path, body } = requestOf(shape, connection);
  const payload = Buffer.from(JSON.stringify(body));
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    'content-type: application/json',
    'api_token: bench',
    `content-length: ${payload.length}`,
    '\r\n',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head), payload]);
}

function requestOf(shape: RequestShape, connection: number) {
  if (shape.dialect !== 'rest') return { method: 'POST', path: '/graphql', body: graphqlBody(shape, connection) };
  if (shape.operation === 'group') {
    return { method: 'PUT', path: `/v2/Readers/groups/${groupIdOf(connection)}`, body: restGroup() };
  }
  return { method: 'PUT', path: '/v2/Articles/bulkupdate', body: itemsOf(shape, connection, restArticle) };
}

function graphqlBody(shape: RequestShape, connection: number) {
  const { operation, dialect } = shape;
  if (operation === 'typename') return { query: TYPENAME_DOCUMENT };
  if (dialect === 'hive') return hiveBody(shape, connection);
  if (operation === 'group') return { query: GROUP_DOCUMENT, variables: { input: graphqlGroup(connection) } };
  return { query: BULK_DOCUMENT, variables: { input: { articles: itemsOf(shape, connection, graphqlArticle) } } };
}

const hiveBody = (shape: RequestShape, connection: number) =>
  shape.operation === 'group'
    ? { query: HIVE_GROUP_DOCUMENT, variables: { groupId: groupIdOf(connection), input: restGroup() } }
    : { query: HIVE_BULK_DOCUMENT, variables: { input: itemsOf(shape, connection, restArticle) } };

const itemsOf = <Item>(
  shape: RequestShape,
  connection: number,
  item: (connection: number, index: number) => Item,
): Item[] => Array.from({ length: shape.items }, (_, index) => item(connection, index));

/** A text that a correct response contains once per item of a bulk update, else once. */
const EXPECTED_MARKS: Record<Dialect, Record<Operation, string>> = {
  graphql: { bulk: '"ArticleUpdated"', group: '"UpdateReaderGroupPayload"', typename: '"Query"' },
  hive: { bulk: '"article_id"', group: '"success":true', typename: '"Query"' },
  rest: { bulk: '"article_id"', group: '"success":true', typename: '"Query"' },
};

/** Null when the response is correct. Checks the status always, the outcomes only if `whole` is true. */
export function findProblem(response: Message, { job, whole }: { job: RequestShape; whole: boolean }): string | null {
  const isOk = response.startLine.startsWith('HTTP/1.1 200 ');
  if (isOk && !whole) return null;
  const body = response.body.toString();
  const expected = job.operation === 'bulk' ? job.items : 1;
  const found = body.split(EXPECTED_MARKS[job.dialect][job.operation]).length - 1;
  if (isOk && found === expected) return null;
  return `expected ${expected} outcomes, found ${found}: ${response.startLine} ${body.slice(0, 300)}`;
}
