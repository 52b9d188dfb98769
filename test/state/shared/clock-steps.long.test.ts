import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openSharedState } from '../../../src/state/shared/open-shared-state.ts';
import { temporaryFolder } from '../../backend/local/store.ts';
import { describeClockSteps } from './clock-steps.ts';

/** A state in a file, whose clock the test moves. */
function openClockScene() {
  const path = join(temporaryFolder(), 'state.db');
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  return {
    open: (name: string = crypto.randomUUID()) =>
      openSharedState({ url: `sqlite:${path}`, setting: 'STATE_URL', name, writeMs: 0, now }),
    move: (ms: number) => {
      offsetMs += ms;
    },
    run: async (statements: string) => {
      const file = new DatabaseSync(path, { timeout: 10_000 });
      file.exec(statements);
      file.close();
    },
  };
}

const HOUR_MS = 3_600_000;

describeClockSteps('SQLite', async () => {
  const { open, move, run } = openClockScene();
  return { open, run, setBack: async () => move(-HOUR_MS) };
});

it('a lock whose holder has ended is free after its lease, also after the clock was set back', async () => {
  const { open, move } = openClockScene();
  const [ended, other] = [await open(), await open()];
  await ended.groupLocks.acquire('group', 60_000);
  await ended.close();
  move(-HOUR_MS);
  expect(await other.groupLocks.acquire('group', 0)).toBeNull();
  move(10_000);
  expect(await other.groupLocks.acquire('group', 0)).not.toBeNull();
  await other.close();
});
