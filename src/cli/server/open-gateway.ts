import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Backend } from '../../backend/backend.ts';
import { checkStore } from '../../backend/open-backend.ts';
import type { Config } from '../../config.ts';
import { TickQueue } from '../../domain/json/tick-queue.ts';
import type { Log } from '../../domain/log.ts';
import type { Metrics } from '../../domain/metrics.ts';
import { ok, type Result } from '../../domain/result.ts';
import { type Access, openAccess } from '../access/access.ts';
import { type AuditLog, openAuditLog } from '../audit/audit-log.ts';
import { openTracer } from '../open-tracer.ts';
import { openPersistedDocuments, type SubgraphDocuments } from '../persisted-documents.ts';
import { createConfiguredApp, maxUpstreamCallsOf } from './configured-app.ts';
import { openConfiguredBackend } from './configured-backend.ts';
import { createConfiguredJobs } from './configured-jobs.ts';
import { openTelemetry, type ProcessTelemetry } from './process-telemetry.ts';

export interface OpenGatewayOptions {
  readonly config: Config;
  /** The text of the trusted documents; null when there are none. */
  readonly manifest: string | null;
  readonly log: Log;
  /** True in a worker, whose supervisor has checked the store, and serves the metrics. */
  readonly isWorker: boolean;
  /** The path under which requests arrive; '' for none. */
  readonly basePath: string;
}

/** All that serves requests, without a listener. */
export interface OpenGateway {
  /** A listener for node:http. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  readonly access: Access;
  readonly backend: Backend;
  readonly metrics: Metrics;
  /** Is not ready from now on, and ends jobs and telemetry while `drain` lets in-flight requests finish. */
  stop(drain: () => Promise<boolean>): Promise<void>;
  /** Closes what the gateway has opened. */
  close(): Promise<void>;
}

/** Opens the gateway of the settings. The error, or the message of an Error that is thrown, is the reason for people. */
export async function openGateway(options: OpenGatewayOptions): Promise<Result<OpenGateway, string>> {
  const { config, manifest, log, isWorker } = options;
  const audit = await openAuditLog(config.audit, log);
  if (!audit.ok) return audit;
  const documents = openPersistedDocuments(config, maxUpstreamCallsOf(config), manifest);
  if (!documents.ok) return documents;
  if (!isWorker) await checkStore(config.backend);
  const access = await openAccess(config, log);
  if (!access.ok) return access;
  const telemetry = await openTelemetry({ config, log, isWorker });
  if (!telemetry.ok) return telemetry;
  const inputs = { audit: audit.value, documents: documents.value, access: access.value, telemetry: telemetry.value };
  try {
    return ok(await openParts(options, inputs));
  } catch (error) {
    await telemetry.value.shutdown(0);
    telemetry.value.close();
    throw error;
  }
}

interface GatewayInputs {
  readonly audit: AuditLog | null;
  readonly documents: SubgraphDocuments;
  readonly access: Access;
  readonly telemetry: ProcessTelemetry;
}

async function openParts({ config, log, basePath }: OpenGatewayOptions, inputs: GatewayInputs): Promise<OpenGateway> {
  const { audit, documents, access, telemetry } = inputs;
  const { metrics } = telemetry;
  const opened = { ticks: new TickQueue(), tracer: openTracer(), log, metrics };
  const backend = await openConfiguredBackend(config, { ...access, audit, ...opened });
  const jobs = await createConfiguredJobs({ ...opened, config, access, backend });
  const stopping = new AbortController();
  const parts = { ...opened, config, access, backend, jobs, documents, basePath };
  const { handle } = createConfiguredApp(parts, stopping.signal);
  return {
    handle,
    access,
    backend,
    metrics,
    stop: async (drain) => {
      stopping.abort();
      const stopsAt = performance.now() + config.shutdownGraceMs;
      const jobsClosed = jobs.articleUpdateJobs.close();
      const stoppedCleanly = await drain();
      await jobsClosed;
      await telemetry.shutdown(Math.max(0, stopsAt - performance.now()));
      if (stoppedCleanly) log('info', 'stopped');
      else log('warn', 'stopped, and closed connections with calls in flight');
    },
    close: async () => {
      await jobs.close().finally(() => backend.close());
      telemetry.close();
    },
  };
}
