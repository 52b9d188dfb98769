import type { Fence } from '../../base/fence.ts';
import type { LedgerItem } from '../../state/ledger.ts';
import type { BoundToken } from '../caller-keys.ts';
import { type ChunkResult, chunkResultOf, isWhollyUnknown, type NextStep, unknownChunk } from './chunk-result.ts';
import { type JobContext, jobCaller } from './job-context.ts';

/** The calls whose durations are remembered. */
const REMEMBERED_CALLS = 10;

interface ChunkSenderOptions {
  readonly context: JobContext;
  readonly jobId: string;
  readonly token: BoundToken;
}

export interface SentChunk extends ChunkResult {
  /** True when nothing is known of any item. */
  readonly isWhollyUnknown: boolean;
}

/** Sends the chunks of one job. */
export class ChunkSender {
  readonly #options: ChunkSenderOptions;
  #durations: readonly number[] = [];

  constructor(options: ChunkSenderOptions) {
    this.#options = options;
  }

  /** The durations of the last calls, in milliseconds. */
  get durations(): readonly number[] {
    return this.#durations;
  }

  async send(chunk: readonly LedgerItem[], fence: Fence | undefined): Promise<SentChunk> {
    const { context, jobId, token } = this.#options;
    const startedAt = context.clock.monotonic();
    const updates = chunk.map(({ update }) => update);
    let result: ChunkResult;
    try {
      const caller = { ...jobCaller(context, jobId, token), fence };
      result = chunkResultOf(chunk, await context.backend.bulkUpdateArticles(caller, updates));
    } catch (error) {
      context.log('error', 'a call of a job has failed unexpectedly', { requestId: jobId, error });
      result = unknownChunk(chunk);
    }
    if (result.ended.length > 0)
      this.#durations = [...this.#durations, context.clock.monotonic() - startedAt].slice(-REMEMBERED_CALLS);
    return { ...result, isWhollyUnknown: isWhollyUnknown(result) };
  }

  /**
   * Asks whether the service answers again, by a read: another write to a service that fails would only be unknown as
   * well. Other errors than these say that it does.
   */
  async checkService(): Promise<NextStep> {
    const { context, jobId, token } = this.#options;
    const versions = await context.backend.projectVersions(jobCaller(context, jobId, token));
    if (versions.ok) return { kind: 'go-on' };
    const { error } = versions;
    if (error.kind === 'unauthenticated') return { kind: 'pause' };
    if (error.kind === 'rate-limited')
      return { kind: 'wait', wait: 'RATE_LIMIT', retryAfterSeconds: error.retryAfterSeconds };
    return error.kind === 'unavailable' || error.kind === 'outcome-unknown'
      ? { kind: 'wait', wait: 'SERVICE', retryAfterSeconds: null }
      : { kind: 'go-on' };
  }
}
