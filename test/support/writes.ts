import { expect } from 'vitest';
import type { Backend, BackendResult, MutationName } from '../../src/core/backend.ts';
import type { Caller, ClientScope } from '../../src/core/callers/caller.ts';
import { STORE_ACCOUNT } from '../../src/store/knowledge-base/format.ts';
import { type Behaviour, envelope, type FaultyService, json } from './faulty-service.ts';
import { foundGroup, groupWritten, joining } from './kept-group.ts';

/** A write as tests of all writes send it: by GraphQL to the store with its fixture or to a scripted service, or by the port. */
export interface TestedWrite {
  readonly scope: ClientScope;
  /** The name of the type of its input. */
  readonly inputType: string;
  /** Two inputs that succeed, with different effects, as variables of GraphQL. */
  readonly inputs: readonly [object, object];
  /** An input that breaks a rule. */
  readonly invalidInput: object;
  /** The members of its payload besides `replayed`, with what is read back. */
  readonly payload: string;
  /** What a replay of the first input shows after the second one was written: old outcomes, and objects that are read anew. */
  readonly replayedAfterSecond: object;
  readonly send: (backend: Backend, caller: Caller) => BackendResult<unknown>;
  /** The items of the first input. */
  readonly items: number;
  /** The outcomes of these items where the service answers with `good`. */
  readonly counts: { readonly updated: number; readonly failed: number };
  /** What the audit log has of it after an answer that tells nothing. */
  readonly auditedUnknown: object;
  /** What the audit log names of the first input. */
  readonly audited: {
    readonly articleIds?: readonly string[];
    readonly groupId?: string;
    readonly newArticles?: object;
    readonly newCategories?: object;
  };
  /** The call of the first input. */
  readonly route: string;
  /** The answer of the service to that call. */
  readonly good: Behaviour;
  /** The reads before that call. */
  readonly reads: Readonly<Record<string, Behaviour>>;
}

const ARTICLES = { articles: [{ articleId: 'a1', title: 'One' }, { articleId: 'gone' }] };

const newArticles = (title: string) => ({
  userId: STORE_ACCOUNT.user_id,
  articles: [
    { title, projectVersionId: 'pv1', categoryId: 'c1', content: 'New' },
    { title: 'Homeless', projectVersionId: 'pv1', categoryId: 'gone' },
  ],
});

const NEW_ITEMS = newArticles('One').articles.map((item) => ({ ...item, userId: STORE_ACCOUNT.user_id }));

const newCategories = (name: string) => ({
  userId: STORE_ACCOUNT.user_id,
  categories: [
    { name, projectVersionId: 'pv1', parentCategoryId: 'c1' },
    { name: 'Homeless', projectVersionId: 'pv1', parentCategoryId: 'gone' },
  ],
});

const publicationsOf = (...articles: readonly { articleId: string; versionNumber?: number }[]) => ({
  articles: articles.map((item) => ({ languageCode: 'en', ...item })),
  userId: 'embedded-store',
});

/** An article as the service has it, with the version that is public there. */
const foundArticle = (id: string, publicVersion: number): Behaviour =>
  json(
    200,
    envelope({ id, project_version_id: 'pv1', version_number: 2, latest_version: 2, public_version: publicVersion }),
  );

/** Publishing and unpublishing, which differ in their names, their calls and what is public before. */
const publicationWrite = (type: string, method: string, publicVersion: number) =>
  ({
    scope: 'articles:publish',
    inputType: `${type}Input`,
    inputs: [
      publicationsOf({ articleId: 'a1' }, { articleId: 'gone' }),
      publicationsOf({ articleId: 'a1', versionNumber: 1 }, { articleId: 'gone' }),
    ],
    invalidInput: { articles: [], userId: '' },
    payload: `... on ${type}Payload { replayed
      results { __typename index articleId details retryable ... on ArticleUpdated { publication article { title } } }
      summary { total pending updated failed } warnings { description } extensionData }`,
    replayedAfterSecond: { results: [{ __typename: 'ArticleUpdated' }, { __typename: 'ArticleUpdateFailed' }] },
    items: 2,
    counts: { updated: 1, failed: 1 },
    auditedUnknown: { result: 'payload', outcomes: { unknown: { count: 2, articleIds: ['a1', 'gone'] } } },
    audited: { articleIds: ['a1', 'gone'] },
    route: `${method} /v2/Articles/bulkpublish/en`,
    good: json(
      200,
      envelope([
        { article_id: 'a1', success: true },
        { article_id: 'gone', success: false, details: 'No.' },
      ]),
    ),
    reads: {
      'GET /v2/Articles/a1/en': foundArticle('a1', publicVersion),
      'GET /v2/Articles/gone/en': foundArticle('gone', publicVersion),
    },
  }) as const satisfies Partial<TestedWrite>;

