import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { MergedMetricsPage } from '../../telemetry/merged-metrics.ts';
import type { CollectedMetrics, Telemetry } from '../../telemetry/start-telemetry.ts';

/** The IPC message that asks a worker for its metrics. */
const METRICS_REQUEST = 'which metrics';

/** The IPC message with them. */
interface MetricsMessage {
  readonly metrics: CollectedMetrics;
}

const isMetricsMessage = (message: unknown): message is MetricsMessage =>
  typeof message === 'object' && message !== null && 'metrics' in message;

/** How long the supervisor waits for a worker, whose event loop may be blocked, in milliseconds. */
const ANSWER_TIMEOUT_MS = 1_000;

/** Answers the supervisor. Must be called in a worker. */
export function answerMetricsRequests({ collect }: Telemetry): void {
  process.on('message', async (message) => {
    if (message !== METRICS_REQUEST) return;
    const answer: MetricsMessage = { metrics: await collect() };
    // Sending fails if the supervisor has ended, which does not matter.
    process.send?.(answer, undefined, undefined, () => {});
  });
}

/** Returns the metrics of all workers as one page. Must be called in the supervisor. */
export function collectWorkerMetrics({ mergeWorkers, onWorkerEnd }: MergedMetricsPage): () => Promise<string> {
  /** The requests without an answer. A worker has one at most, so that a blocked one gets no queue of them. */
  const pending = new Map<number, Promise<CollectedMetrics>>();
  /** A worker that only starts yet would lose the request. */
  const listening = new Map<number, Worker>();
  cluster.on('listening', (worker) => listening.set(worker.id, worker));
  cluster.on('exit', ({ id }) => {
    listening.delete(id);
    pending.delete(id);
    onWorkerEnd(id);
  });
  const request = (worker: Worker) => {
    const answer = pending.get(worker.id) ?? requestMetrics(worker).finally(() => pending.delete(worker.id));
    pending.set(worker.id, answer);
    return answer;
  };
  return async () => {
    const timeout = new AbortController();
    const noAnswer = delay(ANSWER_TIMEOUT_MS, null, { signal: timeout.signal }).catch(() => null);
    const answers = [...listening.values()].map(
      async (worker) => [worker.id, await Promise.race([request(worker), noAnswer])] as const,
    );
    // A worker that has ended meanwhile is left out: the counts of its answer before are kept already.
    return Promise.all(answers)
      .then((entries) => mergeWorkers(new Map(entries.filter(([id]) => listening.has(id)))))
      .finally(() => timeout.abort());
  };
}

function requestMetrics(worker: Worker): Promise<CollectedMetrics> {
  return new Promise((resolve) => {
    const onMessage = (message: unknown) => {
      if (!isMetricsMessage(message)) return;
      worker.off('message', onMessage);
      resolve(message.metrics);
    };
    worker.on('message', onMessage);
    // Sending fails if the worker has ended meanwhile, which does not matter.
    worker.send(METRICS_REQUEST, () => {});
  });
}
