import { expect, it } from 'vitest';
import { storeContent } from '../../bench/store-peers/content.ts';
import { silentLog } from '../../src/core/base/log.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';

it('imports the content of the store benchmark into a store', async () => {
  const store = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: [], log: silentLog });
  try {
    const content = storeContent();
    const { added } = await store.importKnowledgeBase(content, () => {});
    const { articles, readers, reader_groups } = content;
    const expected = { articles: articles.length, readers: readers.length, reader_groups: reader_groups.length };
    expect(added).toMatchObject(expected);
  } finally {
    await store.close();
  }
});
