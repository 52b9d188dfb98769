import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** In a process of its own, since its clocks and timers are virtual. */
async function tryAll(seeds: number): Promise<void> {
  const { stdout } = await run(process.execPath, ['test/simulation/undo-main.ts', '--seeds', `${seeds}`]).catch(
    (error) => error,
  );
  expect(stdout).toContain(`\n${seeds} passed, 0 failed, 0 skipped\n`);
}

describe('a revert beside an editor', () => {
  it('overwrites no edit but within the stated second, and puts nothing back twice', () => tryAll(10));

  it('does so whatever goes wrong, and whenever', { tags: 'long' }, () => tryAll(150));
});
