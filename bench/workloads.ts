import {
  BULK_DOCUMENT,
  GROUP_DOCUMENT,
  HIVE_BULK_DOCUMENT,
  HIVE_GROUP_DOCUMENT,
  TYPENAME_DOCUMENT,
} from './documents.ts';
import type { Message } from './harness/message-reader.ts';
import { graphqlArticle, graphqlGroup, groupIdOf, restArticle, restGroup } from './inputs.ts';

/** How a subject is spoken to: our schema, the one Hive derives, or (floors) the service's REST calls themselves. */
export type Dialect = 'graphql' | 'hive' | 'rest';

export type Operation = 'bulk' | 'group' | 'typename';

export interface Workload {
  readonly name: string;
  readonly title: string;
  readonly operation: Operation;
  /** Items in each bulk update. */
  readonly items: number;
  readonly connections: number;
  /** How long the upstream takes to answer, in milliseconds. */
  readonly latencyMs: number;
  /** Settings of ours for this workload; the default ones otherwise. */
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

interface Asked {
  readonly dialect: Dialect;
  readonly operation: Operation;
  readonly items: number;
}

/** The whole HTTP request that one connection sends again and again. */
export function requestBytes(asked: Asked, connection: number): Buffer {
  const { method, path, body } = requestOf(asked, connection);
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

function requestOf(asked: Asked, connection: number) {
  if (asked.dialect !== 'rest') return { method: 'POST', path: '/graphql', body: graphqlBody(asked, connection) };
  if (asked.operation === 'group') {
    return { method: 'PUT', path: `/v2/Readers/groups/${groupIdOf(connection)}`, body: restGroup() };
  }
  return { method: 'PUT', path: '/v2/Articles/bulkupdate', body: itemsOf(asked, connection, restArticle) };
}

function graphqlBody(asked: Asked, connection: number) {
  const { operation, dialect } = asked;
  if (operation === 'typename') return { query: TYPENAME_DOCUMENT };
  if (dialect === 'hive') return hiveBody(asked, connection);
  if (operation === 'group') return { query: GROUP_DOCUMENT, variables: { input: graphqlGroup(connection) } };
  return { query: BULK_DOCUMENT, variables: { input: { articles: itemsOf(asked, connection, graphqlArticle) } } };
}

const hiveBody = (asked: Asked, connection: number) =>
  asked.operation === 'group'
    ? { query: HIVE_GROUP_DOCUMENT, variables: { groupId: groupIdOf(connection), input: restGroup() } }
    : { query: HIVE_BULK_DOCUMENT, variables: { input: itemsOf(asked, connection, restArticle) } };

const itemsOf = <Item>(asked: Asked, connection: number, item: (connection: number, index: number) => Item): Item[] =>
  Array.from({ length: asked.items }, (_, index) => item(connection, index));

/** What a right answer holds once for each item, or once. */
const MARKS: Record<Dialect, Record<Operation, string>> = {
  graphql: { bulk: '"ArticleUpdated"', group: '"UpdateReaderGroupPayload"', typename: '"Query"' },
  hive: { bulk: '"article_id"', group: '"success":true', typename: '"Query"' },
  rest: { bulk: '"article_id"', group: '"success":true', typename: '"Query"' },
};

/** Null where the answer is right; its status always counts, its outcomes where it is looked at whole. */
export function sayWhatIsWrong(answer: Message, { job, whole }: { job: Asked; whole: boolean }): string | null {
  const isOk = answer.startLine.startsWith('HTTP/1.1 200 ');
  if (isOk && !whole) return null;
  const body = answer.body.toString();
  const expected = job.operation === 'bulk' ? job.items : 1;
  const found = body.split(MARKS[job.dialect][job.operation]).length - 1;
  if (isOk && found === expected) return null;
  return `expected ${expected} outcomes, found ${found}: ${answer.startLine} ${body.slice(0, 300)}`;
}
