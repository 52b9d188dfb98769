import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryOf, resetPeak, threadTimeOf } from '../../test/abuse/measure/process-figures.ts';
import { createJobClient, type JobClient } from '../../test/support/jobs/job-client.ts';
import { ownTokenOf, startJobGateway } from '../../test/support/jobs/job-gateway.ts';
import {
  openRecordingService,
  type RecordingService,
  type RecordingServiceOptions,
} from '../../test/support/jobs/recording-service.ts';
import type { RunningGateway } from '../../test/support/process.ts';

/** A gateway process in front of a service that records what it gets. */
export interface JobScene {
  readonly service: RecordingService;
  readonly gateway: RunningGateway;
  /** A client with a token of the gateway's own. */
  readonly client: JobClient;
}

interface JobSceneOptions extends RecordingServiceOptions {
  readonly settings?: Readonly<Record<string, string>>;
}

/** Runs the work over a gateway with its state in a SQLite file of its own, and ends both. */
export async function inJobScene<Value>(
  { settings, ...serviceOptions }: JobSceneOptions,
  work: (scene: JobScene) => Promise<Value>,
): Promise<Value> {
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-jobs-'));
  const service = await openRecordingService(serviceOptions);
  try {
    const stateUrl = 'sqlite:state.db';
    const gateway = await startJobGateway({ cwd, service, stateUrl, ...(settings && { settings }) });
    try {
      return await work({ service, gateway, client: createJobClient(() => gateway.url, ownTokenOf(0)) });
    } finally {
      await gateway.stop('SIGKILL');
    }
  } finally {
    await service.close();
    await rm(cwd, { recursive: true });
  }
}

/** The CPU time and memory of a process since the meter was started. */
export interface Meter {
  /** Resident memory at the most, above what it was at the start, in MB. Linux only; else 0. */
  peakAboveIdleMb(): Promise<number>;
  /** CPU time of the event loop, as a share of the time that has passed. Linux only; else 0. */
  cpuShare(): Promise<number>;
  /** CPU time of the event loop, in milliseconds. Linux only; else 0. */
  cpuMs(): Promise<number>;
}

export async function startMeter({ pid }: RunningGateway): Promise<Meter> {
  await resetPeak(pid);
  const { nowMb } = await memoryOf(pid);
  const begun = performance.now();
  const cpuBefore = await threadTimeOf(pid);
  const cpuMs = async () => (await threadTimeOf(pid)) - cpuBefore;
  return {
    peakAboveIdleMb: async () => (await memoryOf(pid)).peakMb - nowMb,
    cpuMs,
    cpuShare: async () => (await cpuMs()) / (performance.now() - begun),
  };
}

/** Milliseconds that the work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
