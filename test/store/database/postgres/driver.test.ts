import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStoreDatabase } from '../../../../src/store/tables/store-database.ts';
import { openMetrics } from '../../../server/telemetry/open-metrics.ts';
import { singleValue, valuesBy } from '../../../support/scrape.ts';
import { CERTIFICATE, startTlsFront } from '../../../support/tls-front.ts';
import { databaseToDrop, emptyDatabase, openStore } from '../../store.ts';

describe('the settings of a connection', () => {
  it.each([
    ['application_name', 'kb-gateway'],
    ['statement_timeout', '30s'],
    ['lock_timeout', '4s'],
    ['idle_in_transaction_session_timeout', '10s'],
  ])('have %s at %s', async (name, expected) => {
    const { database } = await openStore();
    const { rows } = await sql`select current_setting(${name}) as setting`.execute(database.db);
    expect(rows).toEqual([{ setting: expected }]);
  });

  it('are overridden by those of the URL', async () => {
    const { database } = await openStore({ databaseUrl: `${await emptyDatabase()}?application_name=gateway-7` });
    const { rows } = await sql`select current_setting('application_name') as setting`.execute(database.db);
    expect(rows).toEqual([{ setting: 'gateway-7' }]);
  });
});

describe('the pool', () => {
  it('keeps its size, and serves all waiting calls', async () => {
    const { database } = await openStore({ poolSize: 3 });
    const slow = () => sql<{ pid: number }>`select pg_backend_pid() as pid from pg_sleep(0.02)`.execute(database.db);
    const results = await Promise.all(Array.from({ length: 20 }, slow));
    expect(new Set(results.map(({ rows }) => rows[0]?.pid)).size).toBe(3);
  });

  it('is measured', async () => {
    const { metrics, samples } = await openMetrics();
    const { database } = await openStore({ poolSize: 2, metrics });
    await database.db.connection().execute(async (db) => {
      await sql`select 1`.execute(db);
      const page = await samples();
      expect(valuesBy(page, 'db_client_connection_count', ['db_client_connection_state'])).toMatchObject({ used: 1 });
      expect(singleValue(page, 'db_client_connection_max')).toBe(2);
      expect(singleValue(page, 'db_client_connection_pending_requests')).toBe(0);
    });
  });

  it('bounds the waiting statements', async () => {
    const { database } = await openStore({ poolSize: 1 });
    const ask = () => sql`select 1`.execute(database.db);
    const results = await Promise.allSettled(Array.from({ length: 1_100 }, ask));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused.length).toBeGreaterThan(90);
    expect(refused.length).toBeLessThan(110);
    for (const error of refused) expect(database.dialect.failureOf(error)).toMatchObject({ kind: 'uncertain' });
  });
});

describe('sslmode', () => {
  const openFront = async () => {
    const front = await startTlsFront(await emptyDatabase());
    onTestFinished(front.close);
    return front;
  };
  const root = encodeURIComponent(CERTIFICATE);

  it.each([
    ['require', ''],
    ['verify-ca', `&sslrootcert=${root}`],
    ['verify-full', `&sslrootcert=${root}`],
  ])('%s uses TLS', async (mode, parameters) => {
    const { url } = await openFront();
    await (await openStoreDatabase(`${url}?sslmode=${mode}${parameters}`)).close();
  });

  it('verify-full rejects a certificate of an unknown authority', async () => {
    const { url } = await openFront();
    await expect(openStoreDatabase(`${url}?sslmode=verify-full`)).rejects.toThrow(
      /cannot be used: self-signed certificate/u,
    );
  });

  it('verify-full rejects the certificate of another server', async () => {
    const { url } = await openFront();
    const other = url.replace('127.0.0.1', '127.0.0.2');
    await expect(openStoreDatabase(`${other}?sslmode=verify-full&sslrootcert=${root}`)).rejects.toThrow(
      /cannot be used/u,
    );
  });

  it.each(['require', 'verify-full'])('%s fails without TLS', async (mode) => {
    const url = await emptyDatabase();
    await expect(openStoreDatabase(`${url}?sslmode=${mode}`)).rejects.toThrow(/does not support SSL/u);
  });

  it('disable uses no TLS', async () => {
    const { url } = await openFront();
    await expect(openStoreDatabase(`${url}?sslmode=disable`)).rejects.toThrow(/cannot be used/u);
    await (await openStoreDatabase(`${await emptyDatabase()}?sslmode=disable`)).close();
  });

  it('names a certificate that cannot be read', async () => {
    const { url } = await openFront();
    await expect(openStoreDatabase(`${url}?sslmode=verify-full&sslrootcert=nowhere.crt`)).rejects.toThrow(
      /nowhere\.crt/u,
    );
  });
});

describe('a PostgreSQL that cannot be used', () => {
  /** The error message of the start with a changed URL; `none` when it succeeds. */
  async function startError(change: (url: URL) => void): Promise<string> {
    const url = new URL((await databaseToDrop()).url);
    url.password = 'hush-hush';
    change(url);
    const opened = openStoreDatabase(url.href);
    return opened.then(
      () => 'none',
      (error: Error) => error.message,
    );
  }

  it('is reported with the reason, without the password', async () => {
    const messages = [
      await startError(() => {}),
      await startError((url) => {
        url.port = '1';
      }),
      await startError((url) => {
        url.hostname = 'nowhere.invalid';
      }),
    ];
    expect(messages).toEqual([
      expect.stringMatching(/^The database that DATABASE_URL names cannot be used: password authentication failed/u),
      expect.stringMatching(/cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1\.$/u),
      expect.stringMatching(/cannot be used: getaddrinfo/u),
    ]);
    expect(messages.join()).not.toContain('hush-hush');
  });

  it('is reported when the database does not exist', async () => {
    const url = new URL((await databaseToDrop()).url);
    url.pathname = 'nowhere';
    await expect(openStoreDatabase(url.href)).rejects.toThrow('cannot be used: database "nowhere" does not exist.');
  });

  it.each(['postgres://host:port/kb', 'postgres:'])('is reported when the URL is %s', async (url) => {
    await expect(openStoreDatabase(url)).rejects.toThrow('DATABASE_URL must be');
  });
});
