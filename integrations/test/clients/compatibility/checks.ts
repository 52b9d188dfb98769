import { deepEqual, equal, match } from 'node:assert/strict';
import { assertData } from './answers.ts';
import { type Session, sendPlainly } from './session.ts';

export interface Check {
  readonly title: string;
  /** The description of the check on the page. */
  readonly description: string;
  /** Throws where the client does not do what the check asks. */
  run(session: Session): Promise<void>;
}

const query: Check = {
  title: 'query',
  description: 'A group of each kind of access scope is read, by fragments on the types of an interface.',
  async run(session) {
    for (const groupId of ['installers', 'staff', 'classic-owners', 'german-readers']) {
      const { data } = await sendPlainly(session, 'GroupScope', { groupId });
      assertData(await session.client.run('GroupScope', { groupId }), data);
    }
  },
};

interface GroupPage {
  readonly readerGroups: { readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean } };
}

const pages: Check = {
  title: 'pages',
  description: 'All reader groups are read, three at a time, each page by the cursor of the page before.',
  async run(session) {
    let after: string | null = null;
    for (const isLast of [false, false, true]) {
      const variables: object = { first: 3, after };
      const { data } = await sendPlainly<GroupPage>(session, 'GroupPage', variables);
      assertData(await session.client.run('GroupPage', { ...variables }), data);
      const { endCursor, hasNextPage } = data.readerGroups.pageInfo;
      equal(hasNextPage, !isLast);
      after = endCursor;
    }
  },
};

const bulkUpdate: Check = {
  title: 'bulk update',
  description:
    'Of two articles, one is updated and read back, and the other does not exist: each outcome has its type.',
  async run({ client }) {
    const articles = [
      { articleId: 'pair-a-lamp', title: 'Pair any lamp' },
      { articleId: 'no-such-article', title: 'Lost' },
    ];
    const updated = { __typename: 'ArticleUpdated', index: 0, article: { title: 'Pair any lamp' } };
    const failed = { __typename: 'ArticleUpdateFailed', index: 1, articleId: 'no-such-article', retryable: false };
    const result = { __typename: 'BulkUpdateArticlesPayload', results: [updated, failed] };
    assertData(await client.run('EditArticles', { input: { articles } }), { bulkUpdateArticles: result });
  },
};

const brokenRule: Check = {
  title: 'error',
  description:
    'An update that breaks a rule is answered by the member `ValidationError` of the union, with its issues.',
  async run({ client }) {
    const input = { articles: [{ articleId: 'pair-a-lamp', order: 0 }] };
    const message = 'order must be 1 or more.';
    const issues = [{ path: ['input', 'articles', '0', 'order'], message }];
    const error = { __typename: 'ValidationError', code: 'VALIDATION_FAILED', message, retryable: false, issues };
    assertData(await client.run('EditArticles', { input }), { bulkUpdateArticles: error });
  },
};

const dataBesideError: Check = {
  title: 'data beside an error',
  description: 'An update is applied, and what is read after it fails: the outcome and the error both arrive.',
  async run({ client }) {
    const input = { articles: [{ articleId: 'pair-a-lamp', title: 'Pair all lamps' }] };
    const { data, errors } = await client.run('UpdateWithUnreadableArticle', { input });
    assertData({ data, errors: [] }, { bulkUpdateArticles: { results: [{ __typename: 'ArticleUpdated' }] } });
    equal(errors.length, 1);
    match(errors.join(), /first/u);
  },
};

const SCOPES: readonly (readonly [type: string, accessScope: object])[] = [
  [
    'CategoryAccessScope',
    { categories: [{ projectVersionId: 'fernlight-2', categoryId: 'first-steps', languageCode: 'en' }] },
  ],
  ['VersionAccessScope', { projectVersionIds: ['fernlight-1'] }],
  ['LanguageAccessScope', { languages: [{ projectVersionId: 'fernlight-2', languageCode: 'de' }] }],
  ['PlainAccessScope', { level: 'PROJECT' }],
];

const scopeInput = (accessScope: object) => ({ input: { groupId: 'staff', accessScope } });

const accessScope: Check = {
  title: 'access scope',
  description: 'Each of the four members of the `@oneOf` input is set, and read back.',
  async run({ client }) {
    for (const [type, scope] of SCOPES) {
      const result = { __typename: 'UpdateReaderGroupPayload', readerGroup: { accessScope: { __typename: type } } };
      assertData(await client.run('SetScope', scopeInput(scope)), { updateReaderGroup: result });
    }
  },
};

const contradictingScope: Check = {
  title: 'contradicting scope',
  description: 'The gateway refuses an access scope with two members, the client reports why, and nothing changes.',
  async run(session) {
    const before = await sendPlainly(session, 'GroupScope', { groupId: 'staff' });
    const variables = scopeInput({ level: 'NONE', projectVersionIds: ['fernlight-1'] });
    const reported = await session.client.run('SetScope', variables).then(
      ({ errors }) => errors.join(),
      (error: Error) => error.message,
    );
    match(reported, /exactly one/iu);
    deepEqual(await sendPlainly(session, 'GroupScope', { groupId: 'staff' }), before);
  },
};

/** The checks that every client passes, in this order, with one gateway. */
export const CHECKS: readonly Check[] = [
  query,
  pages,
  bulkUpdate,
  brokenRule,
  dataBesideError,
  accessScope,
  contradictingScope,
];
