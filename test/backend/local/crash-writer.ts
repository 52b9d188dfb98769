import { openLocalBackend } from '../../../src/backend/local/local-backend.ts';
import { silentLog } from '../../../src/base/log.ts';
import { RequestRecord } from '../../../src/domain/callers/request-record.ts';

/*
 * A program with the arguments database and number of articles. Stores the articles, changes all of them by one bulk
 * update, prints the number of updated items at once, and runs until it is killed.
 */
const [databaseUrl = '', size = '0'] = process.argv.slice(2);
const caller = {
  apiToken: 'token',
  address: '',
  request: new RequestRecord('request'),
  deadline: Number.POSITIVE_INFINITY,
  requestTimeoutMs: 30_000,
};
const store = await openLocalBackend({ databaseUrl, apiTokens: ['token'], log: silentLog });
const ids = Array.from({ length: Number(size) }, (_, index) => `article-${index}`);

await store.importKnowledgeBase(
  {
    projectVersions: [{ projectVersionId: 'pv', name: 'v1', isDefault: true }],
    languages: [{ projectVersionId: 'pv', code: 'en', name: 'English', isDefault: true }],
    categories: ['from', 'to'].map((categoryId) => ({
      categoryId,
      projectVersionId: 'pv',
      parentCategoryId: null,
      name: categoryId,
      order: null,
    })),
    articles: ids.map((articleId) => ({
      articleId,
      projectVersionId: 'pv',
      categoryId: 'from',
      slug: null,
      order: null,
      hidden: false,
      contentType: 'MARKDOWN',
      versions: [{ languageCode: 'en', versionNumber: 1, title: 'Before', content: 'Text', translationStatus: null }],
    })),
    readers: [],
    invitedSsoUsers: [],
    readerGroups: [],
  },
  () => {},
);
const result = await store.bulkUpdateArticles(
  caller,
  ids.map((articleId) => ({ articleId, title: 'After', categoryId: 'to', content: 'x'.repeat(2000) })),
);
process.stdout.write(
  `${result.ok ? result.value.outcomes.filter(({ kind }) => kind === 'updated').length : 'failed'}\n`,
);
setInterval(() => {}, 1000);
