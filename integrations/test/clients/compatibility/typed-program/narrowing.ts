import type { EditArticlesData } from './client-types.ts';

/** Each type of the union has the fields that were selected of it, and every error those of the interface. */
export function show({ bulkUpdateArticles: result }: EditArticlesData): readonly string[] {
  if (result === null || result === undefined) return [];
  if (result.__typename === 'BulkUpdateArticlesPayload') {
    return result.results.map((outcome) =>
      outcome.__typename === 'ArticleUpdated' ? (outcome.article?.title ?? '') : (outcome.details ?? ''),
    );
  }
  if (result.__typename === 'ValidationError') return result.issues.map(({ message }) => message);
  return [result.message];
}
