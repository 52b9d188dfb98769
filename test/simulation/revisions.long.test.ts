import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

/** In a process of its own, since its clocks and timers are virtual. */
async function simulate(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['test/simulation/revisions-main.ts', ...args]).catch(
    (error) => error,
  );
  return stdout;
}

it('an item with ifRevision overwrites nothing of others but in the stated window, and is told CHANGED_SINCE only after a change', async () => {
  expect(await simulate('--seeds', '150')).toMatch(/\n150 passed, 0 failed, 0 skipped\n$/u);
});

it('the simulation finds each part that is broken', async () => {
  expect(await simulate('--broken')).toMatch(/\n\d+ caught, 0 missed\n$/u);
});
