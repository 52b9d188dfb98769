import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { list, times } from '../../support/repeat.ts';
import type { Answer } from '../measure/request.ts';
import { type Attack, byRequest, graphql, MB } from './attack.ts';

/* Requests that have blocked the event loop. */

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

const brackets = () => base64url('['.repeat(7 * MB));

/** Few enough fields for the calls that one query may cost. */
const CURSORS = `query ($after: String) { ${times(20, (n) => `a${n}: readerGroups(first: 1, after: $after) { totalCount }`)} }`;

const SUGGESTION = ' Did you mean ';

const invalidEnumValue = (token: 'none' | 'made up') =>
  byRequest({
    name: `a variable of 1 MB of "${SUGGESTION}", schema closed, token ${token}`,
    target: 'closed',
    token,
    query: 'mutation ($input: UpdateReaderGroupInput!) { updateReaderGroup(input: $input) { __typename } }',
    variables: () => ({
      input: { groupId: 'g', title: 'x', accessScope: { level: SUGGESTION.repeat(MB / SUGGESTION.length) } },
    }),
  });

const SCOPE = 'accessScope { ... on CategoryAccessScope { categories { categoryId } } }';

const DEEP_SCOPE =
  'accessScope { ... on CategoryAccessScope { categories { projectVersion { id languages { code name } } } } }';

/** Sends pipelined requests until the gateway ends the connection, without a response to any of them. */
async function sendPipelined(origin: string, requests: string): Promise<readonly Answer[]> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).on('error', () => {});
  socket.resume().write(requests);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await Promise.race([closed, sleep(5_000, undefined, { ref: false })]);
  socket.destroy();
  return [];
}

const MARKS: Readonly<Record<string, string>> = {
  'marks of two classes': '\u0300\u0323',
  'characters of two marks each': '\u0F73\u0F75',
  'half-width marks and others': '\uFF9E\u0591',
  'one character that becomes 18': '\uFDFA',
};

const BULK = 'mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }';

/** Any article of the target, with texts of 200,000 characters. */
const writeOf = (what: string, pattern: string): Attack => ({
  name: `a title and a content of ${what}`,
  target: 'store',
  token: 'known',
  run: async ({ send }) => {
    const { text } = await send(graphql('known', '{ articles(first: 1) { nodes { articleId } } }'));
    const [, articleId = 'none'] = /"articleId":"([^"]+)"/u.exec(text) ?? [];
    const title = pattern.repeat(200_000 / pattern.length);
    return [await send(graphql('known', BULK, { input: { articles: [{ articleId, title, content: title }] } }))];
  },
});

const CATEGORY = (inner: string): string => `articles(first: 20) { nodes { category { ${inner} } } }`;

const nest = (rounds: number, links: readonly string[], inner: string): string =>
  list(rounds, () => links)
    .flat()
    .reduceRight((within, link) => `${link} { ${within} }`, inner);

/** A level that waited as a whole took 200 MB and more. */
const MAX_CYCLE_MB = 150;

/** Links that lead back to where they come from. They exceed the budget, or nearly. */
const CYCLES: Readonly<Record<string, string>> = {
  'parents of children': `{ ${CATEGORY(nest(6, ['parent', 'children'], 'name'))} }`,
  'parents of children under six aliases': `{ ${times(6, (n) => `a${n}: ${CATEGORY(nest(6, ['parent', 'children'], 'name'))}`)} }`,
  'parents of children under 30 aliases': `{ ${CATEGORY(times(30, (n) => `a${n}: ${nest(2, ['parent', 'children'], 'name')}`))} }`,
  'parents of children in fragments': `{ ${CATEGORY('...F0')} } ${times(5, (n) => `fragment F${n} on Category { parent { children { ...F${n + 1} } } }`)} fragment F5 on Category { name }`,
  'articles of categories of articles': `{ ${nest(5, ['articles(first: 100)', 'nodes', 'category'], 'name')} }`,
  'readers of groups of readers': `{ readerGroups(first: 100) { nodes { ${nest(3, ['readers(first: 100)', 'nodes', 'groups(first: 100)', 'nodes'], 'title')} } } }`,
};

