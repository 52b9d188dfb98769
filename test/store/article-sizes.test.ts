import { describe, expect, it } from 'vitest';
import { documentText } from '../../src/store/knowledge-base/document.ts';
import { type KnowledgeBase, STORE_ACCOUNT } from '../../src/store/knowledge-base/format.ts';
import { smallKnowledgeBase } from './small-knowledge-base.ts';
import { caller, openStore, present, value } from './store.ts';

const MIB = 1024 ** 2;

/** The content as a control character takes six bytes in JSON. */
const bell = (mib: number) => '\u0007'.repeat((mib * MIB) / 6);

const TOO_LARGE = expect.stringMatching(
  /it would take more than 20 MiB with the texts of all its versions, which no export writes\.$/u,
);

async function openSizes() {
  const { backend } = await openStore();
  const [first] = smallKnowledgeBase.articles;
  const article = present(first);
  const withContent = (content: string, languageCode: string): KnowledgeBase => ({
    ...smallKnowledgeBase,
    articles: [
      {
        ...article,
        versions: article.versions
          .filter((version) => version.lang_code === languageCode)
          .map((version) => ({ ...version, content })),
      },
      ...smallKnowledgeBase.articles.slice(1),
    ],
  });
  return {
    backend,
    withContent,
    exportAll: () => backend.exportKnowledgeBase(async (entries) => Array.fromAsync(documentText(entries))),
    kinds: async (...contents: readonly (readonly [content: string, languageCode: string])[]) => {
      const updates = contents.map(([content, languageCode]) => ({ articleId: 'a1', content, languageCode }));
      return value(await backend.bulkUpdateArticles(caller, updates)).outcomes.map(({ kind, details }) => ({
        kind,
        details,
      }));
    },
  };
}

describe('an article that no export would write', () => {
  it('is made by no update: the items fail that would make it so, and the others are applied', async () => {
    const { kinds, exportAll } = await openSizes();
    const failed = { kind: 'failed', details: TOO_LARGE };
    expect(await kinds(['x'.repeat(12 * MIB), 'en'], [bell(9), 'de'], ['y'.repeat(7 * MIB), 'de'])).toMatchObject([
      { kind: 'updated' },
      failed,
      { kind: 'updated' },
    ]);
    expect(await kinds(['z'.repeat(8 * MIB), 'de'])).toMatchObject([failed]);
    expect(await kinds(['short', 'en'], ['z'.repeat(8 * MIB), 'de'])).toMatchObject([
      { kind: 'updated' },
      { kind: 'updated' },
    ]);
    await exportAll();
  });

  it('is made by no fork, of a fork alone and of an update', async () => {
    const { backend, kinds, exportAll } = await openSizes();
    expect(await kinds(['x'.repeat(11 * MIB), 'de'])).toMatchObject([{ kind: 'updated' }]);
    const userId = STORE_ACCOUNT.user_id;
    const item = { articleId: 'a1', languageCode: 'de', versionNumber: 1 };
    const forked = value(await backend.forkArticles(caller, { items: [item], userId }));
    expect(forked.outcomes).toMatchObject([{ kind: 'failed', details: TOO_LARGE }]);
    value(await backend.publishArticles(caller, { items: [item], userId }));
    const update = { articleId: 'a1', languageCode: 'de', ifPublished: { kind: 'FORK', userId } } as const;
    const updated = await backend.bulkUpdateArticles(caller, [
      { ...update, title: 'New' },
      { ...update, content: 'short' },
    ]);
    expect(value(updated).outcomes).toMatchObject([{ kind: 'failed', details: TOO_LARGE }, { kind: 'updated' }]);
    await exportAll();
  });

  it('is not created', async () => {
    const { backend, exportAll } = await openSizes();
    const item = { title: 'Long', projectVersionId: 'pv1', userId: STORE_ACCOUNT.user_id };
    const { outcomes } = value(
      await backend.createArticles(caller, [
        { ...item, content: bell(21) },
        { ...item, content: bell(19) },
      ]),
    );
    expect(outcomes).toMatchObject([{ kind: 'failed', details: TOO_LARGE }, { kind: 'created' }]);
    await exportAll();
  });

  it('is not imported', async () => {
    const { backend } = await openStore({ knowledgeBase: { ...smallKnowledgeBase, articles: [], reader_groups: [] } });
    const { withContent } = await openSizes();
    await expect(backend.importKnowledgeBase(withContent('y'.repeat(21 * MIB), 'de'), () => {})).rejects.toThrow(
      /^Nothing was imported: the article a1 is too large, since it would take more than 20 MiB/u,
    );
  });
});
