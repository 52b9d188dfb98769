/** One request of the console. */
export interface PageCall {
  readonly operation: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const GROUPS = ['installers', 'staff', 'classic-owners', 'german-readers', 'reviewers', 'former-testers', 'partners'];

const write = (operation: string, input: object): PageCall => ({ operation, variables: { input } });

const keyed = (operation: string, input: object): PageCall => ({
  operation,
  variables: { input, idempotencyKey: operation },
});

/** The documents of plans have short names. */
const planned = (operation: string, input: object): PageCall => ({ operation, variables: { input, key: operation } });

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

const EDITION = { projectVersionId: 'fernlight-2', languageCode: 'en' };
const ARTICLE = { articleId: 'pair-a-lamp', languageCode: 'en' };
const PUBLICATION = { articles: [ARTICLE], userId: 'team-ines' };

/** An article of a version that does not exist: those that are created get another ID each time. */
const NOWHERE = { articles: [{ title: 'Nowhere', projectVersionId: 'no-such-version' }], userId: 'team-ines' };

/**
 * What the console asks of a gateway over the demo, in this order, and an update without a job: a group of every kind of access scope, and
 * mutations that end as a preview, as a payload and as an error. Times of articles are read before the writes, and no
 * job is submitted, since these differ each time.
 */
export const PAGE_CALLS: readonly PageCall[] = [
  { operation: 'ProjectVersions', variables: {} },
  { operation: 'Categories', variables: EDITION },
  { operation: 'Articles', variables: { ...EDITION, orderBy: 'TITLE', first: 5 } },
  { operation: 'Articles', variables: { ...EDITION, filter: { text: 'lamp' }, orderBy: 'ID', first: 5 } },
  { operation: 'OfferedFilters', variables: EDITION },
  { operation: 'CurrentArticle', variables: ARTICLE },
  { operation: 'ArticleLanguages', variables: ARTICLE },
  { operation: 'ArticlePage', variables: ARTICLE },
  { operation: 'PlanRootCategories', variables: { version: 'fernlight-2' } },
  { operation: 'PlanChildCategories', variables: { ids: [] } },
  { operation: 'PlanArticles', variables: { version: 'fernlight-2', language: 'en' } },
  { operation: 'PlanTexts', variables: { ids: [] } },
  { operation: 'PlanHasText', variables: { id: 'pair-a-lamp', language: 'de' } },
  { operation: 'TeamAccounts', variables: { first: 5 } },
  { operation: 'ReaderGroups', variables: { first: 5 } },
  { operation: 'Readers', variables: { first: 5, emailContains: 'ada' } },
  { operation: 'InvitedSsoUsers', variables: { first: 5, emailContains: 'greta' } },
  ...GROUPS.map((groupId) => ({ operation: 'ReaderGroup', variables: { groupId } })),
  write('PreviewBulkUpdateArticles', { articles: ITEMS }),
  write('PreviewPublishArticles', PUBLICATION),
  write('PreviewUnpublishArticles', PUBLICATION),
  write('BulkUpdateArticles', { articles: ITEMS }),
  write('BulkUpdateArticles', { articles: [{ articleId: 'pair-a-lamp', languageCode: 'en', order: 0 }] }),
  keyed('UnpublishArticles', PUBLICATION),
  keyed('PublishArticles', { ...PUBLICATION, articles: [ARTICLE, { ...ARTICLE, articleId: 'no-such-article' }] }),
  write('PreviewCreateArticles', NOWHERE),
  keyed('CreateArticles', NOWHERE),
  planned('PlanCreateCategories', { categories: [{ name: 'Lamps', projectVersionId: 'no-such-version' }] }),
  write('PlanUpdate', { articles: ITEMS }),
  write('PreviewUpdateReaderGroup', GROUP),
  write('UpdateReaderGroup', { ...GROUP, readerIds: ['reader-ada'] }),
  write('UpdateReaderGroup', { ...GROUP, title: 'a/b' }),
  { operation: 'ArticleUpdateJobs', variables: { first: 5 } },
  { operation: 'ArticleUpdateJobResults', variables: { id: 'no-such-job', outcomes: ['UNKNOWN'], first: 5 } },
  keyed('SubmitArticleUpdateJob', { articles: [] }),
  { operation: 'CancelArticleUpdateJob', variables: { id: 'no-such-job' } },
  { operation: 'ResumeArticleUpdateJob', variables: { id: 'no-such-job' } },
  { operation: 'PreviewRevertArticleUpdateJob', variables: { id: 'no-such-job', first: 5 } },
  {
    operation: 'RevertArticleUpdateJob',
    variables: { id: 'no-such-job', ifPublished: 'FORK', idempotencyKey: 'revert' },
  },
];
