import { describe, expect, it } from 'vitest';
import {
  decodeArticle,
  decodeArticleVersion,
  decodeListedArticle,
  encodeArticle,
  encodeArticleVersion,
  encodeListedArticle,
} from '../../src/service/v2/articles.ts';
import { decodeCategoryNode, encodeCategory } from '../../src/service/v2/categories.ts';
import { decodeProjectVersion, encodeProjectVersion } from '../../src/service/v2/project-versions.ts';
import { decodeReaderGroup, encodeReaderGroup } from '../../src/service/v2/reader-groups.ts';
import { decodeReaderEntry, encodeReaderEntry } from '../../src/service/v2/readers.ts';
import { caller, nodesOf, openStore, present, value } from './store.ts';

/** The JSON that a client of the REST façade over this store would parse. */
const overTheWire = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

describe('a result of the store that is encoded and decoded as REST stays the same', () => {
  it('for whole articles and their versions', async () => {
    const { backend } = await openStore();
    await backend.bulkUpdateArticles(caller, [{ articleId: 'a1', hidden: true, translationStatus: 'TRANSLATED' }]);
    const keys = [{ articleId: 'a1' }, { articleId: 'a1', versionNumber: 1 }, { articleId: 'b1' }, { articleId: 'w1' }];
    const articles = (await backend.articles(caller, keys)).map((found) => present(value(found)));
    for (const article of articles) {
      const body = overTheWire(encodeArticle({ article, isFallback: false }));
      expect(decodeArticle(body, article)).toEqual({ article, isFallback: false });
    }
    for (const versions of (await backend.articleVersions(caller, articles)).map(value)) {
      expect(versions.map((version) => decodeArticleVersion(overTheWire(encodeArticleVersion(version))))).toEqual(
        versions,
      );
    }
  });

  it('for listed articles', async () => {
    const { backend } = await openStore();
    await backend.bulkUpdateArticles(caller, [{ articleId: 'a2', title: 'x' }]);
    const articles = nodesOf(present(value(await backend.listArticles(caller, {}, { limit: 10 }))));
    // The lists of the service do not name the category.
    const listed = articles.map(({ categoryId: _categoryId, ...article }) => article);
    expect(
      articles.map((article) => decodeListedArticle(overTheWire(encodeListedArticle(article)), article)?.article),
    ).toEqual(listed);
  });

  it('for project versions and categories', async () => {
    const { backend } = await openStore();
    const versions = value(await backend.projectVersions(caller));
    expect(versions.map((version) => decodeProjectVersion(overTheWire(encodeProjectVersion(version, 0))))).toEqual(
      versions,
    );
    const roots = present(value(await backend.rootCategories(caller, { projectVersionId: 'pv1' })));
    const children = (await backend.childCategories(caller, roots)).flatMap(value);
    const all = [...roots, ...children];
    const nodes = all.map((category) =>
      decodeCategoryNode(
        overTheWire(encodeCategory(category, [], [])),
        { projectVersionId: 'pv1', languageCode: 'en' },
        null,
      ),
    );
    expect(nodes.map((node) => node?.category)).toEqual(all);
  });

  it('for groups and readers', async () => {
    const { backend } = await openStore();
    const groups = nodesOf(value(await backend.listReaderGroups(caller, { limit: 10 })));
    const decoded = groups.map((group) => decodeReaderGroup(overTheWire(encodeReaderGroup(group))));
    // A scope of level 6 that is read as REST has its JSON too.
    expect(decoded.map((group) => JSON.stringify(group, (name, part) => (name === 'json' ? undefined : part)))).toEqual(
      groups.map((group) => JSON.stringify(group)),
    );
    const readers = nodesOf(value(await backend.listReaders(caller, null, { limit: 10 })));
    const entries = readers.map((reader) => ({ kind: 'reader', reader }) as const);
    expect(entries.map((entry) => decodeReaderEntry(overTheWire(encodeReaderEntry(entry))))).toEqual(entries);
  });
});
