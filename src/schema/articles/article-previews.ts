import { type ArticlePreview, previewArticleUpdates } from '../../domain/articles/article-previews.ts';
import { type ArticleUpdate, articleKeyOf } from '../../domain/articles/bulk-updates.ts';
import type { Category } from '../../domain/articles/categories.ts';
import type { BackendError } from '../../domain/errors.ts';
import { ok, type Result } from '../../domain/result.ts';
import { builder } from '../builder.ts';
import { type Context, loadAll } from '../context.ts';
import { FieldChangeType } from '../field-changes.ts';
import { ArticleType } from './articles.ts';
import { CategoryType } from './categories.ts';

interface ItemPreview extends ArticlePreview {
  readonly index: number;
}

export interface BulkUpdatePreviewPayload {
  readonly kind: 'preview';
  readonly items: readonly ItemPreview[];
}

const ArticleUpdatePreview = builder.objectRef<ItemPreview>('ArticleUpdatePreview').implement({
  description: 'What one item would do.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'The position of the item in the submitted list, from 0.' }),
    articleId: t.exposeID('articleId', { description: 'The article, as it was submitted.' }),
    wouldSucceed: t.boolean({
      description: 'Whether nothing speaks against the item.',
      resolve: ({ problem }) => problem === null,
    }),
    details: t.exposeString('problem', { nullable: true, description: 'What speaks against it.' }),
    movesTo: t.expose('movesTo', {
      type: CategoryType,
      nullable: true,
      description: 'The category that the article would move to; null where it would stay where it is.',
    }),
    changes: t.expose('changes', {
      type: [FieldChangeType],
      description: 'What would change; empty where nothing would.',
    }),
    article: t.expose('article', {
      type: ArticleType,
      nullable: true,
      description: 'The article as it stands before the item; null where it does not exist.',
    }),
  }),
});

const BulkPreviewSummary = builder.objectRef<readonly ItemPreview[]>('BulkUpdatePreviewSummary').implement({
  description: 'How many items would do what.',
  fields: (t) => ({
    total: t.int({ description: 'All submitted items.', resolve: (items) => items.length }),
    changed: t.int({
      description: 'Items that would change something.',
      resolve: (items) => items.filter(({ changes }) => changes.length > 0).length,
    }),
    unchanged: t.int({
      description: 'Items that would succeed and change nothing.',
      resolve: (items) => items.filter(({ problem, changes }) => problem === null && changes.length === 0).length,
    }),
    failing: t.int({
      description: 'Items that would fail.',
      resolve: (items) => items.filter(({ problem }) => problem !== null).length,
    }),
  }),
});

export const BulkUpdateArticlesPreview = builder
  .objectRef<BulkUpdatePreviewPayload>('BulkUpdateArticlesPreview')
  .implement({
    description: 'What the bulk update would change. Nothing was written.',
    fields: (t) => ({
      results: t.expose('items', {
        type: [ArticleUpdatePreview],
        description: 'One for each submitted item, in the submitted order.',
      }),
      summary: t.expose('items', { type: BulkPreviewSummary, description: 'The items counted.' }),
    }),
  });

export async function loadBulkUpdatePreview(
  context: Context,
  updates: readonly ArticleUpdate[],
): Promise<Result<BulkUpdatePreviewPayload, BackendError>> {
  const articles = await loadAll(context, updates, (update) => context.loaders.articles.load(articleKeyOf(update)));
  const targetCategories = await loadAll(context, updates, async ({ categoryId }, index): Promise<Category | null> => {
    const article = articles[index];
    if (!article || categoryId == null) return null;
    const { projectVersionId, languageCode } = article;
    return context.loaders.categories.load({ categoryId, projectVersionId, languageCode });
  });
  const items = previewArticleUpdates({ updates, articles, targetCategories }).map((item, index) => ({
    ...item,
    index,
  }));
  return ok({ kind: 'preview', items });
}
