import { describe, expect, it, onTestFinished } from 'vitest';
import type { Log } from '../../../src/base/log.ts';
import { openSharedState } from '../../../src/state/shared/open-shared-state.ts';
import { StateUnavailable } from '../../../src/state/state-unavailable.ts';
import { databaseToDrop } from '../../backend/local/store.ts';
import { NEEDS_PGBOUNCER, startPgbouncer } from '../../support/pgbouncer.ts';
import { describeSharedState } from './contract.ts';
import { openPostgresScene, openStateAt } from './postgres-scene.ts';

describeSharedState('PostgreSQL', openPostgresScene);

describe('a gateway that loses PostgreSQL', () => {
  it('loses its locks with their connection, before it can note another write', async () => {
    const { url, run } = await databaseToDrop();
    const [one, other] = [await openStateAt(url), await openStateAt(url)];
    const lock = await one.groupLocks.acquire('group', 60_000);
    // Tests of other databases on this server hold such locks, too.
    await run(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())`);
    const taken = await other.groupLocks.acquire('group', 60_000);
    await expect(lock?.noteWrite(1)).rejects.toThrow(StateUnavailable);
    await lock?.release();
    expect(await one.groupLocks.acquire('group', 0)).toBeNull();
    await taken?.release();
    await expect.poll(() => one.groupLocks.acquire('group', 60_000).catch(() => null)).not.toBeNull();
    await Promise.all([one.close(), other.close()]);
  });
});

describe('a gateway whose tables are gone, as while a backup is restored', () => {
  it('goes on without the state until they are back', async () => {
    const { url, run } = await databaseToDrop();
    const lines: string[] = [];
    const log: Log = (level, message) => void lines.push(`${level} ${message}`);
    const gateway = await openSharedState({ url, setting: 'STATE_URL', name: 'gateway', writeMs: 0, log });
    await run('alter table gateways rename to gone; alter table token_budgets rename to gone_too');
    const update = () => gateway.budgets.update('token', () => ({ budget: 'x', result: 1 }));
    await expect(update()).rejects.toThrow(StateUnavailable);
    // A beat that fails is no end of the process.
    await expect.poll(() => gateway.problem()).toContain('UNEXPECTED');
    await run('alter table gone rename to gateways; alter table gone_too rename to token_budgets');
    await expect.poll(() => update().catch(() => 0)).toBe(1);
    await gateway.close();
    expect(lines).toContain('error the shared state is unavailable');
    expect(lines.at(-1)).toBe('info the shared state is available again');
  });
});

it('is not shared through SQLite', async () => {
  await expect(openStateAt('sqlite::memory:')).rejects.toThrow('STATE_URL must name PostgreSQL');
});

describe('a pooler before PostgreSQL', NEEDS_PGBOUNCER, () => {
  it('is refused in transaction mode', async () => {
    const pgbouncer = await startPgbouncer((await databaseToDrop()).url, 'transaction');
    onTestFinished(() => pgbouncer.stop());
    await expect(openStateAt(pgbouncer.url)).rejects.toThrow('STATE_URL names a pooler in transaction mode');
  });

  it('is of no harm in session mode', async () => {
    const pgbouncer = await startPgbouncer((await databaseToDrop()).url, 'session');
    onTestFinished(() => pgbouncer.stop());
    const [one, other] = [await openStateAt(pgbouncer.url), await openStateAt(pgbouncer.url)];
    const lock = await one.groupLocks.acquire('group', 60_000);
    expect(await other.groupLocks.acquire('group', 0)).toBeNull();
    await lock?.release();
    expect(await other.groupLocks.acquire('group', 60_000)).not.toBeNull();
    await Promise.all([one.close(), other.close()]);
  });
});

describe('a gateway that has ended without telling', () => {
  /** Opens a state that such a gateway has left behind, which told for the last time so many milliseconds ago. */
  async function openAfter(lastBeatMs: number) {
    const { url, run } = await databaseToDrop();
    const other = await openStateAt(url, 'other');
    const before = await other.readMarks.check(['scope']);
    const [startedAt, aliveUntil] = [Date.now() - lastBeatMs - 4_000, Date.now() - lastBeatMs];
    await run(`insert into gateways values ('ended', 'name', ${startedAt}, ${aliveUntil})`);
    const open = (name: string) => openStateAt(url, name);
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
