import { list, times } from '../../support/repeat.ts';
import { type Attack, byRequest, MB } from './attack.ts';

/* Requests that have ended a process, or nearly so, by the size of the response that they produce. */

const CHANGE = (selection: string) =>
  `mutation ($input: ChangeReaderGroupMembersInput!) { changeReaderGroupMembers(input: $input) { ... on ValidationError { ${selection} } } }`;

const emptyIds = () => {
  const ids = list(50_000, () => '');
  return {
    input: {
      groupId: 'none',
      addReaderIds: ids,
      removeReaderIds: ids,
      addInvitedSsoUserIds: ids,
      removeInvitedSsoUserIds: ids,
    },
  };
};

const CHANGED = `mutation ($input: ChangeReaderGroupMembersInput!) { changeReaderGroupMembers(input: $input) { ... on ChangeReaderGroupMembersPayload { readers { ${times(99, (n) => `a${n}: notMembers`)} } } } }`;

const PREVIEW =
  'mutation ($input: UpdateReaderGroupInput!) { previewUpdateReaderGroup(input: $input) { ... on UpdateReaderGroupPreview { BELOW } } }';

const UPDATE = (selection: string) =>
  `mutation ($input: UpdateReaderGroupInput!) { updateReaderGroup(input: $input) { ... on MutationError { ${selection} } } }`;

const groupInput = (groupId: string, more: object = {}) => ({
  input: { groupId, title: 'Group', accessScope: { level: 'PROJECT' }, ...more },
});

const unknownReaders = () =>
  groupInput('b-members-0', { readerIds: list(49_000, (n) => `unknown-${n}-${'x'.repeat(100)}`) });

/** Children and parents, nested to this depth. */
const family = (depth: number): string => (depth === 0 ? 'name' : `children { parent { ${family(depth - 1)} } }`);

const VERSION = '{ projectVersions { projectVersionId } }';

export const KILLS: readonly Attack[] = [
  ...(['service', 'store'] as const).flatMap((target) =>
    (['made up', 'known'] as const).map((token) =>
      byRequest({
        name: `issues of 200,000 empty IDs under 20 aliases, ${target}, token ${token}`,
        target,
        token,
        query: CHANGE(times(20, (n) => `a${n}: issues { path message }`)),
        variables: emptyIds,
      }),
    ),
  ),
  byRequest({
    name: 'message of 200,000 issues under 90 aliases',
    target: 'service',
    token: 'known',
    query: CHANGE(times(90, (n) => `a${n}: message`)),
    variables: emptyIds,
  }),
  ...(['refused', 'errors'] as const).flatMap((groupId) =>
    ['serviceErrors { description errorCode customData }', 'message'].map((field) =>
      byRequest({
        name: `${field.split(' ')[0]} of a rejection of 9 MB (${groupId}) under 99 aliases`,
        target: 'service',
        token: 'known',
        query: UPDATE(times(99, (n) => `a${n}: ${field}`)),
        variables: () => groupInput(groupId, { readerIds: [], invitedSsoUserIds: [], description: 'x' }),
      }),
    ),
  ),
  byRequest({
    name: 'warnings of 2.5 MB under 99 aliases',
    target: 'service',
    token: 'known',
    query: `mutation ($input: UpdateReaderGroupInput!) { updateReaderGroup(input: $input) { ... on UpdateReaderGroupPayload { ${times(99, (n) => `a${n}: warnings { description code }`)} } } }`,
    variables: () => groupInput('notices', { readerIds: [], invitedSsoUserIds: [], description: 'x' }),
  }),
  byRequest({
    name: 'notMembers of 50,000 under 99 aliases',
    target: 'store',
    token: 'known',
    query: CHANGED,
    variables: () => ({
      input: { groupId: 'b-members-0', removeReaderIds: list(50_000, (n) => `unknown-${n}-${'x'.repeat(100)}`) },
    }),
  }),
  byRequest({
    name: 'issues of 49,000 unknown readers under 99 aliases',
    target: 'store',
    token: 'known',
    query: PREVIEW.replace(
      'BELOW',
      times(99, (n) => `a${n}: issues { path message }`),
    ),
    variables: unknownReaders,
  }),
  byRequest({
    name: 'serviceErrors of 49,000 unknown readers under 99 aliases',
    target: 'store',
    token: 'known',
    query: UPDATE(times(99, (n) => `a${n}: serviceErrors { description }`)),
    variables: unknownReaders,
  }),
  {
    name: 'children of parents of children, six deep',
    target: 'store',
    token: 'known',
    run: async ({ send }) => {
      const headers = { 'content-type': 'application/json', api_token: 'abuse-token' };
      const post = (query: string) =>
        send({ method: 'POST', path: '/graphql', headers, body: JSON.stringify({ query }) });
      const { text } = await post(VERSION);
      const id = /"projectVersionId":"([^"]+)"/u.exec(text)?.[1] ?? '';
      return [await post(`{ categories(projectVersionId: "${id}") { ${family(6)} } }`)];
    },
  },
  byRequest({
    name: 'children of parents of children, six deep, over a service',
    target: 'service',
    token: 'known',
    query: `{ categories(projectVersionId: "v1") { ${family(6)} } }`,
  }),
  byRequest({
    name: 'a title of 9.8 MB under 50 root fields, in a response',
    target: 'service',
    token: 'known',
    query: `{ ${times(50, (n) => `a${n}: article(articleId: "title") { title }`)} }`,
  }),
  byRequest({
    name: 'an ID of 9 MB that is echoed 50 times',
    target: 'service',
    token: 'known',
    query: `mutation ($input: BulkUpdateArticlesInput!) { ${times(50, (n) => `a${n}: bulkUpdateArticles(input: $input) { ... on ValidationError { message issues { path message } } ... on BulkUpdateArticlesPayload { results { articleId details } } }`)} }`,
    variables: () => ({ input: { articles: [{ articleId: 'x'.repeat(9 * MB), title: 'x' }] } }),
  }),
];
