import type { ArticleUpdate } from '../../domain/articles/bulk-updates.ts';

/** A bulk update, with the IDs of its articles in the form in which they are compared. */
export interface RequestedUpdates {
  readonly updates: readonly ArticleUpdate[];
  readonly articleIds: readonly string[];
}

/** IDs are compared in lower case, because it is unknown whether the service treats them as case-sensitive. */
export const comparedArticleIds = (updates: readonly ArticleUpdate[]): readonly string[] =>
  updates.map(({ articleId }) => articleId.toLowerCase());

/** The articles of the in-flight calls of one token. No two of these calls have an article in common. */
export class InFlightArticles {
  readonly #articleIds = new Set<string>();

  /** Takes the requests of a call that begins, of which this includes no article. */
  begin(batch: readonly RequestedUpdates[]): void {
    for (const { articleIds } of batch) for (const articleId of articleIds) this.#articleIds.add(articleId);
  }

  end(batch: readonly RequestedUpdates[]): void {
    for (const { articleIds } of batch) for (const articleId of articleIds) this.#articleIds.delete(articleId);
  }

  includesAnyOf({ articleIds }: RequestedUpdates): boolean {
    return this.#articleIds.size > 0 && articleIds.some((articleId) => this.#articleIds.has(articleId));
  }

  includes(articleId: string): boolean {
    return this.#articleIds.has(articleId);
  }
}
