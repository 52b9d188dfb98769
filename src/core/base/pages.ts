/** Requests a page of a list, which begins after a cursor or, for callers that number their pages, at a position. */
export interface PageRequest {
  readonly limit: number;
  /** A cursor of an earlier page. */
  readonly after?: string | null | undefined;
  /** The number of entries before the page. Never given together with `after`. */
  readonly skip?: number | undefined;
  /** True where `hasNextPage` and `totalCount` are not used, so that nothing is read for them alone. */
  readonly itemsOnly?: boolean | undefined;
}

export interface Edge<T> {
  /** The cursor is opaque: only the backend that made it can read it. */
  readonly cursor: string;
  readonly node: T;
}

/** An edge whose cursor is made on demand, since most queries select only the nodes. */
export class LazyEdge<T> implements Edge<T> {
  readonly node: T;
  readonly #createCursor: () => string;

  constructor(node: T, createCursor: () => string) {
    this.node = node;
    this.#createCursor = createCursor;
  }

  get cursor(): string {
    return this.#createCursor();
  }
}

export interface PageOf<T, Count> {
  readonly edges: readonly Edge<T>[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Counts the whole list; null when the service has no total. */
  readonly totalCount: (() => Count) | null;
}

/** The same page with other nodes, one for each edge. */
export const withNodes = <T, Count>(page: PageOf<T, Count>, nodes: readonly T[]): PageOf<T, Count> => ({
  ...page,
  edges: page.edges.map((edge, index) => new LazyEdge(nodes[index] ?? edge.node, () => edge.cursor)),
});

/** A page whose total is a statement that may fail. The guard of the backend converts its errors to values. */
export type StoredPage<T> = PageOf<T, Promise<number>>;
