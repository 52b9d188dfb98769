import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Log, silentLog } from '../../../../src/core/base/log.ts';
import { noMetrics } from '../../../../src/core/metrics.ts';
import { StateUnavailable } from '../../../../src/core/state-unavailable.ts';
import { sweepAnnouncements } from '../../../../src/jobs/state/shared/announced-creations.ts';
import { openSharedState } from '../../../../src/jobs/state/shared/open-shared-state.ts';
import { StateLink } from '../../../../src/jobs/state/shared/state-link.ts';
import { openStateDatabase } from '../../../../src/jobs/state/state-database.ts';
import { openStateLink } from '../../../gateways/state-link.ts';
import { openMetrics } from '../../../server/telemetry/open-metrics.ts';
import { databaseToDrop } from '../../../store/store.ts';
import { NEEDS_PGBOUNCER, startPgbouncer } from '../../../support/pgbouncer.ts';
import { singleValue } from '../../../support/scrape.ts';
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

describe('an announced create', () => {
  it('shows nothing after an hour, and counts for others for four, whatever becomes of the clock', async () => {
    const { url, run } = await databaseToDrop();
    const open = () => openStateDatabase({ url, setting: 'STATE_URL' });
    const link = new StateLink({ open, log: silentLog, metrics: noMetrics });
    onTestFinished(() => link.close());
    const gateway = await openStateAt(url);
    onTestFinished(() => gateway.close());
    await link.probe();
    const announced = await gateway.creations.announce(['early', 'late', 'gone', 'ahead']);
    const hours = (count: number) => Date.now() + count * 3_600_000;
    await run(`
      insert into announced_creations values
        ('other', 'late', 'other', ${hours(-3.9)}), ('other', 'gone', 'other', ${hours(-4.1)}), ('other', 'ahead', 'other', ${hours(9)})
    `);
    const shown = () =>
      Promise.all(['early', 'late', 'gone', 'ahead'].map((place) => gateway.creations.isOnlyOne(announced, place)));
    expect(await shown()).toEqual([true, false, false, false]);
    await link.write((state) => sweepAnnouncements(state, 100));
    expect(await shown()).toEqual([true, false, true, false]);
    await run(`update announced_creations set announced_at = announced_at - 3660000`);
    expect(await shown()).toEqual([false, false, false, false]);
    await run(`update announced_creations set announced_at = announced_at - ${3 * 3_600_000}`);
    await link.write((state) => sweepAnnouncements(state, 2));
    const left = () => link.read(async ({ db }) => (await sql`select * from announced_creations`.execute(db)).rows);
    expect(await left()).toHaveLength(4);
    await link.write((state) => sweepAnnouncements(state, 100));
    expect(await left()).toEqual([]);
  });
});

describe('a table of the shared state that is gone, as while a backup is restored', () => {
  it('fails the calls that need it, which are counted, and no others', { tags: 'long' }, async () => {
    const { url, run } = await databaseToDrop();
    const lines: string[] = [];
    const log: Log = (level, message) => void lines.push(`${level} ${message}`);
    const { metrics, samples } = await openMetrics();
    const gateway = await openSharedState({ url, setting: 'STATE_URL', log, metrics });
    await run('alter table gateways rename to gone; alter table token_budgets rename to gone_too');
    const update = () => gateway.budgets.update('token', () => ({ budget: 'x', result: 1 }));
    const errors = async () => singleValue(await samples(), 'kb_gateway_shared_state_errors_total');
    await expect(update()).rejects.toThrow(StateUnavailable);
    // A heartbeat that fails is no end of the process.
    await expect.poll(errors).toBeGreaterThan(2);
    expect(gateway.problem()).toBeNull();
    expect(await gateway.invalidations.check(['scope'])).toMatchObject([{ isInvalid: false }]);
    const lock = await gateway.groupLocks.acquire('group', 60_000);
    await lock?.noteWrite(1);
    await lock?.release();
    await run('alter table gone rename to gateways; alter table gone_too rename to token_budgets');
    expect(await update()).toBe(1);
    await gateway.close();
    expect(lines).toEqual(['error a call of the shared state has failed unexpectedly']);
  });
});

describe('a shared state that is away when the gateway starts', () => {
  it.each(['cut', 'silence'] as const)(
    'is opened once it is there, and keeps nobody waiting (%s)',
    { tags: 'long' },
    async (trouble) => {
      const { url } = await databaseToDrop();
      const link = await openStateLink(url);
      onTestFinished(() => link.close());
      link[trouble]();
      const gateway = await openStateAt(link.url);
      expect(gateway.problem()).toContain('cannot be read or written');
      await expect(gateway.invalidations.begin('scope', 1)).rejects.toThrow(StateUnavailable);
      await expect(gateway.groupLocks.acquire('group', 60_000)).rejects.toThrow(StateUnavailable);
      link.heal();
      await expect.poll(() => gateway.problem()).toBeNull();
      await (await gateway.invalidations.begin('scope', 1)).end();
      await gateway.close();
    },
  );

  it('is no reason to start with a setting that is wrong, and leaves nothing open then', async () => {
    const { url, run } = await databaseToDrop();
    await run('create table recipes (name text)');
    await expect(openStateAt(url)).rejects.toThrow('STATE_URL names a database of another');
    await expect
      .poll(() =>
        run(`do $$ begin if (select count(*) from pg_stat_activity where datname = current_database()) > 1
        then raise exception 'still open'; end if; end $$`).then(() => null, String),
      )
      .toBeNull();
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
  it('counts no longer, and keeps no cache from being used', { tags: 'long' }, async () => {
    const { url, run } = await databaseToDrop();
    const other = await openStateAt(url);
    await run(`insert into gateways values ('ended', '', 0, ${Date.now() + 600_000})`);
    await expect.poll(() => other.gatewayCount()).toBe(2);
    await run(`update gateways set alive_until = 1 where instance = 'ended'`);
    await expect.poll(() => other.gatewayCount()).toBe(1);
    expect(await other.invalidations.check(['scope'])).toMatchObject([{ isInvalid: false }]);
    await other.close();
  });
});
