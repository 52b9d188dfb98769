import type { Dialect, Operation } from '../workloads.ts';

/** One stretch of load. Every connection sends its next request when the answer to the one before is there. */
export interface LoadJob {
  readonly port: number;
  readonly operation: Operation;
  readonly dialect: Dialect;
  /** Items in each bulk update. */
  readonly items: number;
  readonly connections: number;
  /** No request begins after this. */
  readonly milliseconds: number;
  /** How long a connection rests between two requests, in milliseconds. */
  readonly pauseMs: number;
  /** How many requests a connection sends at most. */
  readonly requestsPerConnection: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The first answer that was not what it should be, shortened. */
  readonly failure: string | null;
}
