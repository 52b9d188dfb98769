import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningGateway, startGatewayProcess } from '../../support/process.ts';
import { untilListening } from './worker-log.ts';

/** A folder for gateways with several workers, which end with the scene. */
export interface WorkerScene {
  readonly cwd: string;
  readonly running: RunningGateway[];
  /** Resolves when all workers listen. */
  start(workers: number, settings?: Readonly<Record<string, string>>): Promise<RunningGateway>;
  close(): Promise<void>;
}

export async function openWorkerScene(): Promise<WorkerScene> {
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-workers-'));
  const running: RunningGateway[] = [];
  return {
    cwd,
    running,
    async start(workers, settings = {}) {
      const gateway = await startGatewayProcess({ cwd, settings: { WORKERS: String(workers), ...settings } });
      running.push(gateway);
      await untilListening(gateway, workers);
      return gateway;
    },
    async close() {
      await Promise.all(running.map((gateway) => gateway.stop('SIGKILL')));
      await rm(cwd, { recursive: true });
    },
  };
}

export const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
