import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/jobs/state/open-ledger.ts';
import { databaseToDrop, openStore } from '../../store/store.ts';
import { beginAheadOfClock, describeLedger, partOf, takeOverAfter, tellAliveAmidWrites } from './contract.ts';
import { reuseDatabase } from './reused-database.ts';

const TABLES = ['job_owners', 'article_update_jobs', 'article_update_job_items', 'idempotency_keys'];

describe('the same ledger', { tags: 'long' }, () => {
  describeLedger(
    'PostgreSQL',
    reuseDatabase({
      open: (url, serviceUrl: string | null = null) => openLedger({ url, setting: 'STATE_URL', serviceUrl }),
      clear: `${TABLES.map((table) => `delete from ${table}`).join(';')}; delete from state_usage where caller_key <> ''; update state_usage set bytes = 0`,
    }),
  );
});

describe('the state over PostgreSQL', () => {
  it('can be in the database of the store, and is made once by gateways that start together', async () => {
    const { url } = await databaseToDrop();
    const open = () => openLedger({ url, setting: 'DATABASE_URL' });
    const [ledger, ...others] = await Promise.all([open(), open(), open()]);
    await openStore({ databaseUrl: url });
    expect(await ledger.appendPart(partOf())).toMatchObject({ kind: 'appended' });
    for (const other of [ledger, ...others]) await other.close();
    await (await open()).close();
  });

  it('is read as an older version has written it, and its keys belong to their service', async () => {
    const { url, run } = await databaseToDrop();
    const written = readFileSync('test/fixtures/state/form-4.sql', 'utf8');
    const [, callerKey = '', inputHash = ''] =
      /'([\w-]+)', 'https:\/\/service.example', 'bulkUpdateArticles', 'bulk', '([\w-]+)'/u.exec(written) ?? [];
    await run(written);
    const open = (serviceUrl: string) => openLedger({ url, setting: 'STATE_URL', serviceUrl });
    const ledgers = [await open('https://service.example'), await open('http://other.example')];
    const found = [];
    for (const ledger of ledgers) {
      await ledger.heartbeat('p1', 60_000);
      const key = { callerKey, operation: 'bulkUpdateArticles', idempotencyKey: 'bulk', inputHash, owner: 'p1' };
      const { kind } = await ledger.beginKey({ ...key, maxBytes: 1_000_000_000 });
      found.push([kind, await ledger.countJobs(callerKey)]);
      await ledger.close();
    }
    expect(found).toEqual([
      ['ended', 4],
      ['begun', 4],
    ]);
  });

  it('goes on while a newer gateway adds a column', async () => {
    const { url, run } = await databaseToDrop();
    const ledger = await openLedger({ url, setting: 'STATE_URL' });
    const replays = async () => {
      const { kind } = await ledger.appendPart(partOf());
      return [kind, (await ledger.listJobs('caller', { limit: 9, after: null })).length];
    };
    await ledger.heartbeat('p1', 60_000);
    for (const column of [null, 'later', 'latest']) {
      if (column !== null) await run(`alter table article_update_jobs add column ${column} text`);
      expect([await replays(), await replays()]).toEqual(Array(2).fill(['appended', 1]));
    }
    await ledger.close();
  });

  it('goes on with the unfinished jobs of an older version', { tags: 'long' }, async () => {
    const { url, run } = await databaseToDrop();
    const written = readFileSync('test/fixtures/state/form-4.sql', 'utf8');
    await run(written);
    const ledger = await openLedger({ url, setting: 'STATE_URL', serviceUrl: 'https://service.example' });
    await ledger.heartbeat('p1', 60_000);
    await ledger.claim({ owner: 'p1', credentialHashes: new Set(), held: [] });
    const [job] = (await ledger.listJobs('caller', { limit: 9, after: null })).filter(
      ({ state }) => state === 'PAUSED',
    );
    if (job === undefined) throw new Error('No job is paused.');
    expect([job.name, job.publication]).toEqual([null, undefined]);
    await ledger.resume('caller', job.jobId, { owner: 'p1', credentialHash: 'binding' });
    const [claimed] = await ledger.claim({ owner: 'p1', credentialHashes: new Set(['binding']), held: [] });
    if (claimed === undefined) throw new Error('The job was not given to its owner.');
    const items = (await ledger.nextItems(claimed, 99)) ?? [];
    expect(items.length).toBeGreaterThan(0);
    await ledger.beginItems(
      claimed,
      items.map(({ index }) => index),
    );
    await ledger.endItems(
      claimed,
      items.map(({ index, update: { articleId } }) => ({
        index,
        outcome: { kind: 'updated', articleId, details: null },
      })),
    );
    expect(await ledger.end(claimed, null)).toBe(true);
    expect(await ledger.findJob('caller', job.jobId)).toMatchObject({ counts: { pending: 0, updated: items.length } });
    expect(await ledger.nextItems(claimed, 9, 'publication')).toEqual([]);
    await ledger.close();
  });

  it('is not that of another program', async () => {
    const { url, run } = await databaseToDrop();
    await run('create table recipes (name text)');
    await expect(openLedger({ url, setting: 'STATE_URL' })).rejects.toThrow('STATE_URL names a database of another');
  });

  it('names its setting and no password when it cannot be reached', async () => {
    const url = 'postgres://kb:secret-password@127.0.0.1:1/kb';
    const failure = await openLedger({ url, setting: 'STATE_URL' }).catch((error: unknown) => String(error));
    expect(failure).toContain('STATE_URL');
    expect(failure).not.toContain('secret-password');
  });

  it('tells that its process lives before writes that wait', { tags: 'long' }, async () => {
    const { url } = await databaseToDrop();
    const ledger = await openLedger({ url, setting: 'STATE_URL' });
    await ledger.heartbeat('p1', 600_000);
    const { before, all } = await tellAliveAmidWrites(ledger);
    expect(all).toBe(900);
    expect(before).toBeLessThan(450);
    await ledger.close();
  });

  it('keeps no job and no key waiting for the hour by which a clock comes back behind', { tags: 'long' }, async () => {
    const { url, run } = await databaseToDrop();
    const ledger = await openLedger({ url, setting: 'STATE_URL' });
    // The clock of the server is left alone: what was written before it was set back lies further ahead.
    await beginAheadOfClock(ledger, () => run('update job_owners set alive_until = alive_until + 3600000'));
    await expect.poll(() => takeOverAfter(ledger)).toEqual({ jobs: [1], key: 'lost' });
    await ledger.close();
  });

  it('is unavailable when the server ends the connections, and available again after that', async () => {
    const { url, run } = await databaseToDrop();
    const ledger = await openLedger({ url, setting: 'STATE_URL' });
    await ledger.heartbeat('p1', 60_000);
    await run(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    );
    await expect.poll(() => ledger.appendPart(partOf()).catch(() => null)).toMatchObject({ kind: 'appended' });
    await ledger.close();
  });
});
