import type { Article } from '../../../domain/articles/bulk-updates.ts';
import type { Category, CategoryKey } from '../../../domain/articles/categories.ts';
import { ok } from '../../../domain/result.ts';
import type { CategoryTree, ReadTree } from './category-trees.ts';
import { defaultOf, type Edition, type ProjectVersionReads } from './project-versions.ts';
import type { Found, ReadSession } from './request-cache.ts';

export interface CategoryReads {
  roots(
    session: ReadSession,
    asked: Parameters<ProjectVersionReads['editionOf']>[1],
  ): Found<readonly Category[] | null>;
  byKey(session: ReadSession, key: CategoryKey): Found<Category | null>;
  children(session: ReadSession, parent: Category): Found<readonly Category[]>;
  ofArticle(session: ReadSession, article: Article): Found<Category | null>;
}

/** Every read of a category is answered from the trees, each of which is read once. */
export function createCategoryReads(projectVersions: ProjectVersionReads, readTree: ReadTree): CategoryReads {
  const inTree = async <T>(
    session: ReadSession,
    edition: Edition | null,
    find: (tree: CategoryTree) => T | undefined,
  ) => {
    const tree = edition === null ? ok(null) : await readTree(session, edition);
    if (!tree.ok) return tree;
    return ok(tree.value === null ? null : (find(tree.value) ?? null));
  };

  /** The default project version first; a category is known by its ID alone only by looking into each. */
  const inAnyTree = async (session: ReadSession, { categoryId, languageCode }: CategoryKey): Found<Category | null> => {
    const versions = await projectVersions.list(session);
    if (!versions.ok) return versions;
    const first = defaultOf(versions.value);
    const sorted = [...versions.value].sort((one, other) => Number(other === first) - Number(one === first));
    for (const { projectVersionId, languages } of sorted) {
      const code = languageCode ?? defaultOf(languages)?.code;
      if (code === undefined || !languages.some((language) => language.code === code)) continue;
      const found = await inTree(session, { projectVersionId, languageCode: code }, (tree) =>
        tree.branches.get(categoryId),
      );
      if (!found.ok) return found;
      if (found.value !== null) return ok(found.value.category);
    }
    return ok(null);
  };

  return {
    async roots(session, asked) {
      const edition = await projectVersions.editionOf(session, asked);
      return edition.ok ? inTree(session, edition.value, ({ roots }) => roots) : edition;
    },
    async byKey(session, key) {
      if (key.projectVersionId === undefined) return inAnyTree(session, key);
      const edition = await projectVersions.editionOf(session, key);
      if (!edition.ok) return edition;
      return inTree(session, edition.value, ({ branches }) => branches.get(key.categoryId)?.category);
    },
    async children(session, parent) {
      const found = await inTree(session, parent, ({ branches }) => branches.get(parent.categoryId)?.children);
      return found.ok ? ok(found.value ?? []) : found;
    },
    async ofArticle(session, { articleId, projectVersionId, languageCode, categoryId }) {
      if (projectVersionId === '') return categoryId ? inAnyTree(session, { categoryId, languageCode }) : ok(null);
      return inTree(
        session,
        { projectVersionId, languageCode },
        (tree) => tree.categoryOfArticle.get(articleId) ?? tree.branches.get(categoryId ?? '')?.category,
      );
    },
  };
}
