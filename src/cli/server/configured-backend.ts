import type { Tracer } from '@opentelemetry/api';
import type { Backend } from '../../backend/backend.ts';
import { openBackend } from '../../backend/open-backend.ts';
import type { TickQueue } from '../../base/json/tick-queue.ts';
import type { Log } from '../../base/log.ts';
import type { Config } from '../../config.ts';
import type { Metrics } from '../../domain/metrics.ts';
import type { SharedState } from '../../state/shared/shared-state.ts';
import type { Access } from '../access/access.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { userAgent } from '../package-version.ts';
import { openConfiguredSharedState, withSharedState } from './shared-state.ts';

interface BackendContext extends Access {
  readonly audit: AuditLog | null;
  readonly ticks: TickQueue;
  readonly tracer: Tracer | null;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Opens the backend of the settings, which takes part in the state that several gateways share where there is one. */
export async function openConfiguredBackend(config: Config, context: BackendContext): Promise<Backend> {
  const shared = await openConfiguredSharedState(config, context);
  if (shared === null) return openAlone(config, context, null);
  try {
    return withSharedState(await openAlone(config, context, shared), shared, config.state.onFailure);
  } catch (error) {
    await shared.close();
    throw error;
  }
}

const openAlone = (
  config: Config,
  { tokens: apiTokens, ...context }: BackendContext,
  shared: SharedState | null,
): Promise<Backend> =>
  openBackend({
    ...context,
    apiTokens,
    config: config.backend,
    userAgent: userAgent(),
    coalesceWrites: config.coalesceWrites,
    shared,
    onSharedFailure: config.state.onFailure,
  });
