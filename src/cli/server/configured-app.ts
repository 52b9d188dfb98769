import type { Tracer } from '@opentelemetry/api';
import { createApp } from '../../app.ts';
import type { Backend } from '../../backend/backend.ts';
import type { TickQueue } from '../../base/json/tick-queue.ts';
import type { Log } from '../../base/log.ts';
import { isLogged } from '../../base/logger.ts';
import type { Config } from '../../config.ts';
import { type Metrics, noMetrics } from '../../domain/metrics.ts';
import { createRequestLog } from '../../http/request-log.ts';
import { recordRequestEnds } from '../../http/request-metrics.ts';
import type { Jobs } from '../../jobs/create-jobs.ts';
import type { Access } from '../access/access.ts';
import { packageVersion } from '../package-version.ts';
import type { SubgraphDocuments } from '../persisted-documents.ts';

interface AppParts {
  readonly config: Config;
  readonly access: Access;
  readonly backend: Backend;
  readonly jobs: Jobs;
  readonly documents: SubgraphDocuments;
  readonly ticks: TickQueue;
  readonly tracer: Tracer | null;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly basePath: string;
}

/** An upstream write that begins just before the deadline of its request may still take its whole timeout. */
export const maxResponseMsOf = ({ requestTimeoutMs, backend }: Config): number =>
  requestTimeoutMs + (backend.kind === 'rest' ? backend.timeoutMs : 0);

/** Queries over the embedded store make no upstream calls. */
export const maxUpstreamCallsOf = ({ backend }: Config): number =>
  backend.kind === 'rest' ? backend.maxReadCalls : Number.POSITIVE_INFINITY;

/** Creates the gateway of the settings. It is not ready any more once `stopping` is aborted. */
export function createConfiguredApp(parts: AppParts, stopping: AbortSignal) {
  const { config, access, backend, jobs, documents, ticks, tracer, log, metrics, basePath } = parts;
  const { introspection, corsOrigins, maxBodyBytes, maxBulkItems, requestTimeoutMs, callerRequestsPerMinute } = config;
  const limits = { ...config.limits, maxBodyBytes, maxBulkItems, requestTimeoutMs, callerRequestsPerMinute };
  const maxUpstreamCalls = maxUpstreamCallsOf(config);
  return createApp({
    jobs: jobs.articleUpdateJobs,
    keys: jobs.idempotencyKeys,
    backend,
    local: config.backend.kind === 'local',
    clients: access.clients,
    lend: access.lend,
    limits: { ...limits, maxUpstreamCalls },
    corsOrigins,
    introspection,
    documents,
    subgraphSdl: documents.subgraphSdl,
    mcp: config.mcp.http ? { writes: config.mcp.writes, version: packageVersion() } : null,
    basePath,
    isStopping: () => stopping.aborted,
    ticks,
    tracer,
    log,
    // Below its level no line is put together.
    onRequestEnd: [
      ...(isLogged('info', config.log.level) ? [createRequestLog(log)] : []),
      ...(metrics === noMetrics ? [] : [recordRequestEnds(metrics)]),
    ],
  });
}
