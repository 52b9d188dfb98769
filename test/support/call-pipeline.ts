import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { type Limits, NotBegun, Semaphore, type Waiter } from '../../src/core/base/semaphore.ts';
import { TickQueue } from '../../src/core/base/tick-queue.ts';
import { noMetrics } from '../../src/core/metrics.ts';
import {
  type CallPipeline,
  type CallPipelineOptions,
  openCallPipeline,
} from '../../src/service/calls/call-pipeline.ts';

export type PipelineOptions = Partial<CallPipelineOptions> & Pick<CallPipelineOptions, 'baseUrl'>;

/** The calls to a service, through the whole pipeline. Closed after the test. */
export function openPipeline(options: PipelineOptions): CallPipeline {
  const pipeline = openCallPipeline({
    proxyUrl: null,
    userAgent: 'kb-gateway/test',
    timeoutMs: 5_000,
    maxSockets: 4,
    maxWaiting: 4,
    ticks: new TickQueue(),
    tracer: null,
    log: silentLog,
    metrics: noMetrics,
    shared: null,
    invalidations: null,
    ...options,
  });
  onTestFinished(() => pipeline.close());
  return pipeline;
}

const MANY: Limits = { total: 10_000, perKey: 10_000 };

/** So many slots that nothing waits for one. */
export const openSlots = (waiting = MANY): Semaphore => new Semaphore({ slots: MANY, waiting });

/** True once the applicant has a slot, which it keeps. */
export function takeSlot(slots: Semaphore, waiter: Waiter): Promise<boolean> {
  const begun = Promise.withResolvers<boolean>();
  const { promise: forever } = Promise.withResolvers<void>();
  const work = async () => {
    begun.resolve(true);
    await forever;
  };
  void slots.run(waiter, work).then((result) => begun.resolve(!(result instanceof NotBegun)));
  return begun.promise;
}
