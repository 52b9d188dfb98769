import { isDeepStrictEqual } from 'node:util';
import {
  BULK_DOCUMENT,
  type Dialect,
  GROUP_DOCUMENT,
  HIVE_BULK_DOCUMENT,
  HIVE_GROUP_DOCUMENT,
  TYPENAME_DOCUMENT,
} from './documents.ts';
import { bytesOf } from './harness/http-request.ts';
import type { Message } from './harness/message-reader.ts';
import { graphqlArticle, graphqlGroup, groupIdOf, restArticle, restGroup } from './inputs.ts';
import type { ReadOperation } from './reads/documents.ts';
import { expectedData } from './reads/expected-data.ts';
import { expectedHiveData } from './reads/expected-hive-data.ts';
import { readBody } from './reads/requests.ts';

export type Operation = WriteOperation | ReadOperation | 'typename';

type WriteOperation = 'bulk' | 'group';

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
/** Every request reads from the service: no peer keeps what it has read. */
const read = { items: 0, latencyMs: 0, settings: { READ_CACHE_SECONDS: '0' } } as const;

export const WORKLOADS = {
  W1: { ...bulk, name: 'W1', title: 'one article, 50 clients', items: 1, connections: 50 },
  W2: { ...bulk, name: 'W2', title: '100 articles in a list, 20 clients', items: 100, connections: 20 },
  W3: {
    ...bulk,
    name: 'W3',
    title: '1,000 articles in one PUT, 8 clients',
    items: 1000,
    connections: 8,
    settings: { UPSTREAM_BULK_SIZE: '1000' },
  },
  W4: {
    ...bulk,
    name: 'W4',
    title: 'a reader group with 20 categories, 50 clients',
    operation: 'group',
    items: 0,
    connections: 50,
  },
  W5: {
    ...bulk,
    name: 'W5',
    title: '{ __typename }, 50 clients',
    operation: 'typename',
    items: 0,
    connections: 50,
  },
  W6: {
    ...bulk,
    name: 'W6',
    title: 'one article, the service takes 20 ms, 200 clients',
    items: 1,
    connections: 200,
    latencyMs: 20,
  },
  R1: {
    ...read,
    name: 'R1',
    title: '100 articles with category and project version, 20 clients',
    operation: 'read-articles',
    connections: 20,
  },
  R2: {
    ...read,
    name: 'R2',
    title: '20 groups with readers and the names in their scopes, 20 clients',
    operation: 'read-groups',
    connections: 20,
  },
  R3: { ...read, name: 'R3', title: 'one article by ID, 50 clients', operation: 'read-article', connections: 50 },
  R4: {
    ...read,
    name: 'R4',
    title: "a page's opening query, 50 clients",
    operation: 'read-opening',
    connections: 50,
  },
} as const satisfies Record<string, Workload>;

export type WorkloadName = keyof typeof WORKLOADS;

interface RequestShape {
  readonly dialect: Dialect;
  readonly operation: Operation;
  readonly items: number;
}

export const isRead = (operation: Operation): operation is ReadOperation => operation.startsWith('read-');

/** The complete HTTP request that one connection sends repeatedly. */
export const requestBytes = (shape: RequestShape, connection: number): Buffer =>
  bytesOf({ ...requestOf(shape, connection), token: 'bench' });

export function requestOf(shape: RequestShape, connection: number) {
  if (shape.dialect !== 'rest') return { method: 'POST', path: '/graphql', body: graphqlBody(shape, connection) };
  if (shape.operation === 'group') {
    return { method: 'PUT', path: `/v2/Readers/groups/${groupIdOf(connection)}`, body: restGroup() };
  }
  return { method: 'PUT', path: '/v2/Articles/bulkupdate', body: itemsOf(shape, connection, restArticle) };
}

function graphqlBody(shape: RequestShape, connection: number) {
  const { operation, dialect } = shape;
  if (isRead(operation)) return readBody({ dialect, operation }, connection);
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

type Marks = Record<Exclude<Operation, ReadOperation>, string>;

/** A text that a correct response contains once per item of a bulk update, else once. */
const EXPECTED_MARKS: Record<Dialect, Marks> = {
  graphql: { bulk: '"ArticleUpdated"', group: '"UpdateReaderGroupPayload"', typename: '"Query"' },
  hive: { bulk: '"article_id"', group: '"success":true', typename: '"Query"' },
  rest: { bulk: '"article_id"', group: '"success":true', typename: '"Query"' },
};

interface Check {
  readonly job: RequestShape;
  /** The number of the connection. */
  readonly connection: number;
  readonly whole: boolean;
}

/** Null when the response is correct. Checks the status always, the outcomes or the data only if `whole` is true. */
export function findProblem(response: Message, { job, connection, whole }: Check): string | null {
  const isOk = response.startLine.startsWith('HTTP/1.1 200 ');
  if (isOk && !whole) return null;
  const body = response.body.toString();
  const { operation } = job;
  const problem = isRead(operation)
    ? findDataProblem(body, { ...job, operation }, connection)
    : findOutcomeProblem(body, { ...job, operation });
  if (isOk && problem === null) return null;
  return `${problem ?? 'not OK'}: ${response.startLine} ${body.slice(0, 300)}`;
}

type ShapeOf<O extends Operation> = RequestShape & { readonly operation: O };

function findDataProblem(body: string, { dialect, operation }: ShapeOf<ReadOperation>, connection: number) {
  const expected = dialect === 'hive' ? expectedHiveData(operation, connection) : expectedData(operation, connection);
  return isDeepStrictEqual(JSON.parse(body), { data: expected }) ? null : 'the data is not the expected data';
}

function findOutcomeProblem(body: string, { dialect, operation, items }: ShapeOf<keyof Marks>): string | null {
  const expected = operation === 'bulk' ? items : 1;
  const found = body.split(EXPECTED_MARKS[dialect][operation]).length - 1;
  return found === expected ? null : `expected ${expected} outcomes, found ${found}`;
}
