import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Log, silentLog } from '../../../../src/core/base/log.ts';
import { createLocalBackend } from '../../../../src/store/local-backend.ts';
import { startGateway } from '../../../support/gateway.ts';
import { caller, databaseToDrop, emptyDatabase, openStore } from '../../store.ts';

const CANNOT_READ = { ok: false, error: { kind: 'unavailable', message: 'The store cannot be read.' } };
const CANNOT_WRITE = { ok: false, error: { kind: 'unavailable', message: 'The store cannot be written.' } };
const NO_TIME = { ok: false, error: { kind: 'unavailable', message: expect.stringContaining('has no time') } };
const READY = { ok: true, value: undefined };

const otherCaller = { ...caller, apiToken: 'other' };

const callerWith = (ms: number) => ({ ...caller, deadline: performance.now() + ms });

/** A store with few connections, and another program that has locked something in it. */
async function openLocked(statement: string, poolSize = 4) {
  const databaseUrl = await emptyDatabase();
  const logged: unknown[][] = [];
  const log: Log = (...line) => logged.push(line);
  const store = await openStore({ databaseUrl, poolSize, log });
  const others = createLocalBackend(store.database, { apiTokens: ['other'], log: silentLog });
  const locker = new Client({ connectionString: databaseUrl });
  await locker.connect();
  onTestFinished(() => locker.end());
  await locker.query('begin');
  await locker.query(statement);
  // Within a transaction, pg_stat_activity never changes, so the other client can't be used for it.
  const watcher = new Client({ connectionString: databaseUrl });
  await watcher.connect();
  onTestFinished(() => watcher.end());
  const countWaiting = async () => {
    const { rows } = await watcher.query(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.n;
  };
  return { ...store, others, logged, countWaiting, release: () => locker.query('rollback') };
}

const LOCK_READERS = 'lock table readers in access exclusive mode';
const LOCK_GROUP = `select 1 from reader_groups where id = 'none' for update`;

const many = <T>(count: number, of: (index: number) => Promise<T>) => Array.from({ length: count }, (_, n) => of(n));

describe('the connections', () => {
  it('are shared: slow reads of one token do not delay another token, and the store stays ready', async () => {
    const { backend, others, countWaiting, release } = await openLocked(LOCK_READERS);
    const slow = many(60, () => backend.listReaders(caller, 'example', { limit: 1 }));
    await expect.poll(countWaiting).toBe(2);
    expect(await others.projectVersions(otherCaller)).toMatchObject({ ok: true });
    expect(await others.checkReady()).toEqual(READY);
    expect(await countWaiting()).toBe(2);
    await release();
    for (const result of await Promise.all(slow)) expect(result).toMatchObject({ ok: true });
  });

  it('run no statements for clients that have disconnected', async () => {
    const { backend, release, countWaiting, statements, logged } = await openLocked(LOCK_READERS);
    let isDisconnected = false;
    const leaving = { ...caller, isGone: () => isDisconnected };
    const list = (by: typeof caller) => backend.listReaders(by, 'example', { limit: 1 });
    const stays = list(caller);
    await expect.poll(countWaiting).toBe(1);
    const begun = list(caller);
    await expect.poll(countWaiting).toBe(2);
    statements.length = 0;
    const leaves = many(20, () => list(leaving));
    isDisconnected = true;
    await release();
    expect(await Promise.all([stays, begun])).toMatchObject([{ ok: true }, { ok: true }]);
    for (const result of await Promise.all(leaves)) expect(result).toMatchObject(NO_TIME);
    expect(await list(leaving)).toMatchObject(NO_TIME);
    expect(statements).toHaveLength(2);
    expect(logged).toEqual([]);
  });
});

describe('a request whose client disconnects', () => {
  it.each([
    ['POST', '/graphql', JSON.stringify({ query: '{ readers(first: 1) { nodes { readerId } } }' })],
    ['GET', '/v2/Readers', ''],
  ])('by %s %s sends no statement to the database', { tags: 'long' }, async (method, path, body) => {
    const { backend, release, countWaiting, statements } = await openLocked(LOCK_READERS, 2);
    const gateway = await startGateway({ backend, local: true, token: 'token' });
    const slow = backend.listReaders(caller, null, { limit: 1 });
    await expect.poll(countWaiting).toBe(1);
    statements.length = 0;
    const { hostname, port } = new URL(gateway.url);
    const length = Buffer.byteLength(body);
    const socket = connect(Number(port), hostname);
    const head = [`${method} ${path} HTTP/1.1`, 'host: x', 'api_token: token', 'content-type: application/json'];
    socket.write([...head, `content-length: ${length}`, '', body].join('\r\n'));
    // The gateway has started the first request when it responds to the second.
    const { status } = await fetch(`${gateway.url}/health/live`);
    expect(status).toBe(200);
    socket.destroy();
    await once(socket, 'close');
    expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
    await release();
    expect(await slow).toMatchObject({ ok: true });
    expect(await backend.projectVersions(caller)).toMatchObject({ ok: true });
    expect(statements.filter((text) => text.includes('readers'))).toHaveLength(1);
  });
});

describe('a row that another program has locked', () => {
  it('is waited for by one write at a time, and by no read', async () => {
    const { backend, countWaiting, release } = await openLocked(LOCK_GROUP);
    const changes = many(12, (n) =>
      backend.changeReaderGroupMembers(caller, {
        groupId: 'none',
        addReaderIds: [`r${(n % 5) + 1}`],
        removeReaderIds: [],
        addInvitedSsoUserIds: [],
        removeInvitedSsoUserIds: [],
      }),
    );
    await expect.poll(countWaiting).toBe(1);
    expect(await backend.projectVersions(caller)).toMatchObject({ ok: true });
    expect(await countWaiting()).toBe(1);
    await release();
    for (const result of await Promise.all(changes)) expect(result).toMatchObject({ ok: true });
  });
});

describe('the time left of a call', () => {
  it('bounds a read', async () => {
    const { backend, logged } = await openLocked(LOCK_READERS);
    expect(await backend.listReaders(callerWith(300), null, { limit: 1 })).toMatchObject(CANNOT_READ);
    // The lock timeout of the server would give 55P03.
    expect(logged).toEqual([
      ['error', 'The store cannot be read.', { code: 'CONNECTION', requestId: expect.any(String) }],
    ]);
  });

  it('bounds the statement on the server, too', async () => {
    const { backend, countWaiting } = await openLocked(LOCK_READERS);
    // On a busy machine a read may be over before it was seen: then the next one is looked at.
    for (let seen = 0; seen === 0; ) {
      let isOver = false;
      const read = backend.listReaders(callerWith(300), null, { limit: 1 }).finally(() => {
        isOver = true;
      });
      while (!isOver) seen = Math.max(seen, await countWaiting());
      expect(await read).toMatchObject(CANNOT_READ);
    }
    await expect.poll(countWaiting).toBe(0);
  });

  it('bounds a write, which the server rolls back for certain', { tags: 'long' }, async () => {
    const { backend, logged, countWaiting } = await openLocked(LOCK_GROUP);
    const update = { groupId: 'none', title: 'Never', accessScope: { level: 'NONE' } } as const;
    expect(await backend.updateReaderGroup(callerWith(1_500), update)).toMatchObject(CANNOT_WRITE);
    const code = expect.stringMatching(/^(57014|55P03)$/u);
    expect(logged).toEqual([
      ['error', 'The store cannot be written.', { code, committing: false, requestId: expect.any(String) }],
    ]);
    expect(await countWaiting()).toBe(0);
  });

  it('bounds the wait for a connection', { tags: 'long' }, async () => {
    const { backend, countWaiting } = await openLocked(LOCK_READERS, 2);
    const slow = backend.listReaders(caller, null, { limit: 1 });
    await expect.poll(countWaiting).toBe(1);
    expect(await backend.projectVersions(callerWith(200))).toMatchObject(NO_TIME);
    expect(await countWaiting()).toBe(1);
    expect(await slow).toMatchObject(CANNOT_READ);
  });

  it('is at least a second when a write begins', async () => {
    const { backend, counted } = await openStore();
    const write = () => backend.bulkUpdateArticles(callerWith(900), [{ articleId: 'a1', title: 'Never' }]);
    expect(await counted(write)).toMatchObject({ value: NO_TIME, statements: [] });
  });
});

describe('a server that has become a standby', () => {
  it('makes the store not ready, and its writes unavailable', { tags: 'long' }, async () => {
    const database = await databaseToDrop();
    const { backend, database: opened } = await openStore({ databaseUrl: database.url });
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(opened.db);
    await database.run(`alter database ${rows[0]?.name} set default_transaction_read_only = on`);
    await database.run(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    // The first call may get a connection that was just closed.
    await expect.poll(() => backend.projectVersions(caller)).toMatchObject({ ok: true });
    expect(await backend.checkReady()).toEqual({ ok: false, error: 'The store cannot be written.' });
    const update = [{ articleId: 'a1', title: 'Never' }];
    expect(await backend.bulkUpdateArticles(caller, update)).toMatchObject(CANNOT_WRITE);
  });
});

describe('a changed session, as with a pooler', () => {
  const openChanged = async (change: string) => {
    const { backend, database } = await openStore({ databaseUrl: (await databaseToDrop()).url, poolSize: 1 });
    const read = async () => (await backend.articles(caller, [{ articleId: 'a1' }]))[0];
    expect(await read()).toMatchObject({ ok: true });
    const bulk = () => backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Now' }]);
    expect(await bulk()).toMatchObject({ ok: true });
    await sql.raw(change).execute(database.db);
    return { read, bulk };
  };

  it.each(['deallocate all', 'alter table article_versions alter column title type varchar'])(
    'makes a read unavailable, after %s, and the next one has another connection',
    { tags: 'long' },
    async (statement) => {
      const { read } = await openChanged(statement);
      expect(await read()).toMatchObject(CANNOT_READ);
      expect(await read()).toMatchObject({ ok: true });
    },
  );

  it('makes a write unavailable, which changes nothing', { tags: 'long' }, async () => {
    const { bulk } = await openChanged('deallocate all');
    expect(await bulk()).toMatchObject(CANNOT_WRITE);
    expect(await bulk()).toMatchObject({ ok: true });
  });
});
