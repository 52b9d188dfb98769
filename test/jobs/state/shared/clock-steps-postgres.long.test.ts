import { describe, expect, it } from 'vitest';
import { databaseToDrop } from '../../../store/store.ts';
import { openStateAt } from './postgres-scene.ts';

/** The clock of the server is left alone: what was written before it was set back lies further ahead. */
const SET_BACK = `
  update gateways set alive_until = alive_until + 3600000;
  update group_locks set write_ends_at = write_ends_at + 3600000;
  update read_marks set ends_at = ends_at + 3600000`;

/** A new state, whose clock a test sets back by an hour. */
async function openScene() {
  const { url, run } = await databaseToDrop();
  return { open: () => openStateAt(url), run, setBack: () => run(SET_BACK) };
}

describe('the shared state over PostgreSQL whose clock is set back', () => {
  it('makes nobody wait longer for a noted write than its time', async () => {
    const { open, setBack } = await openScene();
    const [one, other] = [await open(), await open()];
    const first = await one.groupLocks.acquire('group', 60_000);
    await first?.noteWrite(600_000);
    await first?.release();
    await setBack();
    const second = await other.groupLocks.acquire('group', 60_000);
    expect(second?.settlesInMs).toBeGreaterThan(500_000);
    expect(second?.settlesInMs).toBeLessThanOrEqual(600_000);
    await second?.release();
    await Promise.all([one.close(), other.close()]);
  });

  it('leaves a lock to its holder', async () => {
    const { open, setBack } = await openScene();
    const [one, other] = [await open(), await open()];
    const lock = await one.groupLocks.acquire('group', 60_000);
    await setBack();
    expect(await other.groupLocks.acquire('group', 0)).toBeNull();
    await lock?.noteWrite(600_000);
    await lock?.release();
    await Promise.all([one.close(), other.close()]);
  });

  it('ends a mark that is not lifted after its time', async () => {
    const { open, setBack } = await openScene();
    const gateway = await open();
    await gateway.invalidations.begin('scope', 1_000);
    await gateway.invalidations.begin('another', 600_000);
    await setBack();
    await expect
      .poll(() => gateway.invalidations.check(['scope', 'another']))
      .toMatchObject([{ isInvalid: false }, { isInvalid: true }]);
    await gateway.close();
  });

  it('does not count a gateway as alive that has ended', async () => {
    const { open, setBack, run } = await openScene();
    const gateway = await open();
    await run(`insert into gateways values ('ended', '', 0, ${Date.now() + 4_000})`);
    await expect.poll(() => gateway.gatewayCount()).toBe(2);
    await setBack();
    await expect.poll(() => gateway.gatewayCount()).toBe(1);
    await gateway.close();
  });
});
