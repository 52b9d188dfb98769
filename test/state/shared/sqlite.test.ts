import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openSharedState } from '../../../src/state/shared/open-shared-state.ts';
import { temporaryFolder } from '../../backend/local/store.ts';
import { createSharedWorld } from '../../support/memory-shared-state.ts';
import { describeClockSteps } from './clock-steps.ts';
import { describeSharedState } from './contract.ts';
import { openSqliteScene } from './sqlite-scene.ts';

describeSharedState('SQLite', openSqliteScene);

describeSharedState('the model', async () => {
  const world = createSharedWorld();
  return { open: async (name) => world.gateway(name), close: async () => {} };
});

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

describe('a gateway that has ended without telling', () => {
  /** Opens a state that such a gateway has left behind, which told for the last time so many milliseconds ago. */
  async function openAfter(lastBeatMs: number) {
    const path = join(temporaryFolder(), 'state.db');
    const open = (name: string) => openSharedState({ url: `sqlite:${path}`, setting: 'STATE_URL', name, writeMs: 0 });
    const other = await open('other');
    const before = await other.readMarks.check(['scope']);
    const file = new DatabaseSync(path, { timeout: 10_000 });
    const [startedAt, aliveUntil] = [Date.now() - lastBeatMs - 4_000, Date.now() - lastBeatMs];
    file.prepare('insert into gateways values (?, ?, ?, ?)').run('ended', 'name', startedAt, aliveUntil);
    file.close();
    return { open, other, before };
  }

  it('keeps the caches of all from being used until another has its name, and all that was read before is old', async () => {
    const { open, other, before } = await openAfter(60_000);
    expect(await other.readMarks.check(['scope'])).toBeNull();
    const next = await open('name');
    await expect.poll(() => other.readMarks.check(['scope'])).toMatchObject([{ isMarked: false }]);
    expect(await other.readMarks.check(['scope'])).not.toEqual(before);
    await Promise.all([other.close(), next.close()]);
  });

  it('is forgotten after ten minutes', async () => {
    const { other, before } = await openAfter(11 * 60_000);
    await expect.poll(() => other.readMarks.check(['scope'])).toMatchObject([{ isMarked: false }]);
    expect(await other.readMarks.check(['scope'])).not.toEqual(before);
    await other.close();
  });
});
