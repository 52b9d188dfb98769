import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { encodeGlobalId } from '../../src/graphql/schema/nodes.ts';
import { good } from '../faults/good-service.ts';
import { openGateway } from '../faults/run.ts';
import { type FaultyService, openFaultyService } from '../support/faulty-service.ts';
import type { Gateway, GraphQLAnswer } from '../support/gateway.ts';

/** Bodies that proxies, firewalls and sign-in pages send in the service's place, with their media types. */
type Body = readonly [text: string, mediaType: string];

const BODIES: readonly Body[] = [
  ['', ''],
  ['', 'text/html'],
  ['<html><h1>Article not found</h1></html>', 'text/html; charset=utf-8'],
  ['<html>Bad Request</html>', 'application/json'],
  ['<html>Sign in</html>', ''],
  ['Article not found', 'text/plain'],
  ['{"message":"Article not found"}', 'application/json'],
  ['{"error":"not_found","message":"no Route matched with those values"}', 'application/json'],
  ['{"success":false,"message":"The reader group Id does not exist."}', 'application/json'],
  [
    '{"success":false,"errors":[{"code":1020,"message":"Access denied"}],"messages":[],"result":null}',
    'application/json',
  ],
  [
    '{"type":"about:blank","title":"Bad Request","status":400,"errors":{"id":["not found"]}}',
    'application/problem+json',
  ],
  ['{"errors":[{"status":"404","title":"Article not found"}]}', 'application/vnd.api+json'],
  ['{"errors":["Article not found"]}', 'application/json'],
  ['{"errors":"Article not found"}', 'application/json'],
  ['{"data":null}', 'text/plain'],
  ['{"result":"error"}', 'application/json'],
  ['{}', 'application/json'],
  ['[]', 'application/json'],
  ['null', 'application/json'],
  ['"Article not found"', 'application/json'],
  ['{"success":false,"errors":[{"description":"Article not', 'application/json'],
];

const REDIRECTS = [302, 303, 304];
const REFUSALS = [400, 401, 403, 404, 405, 407, 409, 413, 418, 422, 429, 431];
const FAILURES = [500, 502, 503];
const STATUSES = [200, 206, ...REDIRECTS, ...REFUSALS, ...FAILURES];

const READS = `query ($representations: [_Any!]!, $node: ID!) {
  article(articleId: "a1", languageCode: "en") { title }
  pinned: article(articleId: "a1", languageCode: "en", versionNumber: 2) { title }
  node(id: $node) { id }
  readerGroup(groupId: "g1") { title }
  articles(projectVersionId: "v1", languageCode: "en") { nodes { title } }
  found: articles(projectVersionId: "v1", languageCode: "en", filter: { text: "a" }) { nodes { title } }
  categories(projectVersionId: "v1", languageCode: "en") { name }
  articleBySlug(slug: "s", projectVersionId: "v1", languageCode: "en") { title }
  projectVersions { name }
  readers { nodes { email } }
  readerGroups { nodes { title } }
  _entities(representations: $representations) { __typename ... on Article { title } }
}`;

const READ_VARIABLES = {
  node: encodeGlobalId('Article', ['a2', 'en']),
  representations: [{ __typename: 'Article', id: encodeGlobalId('Article', ['a3', 'en']) }],
};

const GROUP = { groupId: 'g1', title: 'New', description: null, accessScope: { level: 'NONE' } };
const items = (...ids: readonly string[]) => ids.map((articleId) => ({ articleId, languageCode: 'en', title: 'New' }));
const targets = [{ articleId: 'a1', languageCode: 'en' }];

const RESULTS = '{ __typename ... on ArticleUpdateNotAttempted { reason } }';

/** Each is one mutation whose writes get the foreign answer. */
const WRITES: Readonly<Record<string, readonly [string, object]>> = {
  bulkUpdateArticles: [
    `mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename ... on BulkUpdateArticlesPayload { results ${RESULTS} } } }`,
    { articles: items('a1', 'a2') },
  ],
  createArticles: [
    'mutation ($input: CreateArticlesInput!) { createArticles(input: $input) { __typename ... on CreateArticlesPayload { results { __typename } } } }',
    { articles: [{ title: 'New', projectVersionId: 'pv1', categoryId: 'c1' }], userId: 'u1' },
  ],
  publishArticles: [
    `mutation ($input: PublishArticlesInput!) { publishArticles(input: $input) { __typename ... on PublishArticlesPayload { results ${RESULTS} } } }`,
    { articles: targets, userId: 'u1' },
  ],
  updateReaderGroup: [
    'mutation ($input: UpdateReaderGroupInput!) { updateReaderGroup(input: $input) { __typename } }',
    { ...GROUP, readerIds: [], invitedSsoUserIds: [] },
  ],
  changeReaderGroupMembers: [
    'mutation ($input: ChangeReaderGroupMembersInput!) { changeReaderGroupMembers(input: $input) { __typename } }',
    { groupId: 'g1', addReaderIds: ['r1'] },
  ],
};

