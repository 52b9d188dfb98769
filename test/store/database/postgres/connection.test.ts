import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Log } from '../../../../src/core/base/log.ts';
import { startWire, type Wire } from '../../../support/wire.ts';
import { caller, emptyDatabase, only, openStore } from '../../store.ts';

const GROUP = { groupId: 'none', title: 'Renamed', accessScope: { level: 'PROJECT' } } as const;

const CANNOT_WRITE = { ok: false, error: { kind: 'unavailable', message: 'The store cannot be written.' } };
const CANNOT_READ = { ok: false, error: { kind: 'unavailable', message: 'The store cannot be read.' } };

/** A store whose connections to its server can be cut. */
async function openOverWire(parameters = '') {
  const logged: unknown[][] = [];
  const log: Log = (...line) => logged.push(line);
  const url = await emptyDatabase();
  const wire = await startWire(`${url}${parameters}`);
  onTestFinished(wire.close);
  const store = await openStore({ databaseUrl: wire.url, log });
  const { backend } = store;
  const update = (title: string) =>
    backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title }, { articleId: 'a9' }]);
  const title = async () => (await only(backend.articles(caller, [{ articleId: 'a1' }])))?.title;
  return { ...store, wire, logged, update, title };
}

/** A statement ends with a zero byte, so this does not match `read committed`. */
const COMMIT = 'commit\0';

/** Cuts the wire as soon as a statement is sent that contains a text. */
const cutAt = (wire: Wire, text: string): void => {
  let done = false;
  wire.decide((bytes, from) => {
    if (done || from === 'server' || !bytes.includes(text)) return 'forward';
    done = true;
    return 'cut';
  });
};

/** Forwards a statement that contains a text, and cuts the wire at the server's response. */
const cutAfter = (wire: Wire, text: string): void => {
  let state: 'waiting' | 'sent' | 'done' = 'waiting';
  wire.decide((bytes, from) => {
    if (state === 'waiting' && from === 'client' && bytes.includes(text)) state = 'sent';
    if (state !== 'sent' || from === 'client') return 'forward';
    state = 'done';
    return 'cut';
  });
};

describe('a connection that is lost', () => {
  it.each(['begin', 'for no key update', 'select "a"."id"', 'update "article_versions"'])(
    'at %s makes the write unavailable, which changes nothing, and the next one works',
    async (text) => {
      const { wire, update, title, logged } = await openOverWire();
      cutAt(wire, text);
      expect(await update('Never')).toMatchObject(CANNOT_WRITE);
      expect(logged).toContainEqual([
        'error',
        'The store cannot be written.',
        expect.objectContaining({ committing: false }),
      ]);
      expect(await title()).toBe('a1 en 2');
      expect(await update('Now')).toMatchObject({ ok: true });
      expect(await title()).toBe('Now');
    },
  );

  const UNKNOWN = {
    ok: true,
    value: {
      outcomes: [
        { kind: 'unknown', articleId: 'a1', details: expect.stringContaining('its outcome is unknown') },
        { kind: 'failed', articleId: 'a9' },
      ],
    },
  };

  it.each([
    ['before the server has it', cutAt, 'a1 en 2'],
    ['after it', cutAfter, 'Perhaps'],
  ] as const)('at the commit, %s, leaves the outcome unknown', async (_where, cut, expected) => {
    const { wire, update, title } = await openOverWire();
    cut(wire, COMMIT);
    expect(await update('Perhaps')).toMatchObject(UNKNOWN);
    expect(await title()).toBe(expected);
  });

  it('at the commit leaves the outcome of a group unknown', async () => {
    const { wire, backend } = await openOverWire();
    cutAfter(wire, COMMIT);
    expect(await backend.updateReaderGroup(caller, GROUP)).toMatchObject({
      ok: false,
      error: { kind: 'outcome-unknown' },
    });
  });

  it('makes a read unavailable, for each of its keys, and the next one works', async () => {
    const { wire, backend, title } = await openOverWire();
    cutAt(wire, 'select');
    const keys = ['a1', 'a2'].map((articleId) => ({ articleId }));
    expect(await backend.articles(caller, keys)).toMatchObject([CANNOT_READ, CANNOT_READ]);
    cutAt(wire, 'select');
    expect(await backend.projectVersions(caller)).toMatchObject(CANNOT_READ);
    expect(await title()).toBe('a1 en 2');
  });

  it('while it is idle is logged, and replaced', async () => {
    const { database, logged, title } = await openOverWire();
    await Promise.all([title(), title(), title()]);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
    `.execute(database.db);
    expect(await title()).toBe('a1 en 2');
    await expect.poll(() => logged).toContainEqual(['warn', 'A connection to the store was lost.', expect.anything()]);
  });
});

describe('a server that sends no response', () => {
  it('makes a call unavailable after the timeout, and the connection is closed', { tags: 'long' }, async () => {
    const { wire, title, backend } = await openOverWire('?query_timeout=2000');
    wire.decide(() => 'drop');
    expect(await backend.projectVersions(caller)).toMatchObject(CANNOT_READ);
    wire.decide(() => 'forward');
    expect(await title()).toBe('a1 en 2');
  });

  it('at the commit leaves the outcome unknown', { tags: 'long' }, async () => {
    const { wire, update, title } = await openOverWire('?query_timeout=2000');
    let commits = false;
    wire.decide((bytes, from) => {
      commits ||= from === 'client' && bytes.includes(COMMIT);
      return commits ? 'drop' : 'forward';
    });
    expect(await update('Perhaps')).toMatchObject({
      ok: true,
      value: { outcomes: [{ kind: 'unknown' }, { kind: 'failed' }] },
    });
    wire.decide(() => 'forward');
    expect(await title()).toBe('a1 en 2');
  });

  it('does not prevent closing the store', { tags: 'long' }, async () => {
    const { wire, backend, title } = await openOverWire();
    expect(await title()).toBe('a1 en 2');
    const sent = Promise.withResolvers<void>();
    wire.decide(() => {
      sent.resolve();
      return 'drop';
    });
    const read = backend.projectVersions(caller);
    await sent.promise;
    await backend.close();
    await wire.close();
    expect(await read).toMatchObject(CANNOT_READ);
  });
});
