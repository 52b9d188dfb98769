import { once } from 'node:events';
import { copyFile, link, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { childrenOf, type RunningGateway, spawnGateway, startGatewayProcess } from '../../support/process.ts';
import { linesOf, listening, untilListening } from './worker-log.ts';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-supervisor-'));
});

afterEach(() => rm(cwd, { recursive: true }));

/** Starts two workers, and waits until they listen. */
async function start(node = process.execPath): Promise<RunningGateway> {
  const gateway = await startGatewayProcess({ cwd, node, settings: { WORKERS: '2' } });
  onTestFinished(async () => void (await gateway.stop('SIGKILL')));
  await untilListening(gateway, 2);
  return gateway;
}

/** Starts a supervisor whose first worker is suspended before it listens. */
async function startHung(settings: Record<string, string> = {}) {
  const child = spawnGateway(['serve'], { cwd, settings: { PORT: '0', WORKERS: '2', ...settings } });
  await expect.poll(() => childrenOf(child.pid)).not.toEqual([]);
  const [worker = 0] = childrenOf(child.pid);
  process.kill(worker, 'SIGSTOP');
  onTestFinished(() => {
    child.kill('SIGKILL');
    killIfRunning(worker);
  });
  return { child, worker };
}

function killIfRunning(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL');
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Links the binary that runs the tests to a name that can be removed. */
const linkNode = (node: string) => link(process.execPath, node).catch(() => copyFile(process.execPath, node));

describe('the supervisor of workers', () => {
  it('serves with the remaining workers while none can be started, and starts one as soon as it can', async () => {
    const node = join(cwd, 'node');
    await linkNode(node);
    const gateway = await start(node);
    await rm(node);
    const [killed = 0] = listening(gateway);
    process.kill(killed, 'SIGKILL');
    await expect
      .poll(() => linesOf(gateway.log()))
      .toContainEqual(
        expect.objectContaining({ message: 'a worker cannot be started and is tried again', reason: 'ENOENT' }),
      );
    expect((await fetch(new URL('/health/ready', gateway.url))).status).toBe(200);
    await linkNode(node);
    await untilListening(gateway, 3);
    expect((await gateway.stop()).code).toBe(0);
  });

  it('keeps the free port, even if all workers end at the same time', async () => {
    const gateway = await start();
    for (const worker of listening(gateway)) process.kill(worker, 'SIGKILL');
    await untilListening(gateway, 4);
    expect((await fetch(new URL('/health/ready', gateway.url))).status).toBe(200);
  });

  it('handles SIGTERM while its first worker hangs, and ends that too', async () => {
    const { child, worker } = await startHung({ SHUTDOWN_GRACE_MS: '100' });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(isRunning(worker)).toBe(false);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends at once with all workers on a second %s', async (signal) => {
    const { child, worker } = await startHung({ SHUTDOWN_GRACE_MS: '3600000' });
    const stopping = new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text) => text.includes('"stopping"') && resolve());
    });
    child.kill('SIGTERM');
    await stopping;
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    await expect.poll(() => isRunning(worker)).toBe(false);
  });
});