export const STALLS: readonly Attack[] = [
  ...Object.entries(MARKS).map(([what, pattern]) => writeOf(what, pattern)),
  ...Object.entries(MARKS).map(([what, pattern]) =>
    byRequest({
      name: `50 searches for ${what}`,
      target: 'store',
      token: 'known',
      query: `query ($text: String) { ${times(50, (n) => `a${n}: articles(first: 1, filter: { text: $text }) { totalCount }`)} }`,
      variables: () => ({ text: pattern.repeat(100) }),
    }),
  ),
  ...(['store', 'service'] as const).flatMap((target) =>
    Object.entries(CYCLES).map(([what, query]) => ({
      ...byRequest({ name: `${what}, ${target}`, target, token: 'known', query }),
      maxGrowthMb: MAX_CYCLE_MB,
    })),
  ),
  invalidEnumValue('none'),
  invalidEnumValue('made up'),
  byRequest({
    name: `a name of a member of 1 MB of "${SUGGESTION}", schema closed`,
    target: 'closed',
    token: 'none',
    query: 'mutation ($input: UpdateReaderGroupInput!) { updateReaderGroup(input: $input) { __typename } }',
    variables: () => ({ input: { [SUGGESTION.repeat(MB / SUGGESTION.length)]: 1 } }),
  }),
  ...(['made up', 'known'] as const).flatMap((token) => [
    byRequest({
      name: `7 MB of brackets as a global ID, 20 times, token ${token}`,
      target: 'store',
      token,
      query: `query ($id: ID!) { ${times(20, (n) => `a${n}: node(id: $id) { id }`)} }`,
      variables: () => ({ id: brackets() }),
    }),
    ...(['store', 'service'] as const).map((target) =>
      byRequest({
        name: `7 MB of brackets as a cursor, 20 times, ${target}, token ${token}`,
        target,
        token,
        query: CURSORS,
        variables: () => ({ after: brackets() }),
      }),
    ),
  ]),
  byRequest({
    name: '7 MB of digits as a cursor, 20 times',
    target: 'service',
    token: 'known',
    query: CURSORS,
    variables: () => ({ after: base64url(`1:${'é'.repeat(3 * MB)}`) }),
  }),
  byRequest({
    name: 'a group title of 9.8 MB of !, sent to 50 root fields',
    target: 'service',
    token: 'known',
    query: `mutation ($input: UpdateReaderGroupInput!) { ${times(50, (n) => `a${n}: updateReaderGroup(input: $input) { __typename }`)} }`,
    variables: () => ({ input: { groupId: 'g0', title: '!'.repeat(9.8 * MB), accessScope: { level: 'NONE' } } }),
  }),
  byRequest({
    name: 'a group title of 9.8 MB of !, sent without an accepted token',
    target: 'service',
    token: 'made up',
    query: `mutation ($input: UpdateReaderGroupInput!) { ${times(50, (n) => `a${n}: updateReaderGroup(input: $input) { __typename }`)} }`,
    variables: () => ({ input: { groupId: 'g0', title: '!'.repeat(9.8 * MB), accessScope: { level: 'NONE' } } }),
  }),
  byRequest({
    name: 'a group title of 9.8 MB of !, read by 50 root fields',
    target: 'service',
    token: 'known',
    query: `{ ${times(50, (n) => `a${n}: readerGroup(groupId: "title") { title }`)} }`,
  }),
  ...(['store', 'service'] as const).map((target) =>
    byRequest({
      name: `a scope of 50,000 entries read 50 times, ${target}`,
      target,
      token: 'known',
      query: `{ ${times(50, (n) => `a${n}: readerGroup(groupId: "${target === 'store' ? 'a-scope' : 'scope'}") { ${SCOPE} }`)} }`,
    }),
  ),
  ...(['store', 'service'] as const).map((target) =>
    byRequest({
      name: `lists below each of 50,000 entries of a scope, 30 times, ${target}`,
      target,
      token: 'known',
      query: `{ ${times(30, (n) => `a${n}: readerGroup(groupId: "${target === 'store' ? 'a-scope' : 'scope'}") { ${DEEP_SCOPE} }`)} }`,
    }),
  ),
  ...(['store', 'service'] as const).map((target) =>
    byRequest({
      name: `titles of groups with 5,000 members each under 50 aliases, ${target}`,
      target,
      token: 'known',
      query: `{ ${times(50, (n) => `a${n}: readerGroups(first: ${100 - n}) { nodes { title } }`)} }`,
    }),
  ),
  byRequest({
    name: 'a rejection of 9 MB under 50 root fields',
    target: 'service',
    token: 'known',
    query: `{ ${times(50, (n) => `a${n}: readerGroup(groupId: "refused") { title }`)} }`,
  }),
  byRequest({
    name: 'a rejection of 9 MB for 50 writes',
    target: 'service',
    token: 'known',
    query: `mutation ($input: UpdateReaderGroupInput!) { ${times(50, (n) => `a${n}: updateReaderGroup(input: $input) { __typename }`)} }`,
    variables: () => ({
      input: {
        groupId: 'refused',
        title: 'x',
        description: 'x',
        readerIds: [],
        invitedSsoUserIds: [],
        accessScope: { level: 'NONE' },
      },
    }),
  }),
  byRequest({
    name: 'four lists of 50,000 empty IDs, token made up',
    target: 'service',
    token: 'made up',
    query:
      'mutation ($input: ChangeReaderGroupMembersInput!) { changeReaderGroupMembers(input: $input) { __typename } }',
    variables: () => {
      const ids = list(50_000, () => '');
      const lists = {
        addReaderIds: ids,
        removeReaderIds: ids,
        addInvitedSsoUserIds: ids,
        removeInvitedSsoUserIds: ids,
      };
      return { input: { groupId: 'g0', ...lists } };
    },
  }),
  byRequest({
    name: 'objects of 4,990 members instead of IDs',
    target: 'store',
    token: 'none',
    query: 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
    variables: () => ({ ids: list(20, () => Object.fromEntries(list(4_990, (n) => [`m${n}`, 1]))) }),
  }),
  {
    name: '30,000 pipelined requests',
    target: 'store',
    token: 'none',
    run: ({ origin }) => sendPipelined(origin, 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(30_000)),
  },
  {
    name: '10 MB of JSON from a caller without a token',
    target: 'service',
    token: 'none',
    run: async ({ send }) => {
      const texts = list(4_800, (n) => `${n}${'\\"'.repeat(500)}`);
      return [await send(graphql('none', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: texts }))];
    },
  },
];
