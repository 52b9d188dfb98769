import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Meter } from '@opentelemetry/api';
import { createObservable } from './instruments.ts';
import { METRICS } from './metrics.ts';

/** Measures the process itself. The result ends that. */
export function observeProcess(meter: Meter): () => void {
  const delays = new EventLoopDelays();
  const observe = (definition: (typeof METRICS)[keyof typeof METRICS], read: () => number) =>
    createObservable(meter, definition).addCallback((result) => result.observe(read()));
  observe(METRICS.eventLoopDelayMax, () => delays.maxSeconds());
  observe(METRICS.eventLoopDelayP99, () => delays.p99Seconds());
  observe(METRICS.memory, () => process.memoryUsage.rss());
  observe(METRICS.heapUsed, () => getHeapStatistics().used_heap_size);
  createObservable(meter, METRICS.cpuTime).addCallback((result) => {
    const { user, system } = process.cpuUsage();
    result.observe(user / 1_000_000, { 'cpu.mode': 'user' });
    result.observe(system / 1_000_000, { 'cpu.mode': 'system' });
  });
  return () => delays.close();
}

/** Milliseconds between two measurements, which the measured delays contain. */
const RESOLUTION_MS = 10;

/** A window that is so old is followed by another one when it is read. */
const WINDOW_MS = 15_000;

/**
 * The delays of the event loop in this window and the one before. So everybody who reads once in a window, or less
 * often, sees each delay, however many read.
 */
class EventLoopDelays {
  #current = startHistogram();
  #previous: ELDHistogram | null = null;
  #startedAt = performance.now();

  maxSeconds(): number {
    return this.#worst((histogram) => histogram.max);
  }

  p99Seconds(): number {
    return this.#worst((histogram) => histogram.percentile(99));
  }

  close(): void {
    this.#current.disable();
  }

  #worst(read: (histogram: ELDHistogram) => number): number {
    this.#advance();
    const nanoseconds = [this.#current, this.#previous].map((histogram) =>
      histogram === null || histogram.count === 0 ? 0 : read(histogram),
    );
    return Math.max(0, Math.max(...nanoseconds) / 1e9 - RESOLUTION_MS / 1_000);
  }

  #advance(): void {
    const now = performance.now();
    if (now - this.#startedAt < WINDOW_MS) return;
    this.#current.disable();
    this.#previous = this.#current;
    this.#current = startHistogram();
    this.#startedAt = now;
  }
}

function startHistogram(): ELDHistogram {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return histogram;
}
