/** One page of a list: forward from a cursor, or from a position where the asker counts pages. */
export interface PageRequest {
  readonly limit: number;
  /** A cursor of an earlier page: the page begins behind it. */
  readonly after?: string | null | undefined;
  /** How many to pass over; not together with `after`. */
  readonly skip?: number | undefined;
}

export interface Edge<T> {
  /** Opaque; only the backend that made it can read it. */
  readonly cursor: string;
  readonly node: T;
}

export interface Page<T> {
  readonly edges: readonly Edge<T>[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Counts the whole list when asked; null where the service has no total. */
  readonly totalCount: (() => Promise<number>) | null;
}
