import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tracer } from '@opentelemetry/api';
import type { Backend } from '../../backend/backend.ts';
import { TickQueue } from '../../base/json/tick-queue.ts';
import type { Log } from '../../base/log.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { Config } from '../../config.ts';
import type { Metrics } from '../../domain/metrics.ts';
import type { Jobs } from '../../jobs/create-jobs.ts';
import type { StateFileLock } from '../../state/state-file.ts';
import type { Access } from '../access/access.ts';
import { openTracer } from '../open-tracer.ts';
import { createConfiguredApp } from './configured-app.ts';
import { openConfiguredBackend } from './configured-backend.ts';
import { createConfiguredJobs } from './configured-jobs.ts';
import { type GatewayInputs, openGatewayInputs } from './gateway-inputs.ts';
import { openTelemetry, type ProcessTelemetry } from './process-telemetry.ts';

export interface OpenGatewayOptions {
  readonly config: Config;
  /** The text of the trusted documents; null when there are none. */
  readonly manifest: string | null;
  readonly log: Log;
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
  const inputs = await openGatewayInputs(options);
  if (!inputs.ok) return inputs;
  const { StateFileLock } = await import('../../state/state-file.ts');
  const stateLock = new StateFileLock(options.config.state.url);
  if (!stateLock.tryTake()) return err(stateInUse(options.config));
  try {
    return await openWithTelemetry(options, { ...inputs.value, stateLock });
  } catch (error) {
    stateLock.release();
    throw error;
  }
}

const stateInUse = ({ state }: Config): string =>
  `another gateway runs with the state in ${state.url} (${state.setting}): stop that one first, or give this one another file; gateways that run together share a state in PostgreSQL`;

async function openWithTelemetry(
  options: OpenGatewayOptions,
  inputs: Omit<PartsInputs, 'telemetry'>,
): Promise<Result<OpenGateway, string>> {
  const telemetry = await openTelemetry(options);
  if (!telemetry.ok) {
    inputs.stateLock.release();
    return telemetry;
  }
  try {
    return ok(await openParts(options, { ...inputs, telemetry: telemetry.value }));
  } catch (error) {
    await telemetry.value.shutdown(0);
    telemetry.value.close();
    throw error;
  }
}

interface PartsInputs extends GatewayInputs {
  readonly telemetry: ProcessTelemetry;
  readonly stateLock: StateFileLock;
}

async function openParts(options: OpenGatewayOptions, inputs: PartsInputs): Promise<OpenGateway> {
  const { config, log } = options;
  const { audit, access, telemetry, stateLock } = inputs;
  const opened = { ticks: new TickQueue(), tracer: openTracer(), log, metrics: telemetry.metrics };
  const backend = await openConfiguredBackend(config, { ...access, audit, ...opened });
  let jobs: Jobs | null = null;
  try {
    const beforeOpening = () => stateLock.take();
    jobs = await createConfiguredJobs({ ...opened, config, access, backend, beforeOpening });
    return createOpenGateway(options, { ...inputs, ...opened, backend, jobs });
  } catch (error) {
    await closeParts(backend, jobs).catch(() => {});
    throw error;
  }
}

interface OpenParts extends PartsInputs {
  readonly backend: Backend;
  readonly jobs: Jobs;
  readonly ticks: TickQueue;
  readonly tracer: Tracer | null;
}

function createOpenGateway({ config, log, basePath }: OpenGatewayOptions, parts: OpenParts): OpenGateway {
  const { access, backend, jobs, telemetry, stateLock } = parts;
  const { metrics } = telemetry;
  const stopping = new AbortController();
  const { handle } = createConfiguredApp({ ...parts, config, log, metrics, basePath }, stopping.signal);
  return {
    handle,
    access,
    backend,
    metrics,
    stop: async (drain) => {
      stopping.abort();
      const stopsAt = performance.now() + config.shutdownGraceMs;
      const jobsClosed = jobs.articleUpdateJobs.close();
      // It is awaited later, and may fail before.
      jobsClosed.catch(() => {});
      const stoppedCleanly = await drain();
      await jobsClosed.finally(() => telemetry.shutdown(Math.max(0, stopsAt - performance.now())));
      if (stoppedCleanly) log('info', 'stopped');
      else log('warn', 'stopped, and closed connections with calls in flight');
    },
    close: async () => {
      // A gateway that never listened was not stopped.
      if (!stopping.signal.aborted) await telemetry.shutdown(0);
      await closeParts(backend, jobs).finally(() => {
        stateLock.release();
        telemetry.close();
      });
    },
  };
}

/** Jobs need the backend until they have ended. */
async function closeParts(backend: Backend, jobs: Jobs | null): Promise<void> {
  try {
    await jobs?.close();
  } finally {
    await backend.close();
  }
}
