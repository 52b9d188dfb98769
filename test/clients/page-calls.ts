/** One request of the example page. */
export interface PageCall {
  readonly operation: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const GROUPS = ['installers', 'staff', 'classic-owners', 'german-readers', 'reviewers', 'former-testers', 'partners'];

const write = (operation: string, input: object): PageCall => ({ operation, variables: { input } });

const ITEMS = [
  { articleId: 'pair-a-lamp', languageCode: 'en', title: 'Pair any lamp' },
  { articleId: 'no-such-article', languageCode: 'en', title: 'Lost' },
];

const GROUP = {
  groupId: 'classic-owners',
  title: 'Owners of any hub',
  readerIds: ['reader-ada', 'reader-nobody'],
  accessScope: { languages: [{ projectVersionId: 'fernlight-1', languageCode: 'de' }] },
};

/**
 * What the example page asks of a gateway over the demo, in this order: a group of every kind of access scope, and
 * mutations that end as a preview, as a payload and as an error. No job is submitted, since its times differ each time.
 */
export const PAGE_CALLS: readonly PageCall[] = [
  { operation: 'ProjectVersions', variables: {} },
  { operation: 'Categories', variables: { projectVersionId: 'fernlight-2', languageCode: 'en' } },
  { operation: 'Articles', variables: { projectVersionId: 'fernlight-2', languageCode: 'en', first: 5 } },
  {
    operation: 'Articles',
    variables: { projectVersionId: 'fernlight-2', languageCode: 'en', filter: { text: 'lamp' }, first: 5 },
  },
  { operation: 'ReaderGroups', variables: { first: 5 } },
  { operation: 'Readers', variables: { first: 5, emailContains: 'ada' } },
  { operation: 'InvitedSsoUsers', variables: { first: 5, emailContains: 'greta' } },
  ...GROUPS.map((groupId) => ({ operation: 'ReaderGroup', variables: { groupId } })),
  write('PreviewBulkUpdateArticles', { articles: ITEMS }),
  write('BulkUpdateArticles', { articles: ITEMS }),
  write('BulkUpdateArticles', { articles: [{ articleId: 'pair-a-lamp', languageCode: 'en', order: 0 }] }),
  write('PreviewUpdateReaderGroup', GROUP),
  write('UpdateReaderGroup', { ...GROUP, readerIds: ['reader-ada'] }),
  write('UpdateReaderGroup', { ...GROUP, title: 'a/b' }),
  { operation: 'ArticleUpdateJobs', variables: { first: 5 } },
  { operation: 'ArticleUpdateJobResults', variables: { id: 'no-such-job', outcomes: ['UNKNOWN'], first: 5 } },
  { operation: 'SubmitArticleUpdateJob', variables: { input: { articles: [] }, idempotencyKey: 'page' } },
  { operation: 'CancelArticleUpdateJob', variables: { id: 'no-such-job' } },
  { operation: 'ResumeArticleUpdateJob', variables: { id: 'no-such-job' } },
];