const PUBLISHED_ITEMS = { items: publicationsOf({ articleId: 'a1' }, { articleId: 'gone' }).articles, userId: 'u1' };

const GROUP_UNKNOWN = { result: 'outcome-unknown', mayHaveApplied: true };

export const TESTED_WRITES: Readonly<Record<MutationName, TestedWrite>> = {
  bulkUpdateArticles: {
    scope: 'articles:write',
    inputType: 'BulkUpdateArticlesInput',
    inputs: [ARTICLES, { articles: [{ articleId: 'a1', title: 'Two' }, { articleId: 'gone' }] }],
    invalidInput: { articles: [] },
    payload: `... on BulkUpdateArticlesPayload { replayed
      results { __typename index articleId details retryable ... on ArticleUpdated { article { title } } }
      summary { total pending updated failed } warnings { description } extensionData }`,
    replayedAfterSecond: { results: [{ article: { title: 'Two' } }, { __typename: 'ArticleUpdateFailed' }] },
    send: (backend, caller) => backend.bulkUpdateArticles(caller, ARTICLES.articles),
    items: 2,
    counts: { updated: 1, failed: 1 },
    auditedUnknown: { result: 'payload', outcomes: { unknown: { count: 2, articleIds: ['a1', 'gone'] } } },
    audited: { articleIds: ['a1', 'gone'] },
    route: 'PUT /v2/Articles/bulkupdate',
    good: json(
      200,
      envelope([
        { article_id: 'a1', success: true },
        { article_id: 'gone', success: false, details: 'No.' },
      ]),
    ),
    reads: {},
  },
  createArticles: {
    scope: 'articles:write',
    inputType: 'CreateArticlesInput',
    inputs: [newArticles('One'), newArticles('Two')],
    invalidInput: { articles: [], userId: '' },
    payload: `... on CreateArticlesPayload { replayed
      results { __typename index title details retryable ... on ArticleCreated { article { title } } }
      summary { total created failed } warnings { description } extensionData }`,
    replayedAfterSecond: { results: [{ article: { title: 'One' } }, { __typename: 'ArticleCreateFailed' }] },
    send: (backend, caller) => backend.createArticles(caller, NEW_ITEMS),
    items: 2,
    counts: { updated: 1, failed: 1 },
    auditedUnknown: {
      result: 'payload',
      outcomes: { created: { count: 0 }, unknown: { count: 2, articleIds: [] } },
    },
    audited: { newArticles: { count: 2, projectVersionIds: ['pv1'], categoryIds: ['c1', 'gone'] } },
    route: 'POST /v2/Articles/bulkcreate',
    good: json(
      200,
      envelope([
        { article_id: 'a9', success: true, details: 'Successfully created article One' },
        { article_id: null, success: false, details: 'No.' },
      ]),
    ),
    reads: {},
  },
  createCategories: {
    scope: 'articles:write',
    inputType: 'CreateCategoriesInput',
    inputs: [newCategories('One'), newCategories('Two')],
    invalidInput: { categories: [], userId: '' },
    payload: `... on CreateCategoriesPayload { replayed
      results { __typename index name details retryable ... on CategoryCreated { category { name } } }
      summary { total created failed } warnings { description } extensionData }`,
    replayedAfterSecond: { results: [{ category: { name: 'One' } }, { __typename: 'CategoryCreateFailed' }] },
    send: (backend, caller) => backend.createCategories(caller, newCategories('One').categories),
    items: 2,
    counts: { updated: 1, failed: 1 },
    auditedUnknown: {
      result: 'payload',
      outcomes: { created: { count: 0 }, unknown: { count: 2, categoryIds: [] } },
    },
    audited: { newCategories: { count: 2, projectVersionIds: ['pv1'], parentCategoryIds: ['c1', 'gone'] } },
    route: 'POST /v2/Categories/bulkcreate',
    good: json(
      200,
      envelope([
        { category_id: 'c9', success: true, details: 'Successfully created category One' },
        { category_id: null, success: false, details: 'No.' },
      ]),
    ),
    reads: {},
  },
  publishArticles: {
    ...publicationWrite('PublishArticles', 'POST', 1),
    send: (backend, caller) => backend.publishArticles(caller, PUBLISHED_ITEMS),
  },
  unpublishArticles: {
    ...publicationWrite('UnpublishArticles', 'DELETE', 1),
    send: (backend, caller) => backend.unpublishArticles(caller, PUBLISHED_ITEMS),
  },
  updateReaderGroup: {
    scope: 'groups:write',
    inputType: 'UpdateReaderGroupInput',
    inputs: [
      { groupId: 'g1', title: 'One' },
      { groupId: 'g1', title: 'Two' },
    ],
    invalidInput: { groupId: '', title: '' },
    payload:
      '... on UpdateReaderGroupPayload { replayed serviceResult readerGroup { title } warnings { code } extensionData }',
    replayedAfterSecond: { readerGroup: { title: 'Two' } },
    send: (backend, caller) => backend.updateReaderGroup(caller, { groupId: 'g1', title: 'One' }),
    items: 1,
    counts: { updated: 1, failed: 0 },
    auditedUnknown: GROUP_UNKNOWN,
    audited: { groupId: 'g1' },
    route: 'PUT /v2/Readers/groups/g1',
    good: groupWritten,
    reads: { 'GET /v2/Readers/groups/g1': foundGroup() },
  },
  changeReaderGroupMembers: {
    scope: 'groups:write',
    inputType: 'ChangeReaderGroupMembersInput',
    inputs: [
      { groupId: 'g2', addReaderIds: ['r7'] },
      { groupId: 'g2', removeReaderIds: ['r7'] },
    ],
    invalidInput: { groupId: '' },
    payload: `... on ChangeReaderGroupMembersPayload { replayed readers { added removed alreadyMembers notMembers }
      invitedSsoUsers { added } readerGroup { title readerIds } warnings { code } }`,
    replayedAfterSecond: {
      readers: { added: ['r7'] },
      readerGroup: { readerIds: expect.not.arrayContaining(['r7']) },
    },
    send: (backend, caller) => backend.changeReaderGroupMembers(caller, joining('r7', 'g2')),
    items: 1,
    counts: { updated: 1, failed: 0 },
    auditedUnknown: GROUP_UNKNOWN,
    audited: { groupId: 'g2' },
    route: 'PUT /v2/Readers/groups/g2',
    good: groupWritten,
    reads: { 'GET /v2/Readers/groups/g2': foundGroup({ reader_group_id: 'g2' }) },
  },
};

