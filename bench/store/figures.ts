/** What an item of bulk updates of one size costs, where one call follows the other. */
export interface ItemCost {
  /** Of the median call: the gateway's time and the engine's, until the commit is on disk. */
  readonly microseconds: number;
  /** CPU time of the gateway's process; over SQLite that is the engine's too. */
  readonly cpu: number;
  /** CPU time of the server's processes; null where there is none, or where they cannot be looked at. */
  readonly serverCpu: number | null;
  /** Bytes: what SQLite writes to its log and its file, what PostgreSQL writes to its log. Null as above. */
  readonly written: number | null;
}

export interface CostRow {
  readonly items: number;
  readonly calls: number;
  /** Items that lie far apart in the store, */
  readonly scattered: ItemCost;
  /** and items that lie beside each other. */
  readonly neighbours: ItemCost;
  /** Milliseconds of a call of scattered items. */
  readonly p99: number;
  /** The same with eight callers at once. */
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
