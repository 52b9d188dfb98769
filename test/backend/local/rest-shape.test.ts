import { describe, expect, it } from 'vitest';
import {
  decodeArticle,
  decodeArticleVersions,
  decodeListedArticle,
  encodeArticle,
  encodeArticleVersion,
  encodeListedArticle,
} from '../../../src/v2/articles.ts';
import { decodeCategoryTree, encodeCategory } from '../../../src/v2/categories.ts';
import { decodeProjectVersions, encodeProjectVersion } from '../../../src/v2/project-versions.ts';
import { decodeReaderGroups, encodeReaderGroup } from '../../../src/v2/reader-groups.ts';
import { decodeReaderEntries, encodeReaderEntry } from '../../../src/v2/readers.ts';
import { caller, nodesOf, openStore, there, value } from './store.ts';

/** As it would come back from a gateway that serves this store as REST. */
const overTheWire = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

describe('what the store answers is what comes out when it is reached through REST', () => {
  it('for whole articles and their versions', async () => {
    const { backend } = await openStore();
    await backend.bulkUpdateArticles(caller, [{ articleId: 'a1', hidden: true, translationStatus: 'TRANSLATED' }]);
    const keys = [{ articleId: 'a1' }, { articleId: 'a1', versionNumber: 1 }, { articleId: 'b1' }, { articleId: 'w1' }];
    const articles = (await backend.articles(caller, keys)).map((found) => there(value(found)));
    for (const article of articles) {
      const body = overTheWire(encodeArticle({ article, isFallBack: false }));
      expect(decodeArticle(body, article)).toEqual({ article, isFallBack: false });
    }
    for (const versions of (await backend.articleVersions(caller, articles)).map(value)) {
      expect(decodeArticleVersions(overTheWire(versions.map(encodeArticleVersion)))).toEqual(versions);
    }
  });

  it('for listed articles', async () => {
    const { backend } = await openStore();
    await backend.bulkUpdateArticles(caller, [{ articleId: 'a2', title: 'x' }]);
    const articles = nodesOf(there(value(await backend.listArticles(caller, {}, { limit: 10 }))));
    expect(articles.map((article) => decodeListedArticle(overTheWire(encodeListedArticle(article)), article))).toEqual(
      articles,
    );
  });

  it('for project versions and categories', async () => {
    const { backend } = await openStore();
    const versions = value(await backend.projectVersions(caller));
    expect(decodeProjectVersions(overTheWire(versions.map(encodeProjectVersion)))).toEqual(versions);
    const roots = there(value(await backend.rootCategories(caller, { projectVersionId: 'pv1' })));
    const children = (await backend.childCategories(caller, roots)).flatMap(value);
    const all = [...roots, ...children];
    const tree = all.map((category) => encodeCategory(category, [], []));
    const nodes = decodeCategoryTree(overTheWire(tree), { projectVersionId: 'pv1', languageCode: 'en' });
    expect(nodes?.map(({ category }) => category)).toEqual(all);
  });

  it('for groups and readers', async () => {
    const { backend } = await openStore();
    const groups = nodesOf(value(await backend.listReaderGroups(caller, { limit: 10 })));
    expect(decodeReaderGroups(overTheWire(groups.map(encodeReaderGroup)))).toEqual(groups);
    const readers = nodesOf(value(await backend.listReaders(caller, null, { limit: 10 })));
    const entries = readers.map((reader) => encodeReaderEntry({ kind: 'reader', reader }));
    expect(decodeReaderEntries(overTheWire(entries))).toEqual(readers.map((reader) => ({ kind: 'reader', reader })));
  });
});
