import type { Tracer } from '@opentelemetry/api';
import type { Backend } from '../../backend/backend.ts';
import { openBackend } from '../../backend/open-backend.ts';
import type { Config } from '../../config.ts';
import type { TickQueue } from '../../domain/json/tick-queue.ts';
import type { Log } from '../../domain/log.ts';
import type { Metrics } from '../../domain/metrics.ts';
import type { Access } from '../access/access.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { userAgent } from '../package-version.ts';

interface BackendContext extends Access {
  readonly audit: AuditLog | null;
  readonly ticks: TickQueue;
  readonly tracer: Tracer | null;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Opens the backend of the settings. */
export const openConfiguredBackend = (
  config: Config,
  { tokens: apiTokens, ...context }: BackendContext,
): Promise<Backend> =>
  openBackend({
    ...context,
    apiTokens,
    config: config.backend,
    userAgent: userAgent(),
    coalesceWrites: config.coalesceWrites,
  });
