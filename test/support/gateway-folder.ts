import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningGateway, startGatewayProcess } from './process.ts';

/** A new working directory, and the gateway processes in it. */
export interface GatewayFolder {
  readonly cwd: string;
  start(settings?: Readonly<Record<string, string>>): Promise<RunningGateway>;
  /** Kills the processes, and removes the directory. */
  close(): Promise<void>;
}

export async function openGatewayFolder(): Promise<GatewayFolder> {
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-folder-'));
  const running: RunningGateway[] = [];
  return {
    cwd,
    async start(settings = {}) {
      const gateway = await startGatewayProcess({ cwd, settings });
      running.push(gateway);
      return gateway;
    },
    async close() {
      await Promise.all(running.map((gateway) => gateway.stop('SIGKILL')));
      await rm(cwd, { recursive: true });
    },
  };
}
