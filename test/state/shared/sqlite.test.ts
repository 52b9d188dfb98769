import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openSharedState } from '../../../src/state/shared/open-shared-state.ts';
import { temporaryFolder } from '../../backend/local/store.ts';
import { createSharedWorld } from '../../support/memory-shared-state.ts';
import { describeSharedState } from './contract.ts';
import { openSqliteScene } from './sqlite-scene.ts';

describeSharedState('SQLite', openSqliteScene);

describeSharedState('the model', async () => {
  const world = createSharedWorld();
  return { open: async (name) => world.gateway(name), close: async () => {} };
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
