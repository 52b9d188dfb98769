import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

describe('gateways with jobs and keys, in a simulation', () => {
  it('are caught when a part of them is broken', async () => {
    expect(await simulateBroken()).toMatch(/\n\d+ caught, 0 missed\n$/u);
  });
});

/** In a process of its own, since its clocks and timers are virtual. */
async function simulateBroken(): Promise<string> {
  const { stdout } = await run(process.execPath, ['test/simulation/main.ts', '--broken']).catch((error) => error);
  return stdout;
}
