import { BULK_DOCUMENT } from '../documents.ts';
import type { ExchangeJob, Marks } from '../harness/rpc.ts';
import { articleIdsOf, CATEGORIES_OF_GROUP, GROUPS, READERS_OF_GROUP, textsOf } from './content.ts';
import { mutationFieldsDocument, OUR_DOCUMENTS, POSTGRAPHILE_DOCUMENTS } from './documents.ts';

/** The requests of a target: by our schema, by PostGraphile's, or the input alone, for the handlers without GraphQL. */
export type StoreDialect = 'ours' | 'postgraphile' | 'postgraphile fields' | 'bare';

interface JsonRequest {
  readonly path: string;
  readonly body: unknown;
}

/** The request of a connection in a turn; undefined for a dialect without this workload. */
type RequestOf = (dialect: StoreDialect, connection: number, turn: number) => JsonRequest | undefined;

export interface StoreWorkload {
  readonly name: string;
  readonly title: string;
  readonly connections: number;
  readonly requestOf: RequestOf;
  readonly marks: Marks;
}

const graphql = (query: string, variables: object): JsonRequest => ({ path: '/graphql', body: { query, variables } });

function readOf(operation: 'articles' | 'groups' | 'article', inputOf: (connection: number) => object): RequestOf {
  return (dialect, connection) => {
    const input = inputOf(connection);
    if (dialect === 'bare') return { path: `/${operation}`, body: input };
    if (dialect === 'ours') return graphql(OUR_DOCUMENTS[operation], input);
    return dialect === 'postgraphile' ? graphql(POSTGRAPHILE_DOCUMENTS[operation], input) : undefined;
  };
}

const updateOf =
  (items: number): RequestOf =>
  (dialect, connection, turn) => {
    const changes = articleIdsOf(connection, items).map((articleId) => ({ articleId, ...textsOf(articleId, turn) }));
    if (dialect === 'bare') return { path: '/update', body: { articles: changes } };
    if (dialect === 'ours') return graphql(BULK_DOCUMENT, { input: { articles: changes } });
    if (dialect === 'postgraphile fields') return items > 1 ? mutationFields(changes) : undefined;
    return items > 1 ? graphql(POSTGRAPHILE_DOCUMENTS.bulkUpdate, { changes }) : singleUpdate(changes[0]);
  };

/** PostGraphile has no function that changes titles alone. */
const titlesOf =
  (items: number): RequestOf =>
  (dialect, connection, turn) => {
    const articles = articleIdsOf(connection, items).map((articleId) => ({
      articleId,
      title: textsOf(articleId, turn).title,
    }));
    if (dialect === 'bare') return { path: '/update', body: { articles } };
    return dialect === 'ours' ? graphql(BULK_DOCUMENT, { input: { articles } }) : undefined;
  };

interface Change {
  readonly articleId: string;
  readonly title: string;
  readonly content: string;
}

const singleUpdate = ({ articleId, ...patch }: Change = { articleId: '', title: '', content: '' }): JsonRequest =>
  graphql(POSTGRAPHILE_DOCUMENTS.update, { articleId, patch });

const mutationFields = (changes: readonly Change[]): JsonRequest =>
  graphql(
    mutationFieldsDocument(changes.length),
    Object.fromEntries(
      changes.flatMap(({ articleId, ...patch }, n) => [
        [`id${n}`, articleId],
        [`patch${n}`, patch],
      ]),
    ),
  );

const LISTED = 100;

export const STORE_WORKLOADS: readonly StoreWorkload[] = [
  {
    name: 'S1',
    title: '100 articles with category and project version, 16 clients',
    connections: 16,
    requestOf: readOf('articles', () => ({ first: LISTED })),
    marks: { '"name":"Category ': LISTED, '"name":"v1"': LISTED },
  },
  {
    name: 'S2',
    title: '20 groups with readers and names of scopes, 16 clients',
    connections: 16,
    requestOf: readOf('groups', () => ({ first: GROUPS })),
    marks: { '@example.com"': GROUPS * READERS_OF_GROUP, '"name":"Category ': GROUPS * CATEGORIES_OF_GROUP },
  },
  {
    name: 'S3',
    title: 'one article by ID, 50 clients',
    connections: 50,
    requestOf: readOf('article', (connection) => ({ articleId: articleIdsOf(connection, 1)[0] })),
    marks: { '"content":"': 1, '"articleId":"article-': 1 },
  },
  {
    name: 'S4',
    title: 'title and content of one article, 50 clients',
    connections: 50,
    requestOf: updateOf(1),
    marks: { '"articleId":"article-': 1 },
  },
  {
    name: 'S5',
    title: 'titles and contents of 100 articles, 8 clients',
    connections: 8,
    requestOf: updateOf(100),
    marks: { '"articleId":"article-': 100 },
  },
  {
    name: 'S6',
    title: 'titles of 10,000 articles, one client',
    connections: 1,
    requestOf: titlesOf(10_000),
    marks: { '"articleId":"article-': 10_000 },
  },
];

/** The number of requests that a connection sends in turn. */
const TURNS = 2;

/** What the load generator sends; null when the dialect has no requests for this workload. */
export function exchangeOf(
  { connections, requestOf, marks }: StoreWorkload,
  dialect: StoreDialect,
): Pick<ExchangeJob, 'connections' | 'marks'> | null {
  const requests = Array.from({ length: connections }, (_, connection) =>
    Array.from({ length: TURNS }, (_turn, turn) => requestOf(dialect, connection, turn))
      .filter(isGiven)
      .map(httpRequest),
  );
  return requests.every(({ length }) => length > 0) ? { connections: requests, marks } : null;
}

const isGiven = (request: JsonRequest | undefined): request is JsonRequest => request !== undefined;

function httpRequest({ path, body }: JsonRequest): string {
  const payload = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    'content-type: application/json',
    'api_token: bench',
    `content-length: ${Buffer.byteLength(payload)}`,
  ];
  return [...head, '', payload].join('\r\n');
}
