import type { ArticleUpdate } from '../../domain/articles/bulk-updates.ts';

/** The same for all IDs of one article: whether the service tells them apart by their case is not known. */
export const articleOf = ({ articleId }: ArticleUpdate): string => articleId.toLowerCase();

/** Updates, and their articles once somebody asked for one of them: mostly nobody does. */
export interface Updates {
  readonly updates: readonly ArticleUpdate[];
  articles: ReadonlySet<string> | null;
}

/** A call that is on its way, and its articles likewise. */
export interface CallUnderWay {
  readonly batch: readonly Updates[];
  articles: ReadonlySet<string> | null;
}

/** The few calls of one token that are under way. */
export class CallsUnderWay {
  readonly #calls: CallUnderWay[] = [];

  begin(batch: readonly Updates[]): CallUnderWay {
    const call: CallUnderWay = { batch, articles: null };
    this.#calls.push(call);
    return call;
  }

  end(call: CallUnderWay): void {
    this.#calls.splice(this.#calls.indexOf(call), 1);
  }

  holdAnyOf(these: Updates): boolean {
    return this.#calls.some((call) => !articlesOfCall(call).isDisjointFrom(articlesOf(these)));
  }

  hold(article: string): boolean {
    return this.#calls.some((call) => articlesOfCall(call).has(article));
  }
}

function articlesOfCall(call: CallUnderWay): ReadonlySet<string> {
  call.articles ??= articlesOfBatch(call.batch);
  return call.articles;
}

function articlesOfBatch(batch: readonly Updates[]): ReadonlySet<string> {
  const [first] = batch;
  // Of one list they were looked up before it went.
  if (first && batch.length === 1) return articlesOf(first);
  return new Set(batch.flatMap(({ updates }) => updates.map(articleOf)));
}

function articlesOf(these: Updates): ReadonlySet<string> {
  these.articles ??= new Set(these.updates.map(articleOf));
  return these.articles;
}