/** The statuses by which a proxy says that it has passed nothing on. */
const isUnpassed = (status: number): boolean =>
  (status >= 300 && status < 400 && status !== 303) || [401, 403, 404, 405, 407, 413, 414, 431].includes(status);

/** What may be told of a write with this answer. */
function truthsOf(status: number, [body, type]: Body): readonly string[] {
  const isEmpty = body === '';
  if (status === 401 && (isEmpty || type === 'text/plain')) return ['AuthenticationError', 'ServiceUnavailableError'];
  if (status === 403 && isEmpty) return ['AuthenticationError'];
  if (status === 429) return ['RateLimitedError'];
  if (isUnpassed(status)) return ['ServiceUnavailableError'];
  return ['unknown'];
}

interface Scene {
  readonly service: FaultyService;
  readonly gateway: Gateway;
}

/** A new pair for each status, so that no failure of one keeps calls of another back. */
async function open(): Promise<Scene> {
  const service = await openFaultyService();
  const gateway = await openGateway(service.url);
  onTestFinished(async () => {
    await Promise.all([gateway.close(), service.close()]);
  });
  return { service, gateway };
}

const answerWith =
  (status: number, [body, type]: readonly [string, string]) =>
  (response: ServerResponse) => {
    response.writeHead(status, { ...(type && { 'content-type': type }), server: 'a-proxy' });
    response.end(status === 304 ? undefined : body);
  };

interface MutationResult {
  readonly __typename: string;
  readonly results?: readonly { readonly __typename: string }[];
}

const isResult = (value: unknown): value is MutationResult =>
  typeof value === 'object' && value !== null && '__typename' in value;

function wordOf(result: unknown): string {
  if (!isResult(result)) return 'no result';
  const { __typename: name, results } = result;
  if (results === undefined) return name === 'OutcomeUnknownError' ? 'unknown' : name;
  const kinds = new Set(results.map((one) => one.__typename.replace(/^Article(?:Update|Create)/u, '').toLowerCase()));
  return [...kinds].join(' and ');
}

/** The fields that are told as missing, or empty, without an error that has a code. */
function untoldNulls({ data, errors = [] }: GraphQLAnswer['body']): readonly string[] {
  const told = errors.filter(({ extensions }) => typeof extensions?.['code'] === 'string').map(({ path }) => path);
  return Object.entries(data ?? {}).flatMap(([name, value]) => {
    const isTold = told.some((path) => Array.isArray(path) && path[0] === name);
    const isNothing = value === null || (Array.isArray(value) && value.every((one) => one === null));
    return isTold && isNothing ? [] : [`${name} is ${JSON.stringify(value)}`];
  });
}

async function findReadLies(status: number): Promise<readonly string[]> {
  const { service, gateway } = await open();
  const lies: string[] = [];
  for (const [index, body] of BODIES.entries()) {
    service.onAny(answerWith(status, body));
    const { body: answer } = await gateway.send(READS, READ_VARIABLES, { api_token: `token-${index}` });
    for (const lie of untoldNulls(answer)) lies.push(`${JSON.stringify(body)}: ${lie}`);
  }
  return lies;
}

async function findWriteLies(status: number): Promise<readonly string[]> {
  const { service, gateway } = await open();
  const lies: string[] = [];
  for (const [index, body] of BODIES.entries()) {
    const faulty = answerWith(status, body);
    service.onAny((response, request) => (request.method === 'GET' ? good()(response, request) : faulty(response)));
    for (const [name, [document, input]] of Object.entries(WRITES)) {
      // A create that ended unknown is looked for during seven seconds.
      if (name === 'createArticles' && index % 7 !== 0) continue;
      const api_token = `${name}-${index}`;
      await gateway.send('{ projectVersions { name } }', {}, { api_token });
      const { body: answer } = await gateway.send(document, { input }, { api_token });
      const word = wordOf(answer.data?.[name]);
      if (!truthsOf(status, body).includes(word)) lies.push(`${JSON.stringify(body)}: ${name} is ${word}`);
    }
  }
  return lies;
}

describe.each(STATUSES)("an answer with %i that is not the service's", (status) => {
  it('makes no read null without an error, and no list empty', async () => {
    expect(await findReadLies(status)).toEqual([]);
  });

  it('ends no write as done or refused', async () => {
    expect(await findWriteLies(status)).toEqual([]);
  });
});
