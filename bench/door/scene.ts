import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ended } from '../../test/support/article-readers.ts';
import { freePort } from '../../test/support/ports.ts';
import { openTokenService } from '../../test/support/token-service.ts';
import { REPOSITORY, startProcess } from '../harness/processes.ts';
import { withResource } from '../harness/with-resource.ts';

export interface Scene {
  readonly port: number;
  /** The CPU time of the gateway so far, in milliseconds; Linux alone tells it. */
  cpuMs(): number;
}

/** Linux counts the CPU time of a process in hundredths of a second. */
const MS_PER_TICK = 10;

/** The gateway on a core of its own, in front of a new service; this process has the clients and the service. */
export async function inScene(latencyMs: number, work: (scene: Scene) => Promise<void>): Promise<void> {
  return withResource(new AsyncDisposableStack(), async (stack) => {
    const service = stack.use(await openTokenService(latencyMs));
    const port = await freePort();
    const env = { UPSTREAM_URL: service.url, PORT: `${port}`, LOG_LEVEL: 'warn', READ_CACHE_SECONDS: '0' };
    const args = [join(REPOSITORY, 'src/main.ts'), 'serve'];
    const { child } = stack.use(await startProcess({ role: 'gateway', args, env, port }));
    const cpuMs = () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return MS_PER_TICK * (Number(fields[11]) + Number(fields[12]));
    };
    await work({ port, cpuMs });
  });
}

/** Ends the benchmark with 1 where the condition is false. */
export function require(isMet: boolean): string {
  if (!isMet) process.exitCode = 1;
  return isMet ? '' : ' FAILED';
}

/** Prints how the requests ended: all must be answered, in `maxMs` where that is given. */
export function report(name: string, ended: readonly Ended[], maxMs = Number.POSITIVE_INFINITY): void {
  const wrong = ended.filter(({ isRight }) => !isRight);
  const times = ended.map(({ ms }) => ms).toSorted((one, other) => one - other);
  const statuses = [...new Set(wrong.map(({ status }) => status))].join(', ');
  const slowest = Math.round(times.at(-1) ?? 0);
  const median = Math.round(times[Math.floor(times.length / 2)] ?? 0);
  const isMet = wrong.length === 0 && ended.length > 0 && slowest <= maxMs;
  console.log(
    `${name}: ${ended.length} requests, ${wrong.length} not answered${wrong.length > 0 ? ` (${statuses})` : ''}, ` +
      `median ${median} ms, slowest ${slowest} ms${require(isMet)}`,
  );
}
