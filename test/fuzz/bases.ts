import { STORE_ACCOUNT } from '../../src/store/knowledge-base/format.ts';

const NEW_ARTICLE = { title: 'Fuzz', projectVersionId: 'pv1', categoryId: 'c2' };
const NEW_ARTICLES = { input: { articles: [NEW_ARTICLE], userId: STORE_ACCOUNT.user_id } };

const PUBLISHED = { input: { articles: [{ articleId: 'a2' }], userId: STORE_ACCOUNT.user_id } };

const NEW_CATEGORIES = { input: { categories: [{ name: 'Fuzz', projectVersionId: 'pv1' }] } };

/** Valid arguments of each root field, over the knowledge base of test/fixtures. */
const ARGUMENTS: Readonly<Record<string, object>> = {
  _entities: { representations: [{ __typename: 'Article', articleId: 'a1', languageCode: 'en' }] },
  article: { articleId: 'a1' },
  articleBySlug: { slug: 'a1' },
  articles: { projectVersionId: 'pv1', first: 5 },
  categories: { projectVersionId: 'pv1' },
  node: { id: 'WyJBcnRpY2xlIiwiYTEiLCJlbiJd' },
  nodes: { ids: [] },
  readerGroup: { groupId: 'g1' },
  readerGroups: { first: 5 },
  readers: { first: 5 },
  teamAccounts: { first: 5 },
  invitedSsoUsers: { first: 5 },
  articleUpdateJob: { id: 'WyJBcnRpY2xlVXBkYXRlSm9iIiwiajEiXQ' },
  articleUpdateJobs: { first: 5 },
  submitArticleUpdateJob: { input: { articles: [{ articleId: 'a1', source: 'fuzz' }] } },
  cancelArticleUpdateJob: { id: 'WyJBcnRpY2xlVXBkYXRlSm9iIiwiajEiXQ' },
  resumeArticleUpdateJob: { id: 'WyJBcnRpY2xlVXBkYXRlSm9iIiwiajEiXQ' },
  previewRevertArticleUpdateJob: { id: 'WyJBcnRpY2xlVXBkYXRlSm9iIiwiajEiXQ' },
  revertArticleUpdateJob: {
    id: 'WyJBcnRpY2xlVXBkYXRlSm9iIiwiajEiXQ',
    idempotencyKey: 'fuzz',
    publish: false,
    ifPublished: 'FORK',
  },
  bulkUpdateArticles: { input: { articles: [{ articleId: 'a1', source: 'fuzz' }] } },
  previewBulkUpdateArticles: { input: { articles: [{ articleId: 'a1', source: 'fuzz' }] } },
  publishArticles: PUBLISHED,
  previewPublishArticles: PUBLISHED,
  unpublishArticles: PUBLISHED,
  previewUnpublishArticles: PUBLISHED,
  createArticles: NEW_ARTICLES,
  previewCreateArticles: NEW_ARTICLES,
  createCategories: NEW_CATEGORIES,
  previewCreateCategories: NEW_CATEGORIES,
  updateReaderGroup: { input: { groupId: 'g1', title: 'Fuzz', accessScope: { level: 'PROJECT' } } },
  previewUpdateReaderGroup: { input: { groupId: 'g1', title: 'Fuzz', accessScope: { level: 'PROJECT' } } },
  changeReaderGroupMembers: { input: { groupId: 'g1', addReaderIds: ['r1'] } },
  previewChangeReaderGroupMembers: { input: { groupId: 'g1', addReaderIds: ['r1'] } },
};

export function argumentsOf(field: string): object {
  const found = ARGUMENTS[field];
  if (!found) throw new Error(`The fuzz test knows no valid arguments of ${field}: add some to bases.ts.`);
  // A key that is used again with another value would be a conflict.
  return field === 'submitArticleUpdateJob' ? { ...found, idempotencyKey: crypto.randomUUID() } : found;
}

/** The members of `AccessScopeInput`, of which exactly one is given. */
export const SCOPES: ReadonlyMap<string | number, unknown> = new Map<string, unknown>([
  ['level', 'PROJECT'],
  ['categories', [{ projectVersionId: 'pv1', categoryId: 'c1', languageCode: 'en' }]],
  ['projectVersionIds', ['pv1']],
  ['languages', [{ projectVersionId: 'pv1', languageCode: 'en' }]],
]);
