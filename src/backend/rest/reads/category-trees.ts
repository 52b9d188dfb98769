import type { Article } from '../../../domain/articles/bulk-updates.ts';
import type { Category } from '../../../domain/articles/categories.ts';
import { ok } from '../../../domain/result.ts';
import { decodeListedArticle } from '../../../v2/articles.ts';
import { decodeCategoryNode, type RawCategoryNode } from '../../../v2/categories.ts';
import type { Edition } from './project-versions.ts';
import { decodedList, mapInSteps, nullWhereAbsent } from './read-response.ts';
import { canBeNamed, createMemo, type Found, type ReadSession } from './request-cache.ts';

export interface Branch {
  readonly category: Category;
  readonly children: readonly Category[];
  readonly articles: readonly Article[];
}

/** All categories of an edition, and what is in them: the one call that tells which category an article is in (facts, 1). */
export interface CategoryTree {
  readonly roots: readonly Category[];
  readonly branches: ReadonlyMap<string, Branch>;
  readonly categoryOfArticle: ReadonlyMap<string, Category>;
}

/** Null where the project version or the language does not exist. */
export type ReadTree = (session: ReadSession, edition: Edition) => Found<CategoryTree | null>;

export function createTreeReads(): ReadTree {
  const memo = createMemo<CategoryTree | null>();
  return async (session, edition) => {
    const { projectVersionId, languageCode } = edition;
    if (!canBeNamed(projectVersionId, languageCode)) return ok(null);
    return memo(session, `${projectVersionId}\n${languageCode}`, async () => {
      const payload = await session.get(['ProjectVersions', projectVersionId, 'categories'], {
        excludeArticles: false,
        langCode: languageCode,
        includeCategoryDescription: false,
      });
      const roots = await decodedList(payload, (entry) => decodeCategoryNode(entry, edition, null));
      return roots.ok ? ok(await treeOf(readable(roots.value), edition)) : nullWhereAbsent(roots);
    });
  };
}

async function treeOf(roots: readonly RawCategoryNode[], edition: Edition): Promise<CategoryTree> {
  const branches = new Map<string, Branch>();
  const categoryOfArticle = new Map<string, Category>();
  const waiting: RawCategoryNode[] = [...roots];
  const pace = { entries: 0 };
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { category } = node;
    const { categoryId } = category;
    const articles = (await mapInSteps(node.articles, (entry) => articleIn(category, entry, edition), pace)).flat();
    const decode = (entry: unknown) => decodeCategoryNode(entry, edition, categoryId);
    const children = readable(await mapInSteps(node.children, decode, pace));
    branches.set(categoryId, { category, children: categoriesOf(children), articles });
    for (const { articleId } of articles) categoryOfArticle.set(articleId, category);
    for (const child of children) waiting.push(child);
  }
  return { roots: categoriesOf(roots), branches, categoryOfArticle };
}

const readable = (nodes: readonly (RawCategoryNode | null)[]) => nodes.filter((node) => node !== null);

const categoriesOf = (nodes: readonly RawCategoryNode[]) => nodes.map(({ category }) => category);

function articleIn(category: Category, entry: unknown, edition: Edition): readonly Article[] {
  const article = decodeListedArticle(entry, edition);
  if (article === null || !isOfLanguage(article, edition)) return [];
  return [{ ...article, categoryId: category.categoryId }];
}

/** A service may list an article in its default language where it has no translation; language codes ignore case. */
export const isOfLanguage = (article: Article, { languageCode }: Pick<Edition, 'languageCode'>): boolean =>
  article.languageCode.toLowerCase() === languageCode.toLowerCase();
