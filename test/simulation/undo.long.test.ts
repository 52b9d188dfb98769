import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

// In a process of its own, since its clocks and timers are virtual.
it('a revert beside an editor overwrites no edit but within the stated second, and puts nothing back twice', async () => {
  const { stdout } = await run(process.execPath, ['test/simulation/undo-main.ts', '--seeds', '150']).catch(
    (error) => error,
  );
  expect(stdout).toMatch(/\n150 passed, 0 failed, 0 skipped\n$/u);
});
