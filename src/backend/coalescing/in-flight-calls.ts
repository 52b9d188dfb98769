import type { ArticleUpdate } from '../../domain/articles/bulk-updates.ts';

/** IDs are compared in lower case, because it is unknown whether the service treats them as case-sensitive. */
export const normalizedArticleId = ({ articleId }: ArticleUpdate): string => articleId.toLowerCase();

/** The set of article IDs is computed on first use, because most requests never need it. */
export interface RequestedUpdates {
  readonly updates: readonly ArticleUpdate[];
  articleIds: ReadonlySet<string> | null;
}

/** The set of article IDs is computed on first use here too. */
export interface InFlightCall {
  readonly batch: readonly RequestedUpdates[];
  articleIds: ReadonlySet<string> | null;
}

/** The in-flight calls of one token: a handful, so an array is searched. */
export class InFlightCalls {
  readonly #calls: InFlightCall[] = [];

  begin(batch: readonly RequestedUpdates[]): InFlightCall {
    const call: InFlightCall = { batch, articleIds: null };
    this.#calls.push(call);
    return call;
  }

  end(call: InFlightCall): void {
    this.#calls.splice(this.#calls.indexOf(call), 1);
  }

  includesAnyOf(request: RequestedUpdates): boolean {
    return this.#calls.some((call) => !articleIdsOfCall(call).isDisjointFrom(articleIdsOf(request)));
  }

  includes(articleId: string): boolean {
    return this.#calls.some((call) => articleIdsOfCall(call).has(articleId));
  }
}

function articleIdsOfCall(call: InFlightCall): ReadonlySet<string> {
  call.articleIds ??= articleIdsOfBatch(call.batch);
  return call.articleIds;
}

function articleIdsOfBatch(batch: readonly RequestedUpdates[]): ReadonlySet<string> {
  const [first] = batch;
  // The set of a single request was mostly computed before the request was sent.
  if (first && batch.length === 1) return articleIdsOf(first);
  return new Set(batch.flatMap(({ updates }) => updates.map(normalizedArticleId)));
}

export function articleIdsOf(request: RequestedUpdates): ReadonlySet<string> {
  request.articleIds ??= new Set(request.updates.map(normalizedArticleId));
  return request.articleIds;
}
