import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** In a process of its own, since its clocks and timers are virtual. */
async function simulate(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['test/simulation/main.ts', ...args]).catch((error) => error);
  return stdout;
}

describe('gateways with jobs and keys, in a simulation', () => {
  const tryAll = async (seeds: number) =>
    expect(await simulate('--seeds', `${seeds}`)).toContain(`\n${seeds} passed, 0 failed, 0 skipped\n`);

  it('tell no untrue outcome, send nothing twice, keep the order of each article, and end', () => tryAll(10));

  it('do so whatever goes wrong, and whenever', { tags: 'long' }, () => tryAll(150));

  it('do the same whenever they have the same seed', { tags: 'long' }, async () => {
    expect(await simulate('--seed', '7')).toBe(await simulate('--seed', '7'));
  });
});
