import { silentLog } from '../../src/core/base/log.ts';
import { createRequestFacts } from '../../src/core/callers/request-facts.ts';
import { demoKnowledgeBase } from '../../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';

/*
 * A program that a test runs with a limit on the size of files. Writes beyond it fail during the commit when they fit
 * into SQLite's cache of 2 MB, and earlier when they do not. Prints the results of the writes and of later reads.
 */
const [databaseUrl = ''] = process.argv.slice(2);
const caller = {
  apiToken: 'token',
  address: '',
  request: createRequestFacts({ id: 'request' }),
  deadline: Number.POSITIVE_INFINITY,
  requestTimeoutMs: 30_000,
};
const store = await openLocalBackend({ databaseUrl, apiTokens: ['token'], log: silentLog });
await store.importKnowledgeBase(demoKnowledgeBase, () => {});

const large = 'x'.repeat(1_000_000);
const articles = await store.bulkUpdateArticles(caller, [
  { articleId: 'factory-reset', content: large },
  { articleId: 'nobody' },
]);
const group = await store.updateReaderGroup(caller, {
  groupId: 'staff',
  title: 'Never',
  description: large,
  accessScope: { level: 'NONE' },
});
const early = await store.bulkUpdateArticles(caller, [{ articleId: 'factory-reset', content: large.repeat(4) }]);
const small = await store.bulkUpdateArticles(caller, [{ articleId: 'factory-reset', title: 'After' }]);
const [read] = await store.articles(caller, [{ articleId: 'factory-reset' }]);
const [staff] = await store.readerGroups(caller, ['staff']);
await store.close();
process.stdout.write(JSON.stringify({ articles, group, early, small, read, staff }));
