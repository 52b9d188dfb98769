/** The cost of an item in sequential bulk updates of one size. */
export interface ItemCost {
  /** The time of the median call until the commit is on disk, in gateway and engine. */
  readonly microseconds: number;
  /** CPU time of the gateway's process, in microseconds, which includes SQLite. */
  readonly cpu: number;
  /** CPU time of the server's processes, in microseconds. Null without a server, and when it cannot be read. */
  readonly serverCpu: number | null;
  /** Bytes that SQLite writes to its log and file, or PostgreSQL to its log. Null when they cannot be read. */
  readonly written: number | null;
}

export interface CostRow {
  readonly items: number;
  readonly calls: number;
  /** Items that are far apart in the store. */
  readonly scattered: ItemCost;
  /** Items that are next to each other in the store. */
  readonly neighbours: ItemCost;
  /** Latency of a call of scattered items, in milliseconds. */
  readonly p99: number;
  /** Scattered items per second with eight concurrent callers. */
  readonly itemsPerSecondOf8: number;
}

export interface MemoryRow {
  readonly calls: number;
  readonly rss: number;
  readonly heapUsed: number;
}

export interface StoreFigures {
  readonly cost: readonly CostRow[];
  readonly memory: readonly MemoryRow[];
}

export type EngineName = 'SQLite' | 'PostgreSQL';

/** The figures of a store of one size on one engine. */
export interface StoreRun extends StoreFigures {
  readonly engine: EngineName;
  readonly articles: number;
  readonly fillSeconds: number;
}

export interface StoreReport {
  readonly at: string;
  readonly command: string;
  readonly machine: string;
  readonly loadAverage: number;
  readonly runs: readonly StoreRun[];
}
