import { silentLog } from '../../src/core/base/log.ts';
import { createRequestFacts } from '../../src/core/callers/request-facts.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';

/*
 * A program with the arguments database and number of articles. Stores the articles, changes all of them by one bulk
 * update, prints the number of updated items at once, and runs until it is killed.
 */
const [databaseUrl = '', size = '0'] = process.argv.slice(2);
const caller = {
  apiToken: 'token',
  address: '',
  request: createRequestFacts({ id: 'request' }),
  deadline: Number.POSITIVE_INFINITY,
  requestTimeoutMs: 30_000,
};
const store = await openLocalBackend({ databaseUrl, apiTokens: ['token'], log: silentLog });
const ids = Array.from({ length: Number(size) }, (_, index) => `article-${index}`);

await store.importKnowledgeBase(
  {
    project_versions: [{ id: 'pv', name: 'v1', is_default: true }],
    languages: [{ project_version_id: 'pv', code: 'en', name: 'English', is_default: true }],
    categories: ['from', 'to'].map((categoryId) => ({
      id: categoryId,
      project_version_id: 'pv',
      parent_category_id: null,
      name: categoryId,
      order: null,
    })),
    team_accounts: [],
    articles: ids.map((articleId) => ({
      id: articleId,
      project_version_id: 'pv',
      category_id: 'from',
      slug: null,
      order: null,
      hidden: false,
      content_type: 'markdown',
      versions: [{ lang_code: 'en', version_number: 1, title: 'Before', content: 'Text', translation_option: null }],
    })),
    readers: [],
    invited_sso_users: [],
    reader_groups: [],
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
