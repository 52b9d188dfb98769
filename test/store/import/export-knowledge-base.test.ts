import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, it } from 'vitest';
import { demoKnowledgeBase } from '../../../src/store/import/demo-knowledge-base.ts';
import { documentText } from '../../../src/store/knowledge-base/document.ts';
import { readKnowledgeBaseFile } from '../../../src/store/knowledge-base/file.ts';
import type { KnowledgeBase, KnowledgeBaseLists } from '../../../src/store/knowledge-base/format.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, emptyDatabase, openStore, present, temporaryFolder, value } from '../store.ts';

const FIXTURE = fileURLToPath(new URL('../../fixtures/knowledge-base.json', import.meta.url));
const REAL = fileURLToPath(new URL('../../../../../shared/data/astro-docs.kb.json.gz', import.meta.url));

const read = async (path: string): Promise<KnowledgeBase> => value(await readKnowledgeBaseFile(path));

type Store = Awaited<ReturnType<typeof openStore>>;

async function textOf({ backend }: Pick<Store, 'backend'>): Promise<string> {
  return backend.exportKnowledgeBase(async (entries) => {
    let text = '';
    for await (const piece of documentText(entries)) text += piece;
    return text;
  });
}

/** The knowledge base in the text, as an import reads it. */
async function parse(text: string): Promise<KnowledgeBase> {
  const path = join(temporaryFolder(), 'kb.json');
  writeFileSync(path, text);
  return read(path);
}

/** The order of these lists and of the versions of an article means nothing. */
const UNORDERED = {
  languages: ({ project_version_id: projectVersionId, code }) => `${projectVersionId} ${code}`,
  categories: ({ id: categoryId }) => categoryId,
  articles: ({ id: articleId }) => articleId,
  readers: ({ reader_id: readerId }) => readerId,
  invited_sso_users: ({ invitation_id: invitationId }) => invitationId,
} as const satisfies {
  readonly [List in keyof KnowledgeBaseLists]?: (entry: KnowledgeBaseLists[List][number]) => string;
};

const sortBy = <T>(entries: readonly T[], keyOf: (entry: T) => string): readonly T[] =>
  entries.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));

const sorted = (base: KnowledgeBase): KnowledgeBase => ({
  ...base,
  source: base.source ?? null,
  languages: sortBy(base.languages, UNORDERED.languages),
  categories: sortBy(base.categories, UNORDERED.categories),
  articles: sortBy(base.articles, UNORDERED.articles).map((article) => ({
    public_version: {},
    ...article,
    versions: sortBy(
      article.versions.map((version) => ({ status: 0 as const, ...version })),
      ({ lang_code: languageCode, version_number: versionNumber }) => `${languageCode} ${versionNumber + 1e9}`,
    ),
  })),
  readers: sortBy(base.readers, UNORDERED.readers),
  invited_sso_users: sortBy(base.invited_sso_users, UNORDERED.invited_sso_users),
});

const KNOWLEDGE_BASES: readonly (readonly [string, () => Promise<KnowledgeBase>])[] = [
  ['a small one', async () => ({ ...smallKnowledgeBase, source: 'By hand: "quoted",\nover two lines' })],
  ['the demo', async () => demoKnowledgeBase],
  ['the fixture', () => read(FIXTURE)],
  ...(existsSync(REAL) ? [['the real one', () => read(REAL)] as const] : []),
];

describe('exportKnowledgeBase', () => {
  it.each(KNOWLEDGE_BASES)('gives back what was imported: %s', async (_what, load) => {
    const base = await load();
    const text = await textOf(await openStore({ knowledgeBase: base }));
    const exported = await parse(text);
    expect(sorted(exported)).toEqual(sorted(base));
    expect(await textOf(await openStore({ knowledgeBase: exported }))).toBe(text);
  });

  it('has nothing of publishing where nothing is told of it', async () => {
    const articles = smallKnowledgeBase.articles.slice(1);
    const text = await textOf(
      await openStore({ knowledgeBase: { ...smallKnowledgeBase, team_accounts: [], articles, reader_groups: [] } }),
    );
    expect(text).not.toMatch(
      /team_accounts|embedded-store|"(?:url|public_version|status|description|created_at|created_by|authors)":/u,
    );
  });

  it('reads more entries than a page has', { tags: 'long' }, async () => {
    const [article, group] = [present(smallKnowledgeBase.articles[0]), present(smallKnowledgeBase.reader_groups[0])];
    const numbers = Array.from({ length: 2_100 }, (_, index) => index);
    const base: KnowledgeBase = {
      ...smallKnowledgeBase,
      categories: [
        ...smallKnowledgeBase.categories,
        ...numbers.map((n) => ({ ...present(smallKnowledgeBase.categories[2]), id: `category-${n}` })),
      ],
      articles: numbers.map((n) => ({ ...article, id: `article-${n}` })),
      reader_groups: numbers.slice(0, 25).map((n) => ({ ...group, groupId: `group-${n}` })),
    };
    const exported = await parse(await textOf(await openStore({ knowledgeBase: base })));
    expect(sorted(exported)).toEqual(sorted(base));
  });

  it('has what was written since the import', async () => {
    const store = await openStore();
    await store.backend.bulkUpdateArticles(caller, [
      { articleId: 'a2', title: 'New', content: 'Text', translationStatus: 'TRANSLATED', order: 9, hidden: true },
    ]);
    const { articles } = await parse(await textOf(store));
    expect(articles.find(({ id }) => id === 'a2')).toMatchObject({
      order: 9,
      hidden: true,
      versions: [{ title: 'New', content: 'Text', translation_option: '2' }],
    });
  });

  it('shows one state of the store, and keeps nobody from writing', async () => {
    const isPostgres = inject('postgresUrl') !== undefined;
    const databaseUrl = isPostgres ? await emptyDatabase() : `sqlite:${temporaryFolder()}/kb.db`;
    const store = await openStore({ databaseUrl });
    const writer = await openStore({ databaseUrl });
    const before = await textOf(store);
    const during = await store.backend.exportKnowledgeBase(async (entries) => {
      const written = await writer.backend.bulkUpdateArticles(caller, [{ articleId: 'a2', title: 'Meanwhile' }]);
      expect(written).toMatchObject({ ok: true, value: { outcomes: [{ kind: 'updated' }] } });
      let text = '';
      for await (const piece of documentText(entries)) text += piece;
      return text;
    });
    expect(during).toBe(before);
    expect(await textOf(store)).toContain('Meanwhile');
  });
});
