import type { Article, ArticleFilter } from '../../../domain/articles/bulk-updates.ts';
import type { Category } from '../../../domain/articles/categories.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import { ok } from '../../../domain/result.ts';
import type { ArticleLists } from './article-lists.ts';
import type { ReadTree } from './category-trees.ts';
import { listOf, pageOf } from './paging.ts';
import type { ProjectVersionReads } from './project-versions.ts';
import type { Found, ReadSession } from './request-cache.ts';

/** Articles as they are found from elsewhere: from a filter, a category, another translation. */
export interface ArticleLinks {
  matching(session: ReadSession, filter: ArticleFilter, request: PageRequest): Found<Page<Article> | null>;
  inCategory(session: ReadSession, category: Category, request: PageRequest): Found<Page<Article>>;
  translations(session: ReadSession, article: Article): Found<readonly Article[]>;
}

export interface ArticleLinksOptions {
  readonly projectVersions: ProjectVersionReads;
  readonly lists: ArticleLists;
  readonly readTree: ReadTree;
}

export function createArticleLinks({ projectVersions, lists, readTree }: ArticleLinksOptions): ArticleLinks {
  const languagesOf = async (session: ReadSession, article: Article): Found<readonly string[]> => {
    const versions = await projectVersions.list(session);
    if (!versions.ok) return versions;
    const version = versions.value.find(({ projectVersionId }) => projectVersionId === article.projectVersionId);
    const codes = (version?.languages ?? []).map(({ code }) => code);
    return ok([...new Set([...codes, article.languageCode])].sort());
  };

  /** One list serves every article of a language, where reading them one by one would cost a call each. */
  const translationOf = async (session: ReadSession, article: Article, languageCode: string): Found<Article | null> => {
    if (languageCode === article.languageCode && !article.pinned) return ok(article);
    const list = await lists.whole(session, { projectVersionId: article.projectVersionId, languageCode });
    return list.ok ? ok(list.value.get(article.articleId) ?? null) : list;
  };

  return {
    async matching(session, { categoryId, ...asked }, request) {
      const edition = await projectVersions.editionOf(session, asked);
      if (!edition.ok || edition.value === null) return edition.ok ? ok(null) : edition;
      if (categoryId === undefined) return lists.page(session, edition.value, request);
      const tree = await readTree(session, edition.value);
      if (!tree.ok) return tree;
      const branch = tree.value?.branches.get(categoryId);
      return branch ? pageOf(articlesInHand(branch.articles), request) : ok(null);
    },
    async inCategory(session, category, request) {
      const tree = await readTree(session, category);
      if (!tree.ok) return tree;
      return pageOf(articlesInHand(tree.value?.branches.get(category.categoryId)?.articles ?? []), request);
    },
    async translations(session, article) {
      const codes = await languagesOf(session, article);
      if (!codes.ok) return codes;
      const found: Article[] = [];
      for (const languageCode of codes.value) {
        const translation = await translationOf(session, article, languageCode);
        if (!translation.ok) return translation;
        if (translation.value !== null) found.push(translation.value);
      }
      return ok(found);
    },
  };
}

const articlesInHand = (articles: readonly Article[]) => listOf(articles, ({ articleId }) => articleId);
