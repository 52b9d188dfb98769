import type { Article } from '../../domain/articles.ts';
import type { Category } from '../../domain/categories.ts';
import { ok } from '../../domain/result.ts';
import { decodeListedArticle } from '../../v2/articles.ts';
import { type CategoryNode, decodeCategoryTree } from '../../v2/categories.ts';
import type { Edition } from './project-versions.ts';
import { decodedList, mapInSteps, nullWhereAbsent } from './read-answer.ts';
import { canBeNamed, createMemo, type Found, type ReadSession } from './read-session.ts';

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
      const nodes = await decodedList(payload, (entry) => decodeCategoryTree([entry], edition)?.[0] ?? null);
      if (!nodes.ok) return nullWhereAbsent(nodes);
      return ok(
        await treeOf(
          nodes.value.filter((node) => node !== null),
          edition,
        ),
      );
    });
  };
}

async function treeOf(nodes: readonly CategoryNode[], edition: Edition): Promise<CategoryTree> {
  const branches = new Map<string, Branch>();
  const categoryOfArticle = new Map<string, Category>();
  const waiting: CategoryNode[] = [...nodes];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { category, children } = node;
    const articles = (await mapInSteps(node.articles, (entry) => articleIn(category, entry, edition))).flat();
    branches.set(category.categoryId, { category, children: categoriesOf(children), articles });
    for (const { articleId } of articles) categoryOfArticle.set(articleId, category);
    waiting.push(...children);
  }
  return { roots: categoriesOf(nodes), branches, categoryOfArticle };
}

const categoriesOf = (nodes: readonly CategoryNode[]) => nodes.map(({ category }) => category);

function articleIn(category: Category, entry: unknown, edition: Edition): readonly Article[] {
  const article = decodeListedArticle(entry, edition);
  if (article === null || !isOfLanguage(article, edition)) return [];
  return [{ ...article, categoryId: category.categoryId }];
}

/** A service may list an article in its default language where it has no translation; language codes ignore case. */
export const isOfLanguage = (article: Article, { languageCode }: Pick<Edition, 'languageCode'>): boolean =>
  article.languageCode.toLowerCase() === languageCode.toLowerCase();
