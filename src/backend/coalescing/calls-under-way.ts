import type { ArticleUpdate } from '../../domain/articles.ts';

/** The same for all IDs of one article: whether the service tells them apart by their case is not known. */
export const articleOf = ({ articleId }: ArticleUpdate): string => articleId.toLowerCase();

interface Updates {
  readonly updates: readonly ArticleUpdate[];
}

/** A call that is on its way. */
export interface CallUnderWay {
  readonly batch: readonly Updates[];
  /** Its articles, once somebody asked for one of them: mostly nobody does. */
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

  holdAnyOf({ updates }: Updates): boolean {
    return this.#calls.length > 0 && updates.some((update) => this.hold(articleOf(update)));
  }

  hold(article: string): boolean {
    return this.#calls.some((call) => {
      call.articles ??= new Set(call.batch.flatMap(({ updates }) => updates.map(articleOf)));
      return call.articles.has(article);
    });
  }
}
