/** What bulk updates of one size cost. */
export interface CostRow {
  readonly items: number;
  readonly calls: number;
  /** Of the median call, one after the other: the gateway's time and the engine's, until the commit is on disk. */
  readonly microsecondsPerItem: number;
  /** CPU time of the gateway's process; over SQLite that is the engine's too. */
  readonly cpuPerItem: number;
  /** Milliseconds of a call. */
  readonly p99: number;
  /** With eight callers at once. */
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

/** A store of one size on one engine. */
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
