import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningGateway, startGatewayProcess } from './process.ts';

/** A new working directory, and the gateway processes in it. */
export interface GatewayFolder {
  readonly cwd: string;
  start(settings?: Readonly<Record<string, string>>): Promise<RunningGateway>;
  /** Starts a gateway that takes its stdout for a terminal. */
  startOnTerminal(settings?: Readonly<Record<string, string>>): Promise<RunningGateway>;
  /** Kills the processes, and removes the directory. */
  close(): Promise<void>;
}

export async function openGatewayFolder(): Promise<GatewayFolder> {
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-folder-'));
  const running: RunningGateway[] = [];
  const startWith = async (settings: Readonly<Record<string, string>>, terminal: boolean) => {
    const gateway = await startGatewayProcess({ cwd, settings, terminal });
    running.push(gateway);
    return gateway;
  };
  return {
    cwd,
    start: (settings = {}) => startWith(settings, false),
    startOnTerminal: (settings = {}) => startWith(settings, true),
    async close() {
      await Promise.all(running.map((gateway) => gateway.stop('SIGKILL')));
      await rm(cwd, { recursive: true });
    },
  };
}