/** The name and the test of each write, for `describe.each`. */
export const ALL_WRITES = Object.entries(TESTED_WRITES).map(([name, write]) => ({ name, ...write }));

export const previewNameOf = (name: string): string => `preview${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** Mutations that write nothing by themselves, with arguments and the types of their answers for a client who may write articles. */
export const JOB_MUTATIONS: Readonly<Record<string, { readonly call: string; readonly answer: string }>> = {
  submitArticleUpdateJob: {
    call: 'input: { articles: [{ articleId: "a1", title: "Renamed" }] }, idempotencyKey: "scopes"',
    answer: 'SubmitArticleUpdateJobPayload',
  },
  cancelArticleUpdateJob: { call: 'id: "none"', answer: 'JobNotFoundError' },
  resumeArticleUpdateJob: { call: 'id: "none"', answer: 'JobNotFoundError' },
  previewRevertArticleUpdateJob: { call: 'id: "none"', answer: 'JobNotFoundError' },
  revertArticleUpdateJob: { call: 'id: "none", idempotencyKey: "scopes"', answer: 'JobNotFoundError' },
};

const ERROR = `... on MutationError { __typename code message retryable mayHaveApplied
  ... on ValidationError { issues { path } } ... on IdempotencyError { indexes } }`;

/** The mutation, which takes the variables `input` and `key`. */
export const mutationOf = ({ name, inputType, payload }: { name: string } & TestedWrite): string =>
  `mutation ($input: ${inputType}!, $key: String) { result: ${name}(input: $input, idempotencyKey: $key) { __typename ${ERROR} ${payload} } }`;

/** The preview of the write, which takes the variable `input`. */
export const previewOf = ({ name, inputType }: { name: string } & TestedWrite): string =>
  `mutation ($input: ${inputType}!) { result: ${previewNameOf(name)}(input: $input) { __typename ... on MutationError { message code } } }`;

/** Lets the service accept every token, and the write succeed. */
export function serveWrite(service: FaultyService, { route, good, reads }: TestedWrite): void {
  service.on('GET /v2/ProjectVersions', json(200, envelope([])));
  for (const [read, behaviour] of Object.entries(reads)) service.on(read, behaviour);
  service.on(route, good);
}
