import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StateUnavailable } from '../../../src/core/state-unavailable.ts';
import { type LedgerOptions, openLedger } from '../../../src/jobs/state/open-ledger.ts';
import { openStore, temporaryFolder } from '../../store/store.ts';
import {
  beginAheadOfClock,
  claimOne,
  jobOf,
  LIMITS,
  partOf,
  sweepAll,
  takeOverAfter,
  tellAliveAmidWrites,
  unknown,
  updated,
  updatesOf,
} from './contract.ts';

const ALIVE_MS = 600_000;

async function openOver(path: string, options: Partial<LedgerOptions> = {}) {
  const ledger = await openLedger({ url: `sqlite:${path}`, setting: 'STATE_URL', ...options });
  onTestFinished(() => ledger.close());
  await ledger.heartbeat('p1', ALIVE_MS);
  return ledger;
}

const statePath = () => join(temporaryFolder(), 'state.db');

/** The files of the folder that contain a text. */
const filesWith = (path: string, text: string): readonly string[] => {
  const folder = join(path, '..');
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
};

describe('the files of the state', () => {
  it('know no caller of whom nothing is kept', async () => {
    const path = statePath();
    const ledger = await openOver(path);
    const callers = ['one', 'two', 'three'];
    for (const callerKey of callers) await ledger.appendPart({ ...partOf({ moreToCome: true }), callerKey });
    const database = new DatabaseSync(path);
    onTestFinished(() => database.close());
    const known = () =>
      database.prepare("select distinct caller_key from state_usage where caller_key <> '' order by 1").all();
    expect(known().map(({ caller_key }) => caller_key)).toEqual(callers.toSorted());
    await sweepAll(ledger, { openMs: 0, keepMs: 0 });
    expect(known()).toEqual([]);
    expect(await ledger.usedBytes()).toBe(0);
  });

  it.each(['while the gateway runs', 'once it has stopped'])('have no text after its end, %s', async (moment) => {
    const path = statePath();
    const ledger = await openOver(path);
    const texts = ['ended', 'read-back', 'cancelled', 'expired', 'closed'].map((name) => `text-of-${name}-item`);
    const [ended = '', readBack = '', cancelled = '', expired = ''] = texts;
    const updates = [ended, readBack, cancelled].map((text, n) => ({ articleId: `A${n}`, content: text.repeat(900) }));
    await ledger.appendPart(partOf({ updates }));
    const left = { idempotencyKey: 'left', moreToCome: true, updates: [{ articleId: 'A', title: expired }] };
    await ledger.appendPart(partOf(left));
    for (const text of [ended, readBack, cancelled, expired]) expect(filesWith(path, text)).not.toEqual([]);

    const run = await claimOne(ledger, 'p1');
    await ledger.beginItems(run, [0, 1]);
    await ledger.endItems(run, [
      { index: 0, outcome: updated('A0') },
      { index: 1, outcome: unknown('A1') },
    ]);
    await ledger.endItems(run, [{ index: 1, outcome: unknown('A1', 'DIFFERS') }]);
    await ledger.cancel('caller', run.jobId);
    await sweepAll(ledger, { openMs: 0, keepMs: ALIVE_MS });
    if (moment === 'once it has stopped') await ledger.close();
    for (const text of texts) expect(filesWith(path, text)).toEqual([]);
  });

  it('lose a bounded length of texts at one time', { tags: 'long' }, async () => {
    const path = statePath();
    const ledger = await openOver(path);
    const content = 'Secret'.repeat(1_500_000);
    const updates = updatesOf(5).map((update) => ({ ...update, content }));
    const { jobId } = jobOf(await ledger.appendPart(partOf({ updates })));
    await ledger.cancel('caller', jobId);
    const database = new DatabaseSync(path);
    onTestFinished(() => database.close());
    const left = () =>
      database.prepare('select count(*) as texts from article_update_job_items where input is not null').get();
    expect(await ledger.sweep({ openMs: ALIVE_MS, keepMs: ALIVE_MS })).toBe(true);
    expect(left()).toEqual({ texts: 2 });
    await sweepAll(ledger, { openMs: ALIVE_MS, keepMs: ALIVE_MS });
    expect(left()).toEqual({ texts: 0 });
  });

  it('have no text after a stop without a sweep, of items with an outcome', async () => {
    const path = statePath();
    const ledger = await openOver(path);
    await ledger.appendPart(partOf({ updates: [{ articleId: 'A0', content: 'a-text-to-find' }] }));
    const run = await claimOne(ledger, 'p1');
    await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }]);
    await ledger.close();
    expect(filesWith(path, 'a-text-to-find')).toEqual([]);
  });

  it('can be those of the store, whichever comes first', async () => {
    const path = statePath();
    const databaseUrl = `sqlite:${path}`;
    const first = await openOver(path, { setting: 'DATABASE_URL' });
    const { jobId } = jobOf(await first.appendPart(partOf()));
    await first.close();
    const { backend } = await openStore({ databaseUrl });
    const again = await openOver(path, { setting: 'DATABASE_URL' });
    expect(await again.findJob('caller', jobId)).toMatchObject({ state: 'RUNNING' });
    await backend.close();
    await again.close();
    await openStore({ databaseUrl });
  });

  it('are not those of another program', async () => {
    const path = statePath();
    const other = new DatabaseSync(path);
    other.exec('create table recipes (name text)');
    other.close();
    await expect(openOver(path)).rejects.toThrow(/^STATE_URL names a database of another program/u);
  });

  it('are not those of a newer gateway', async () => {
    const path = statePath();
    await (await openOver(path)).close();
    const newer = new DatabaseSync(path);
    newer.exec(`insert into state_migration values ('9999-from-the-future', '2099-01-01T00:00:00.000Z')`);
    newer.close();
    await expect(openOver(path)).rejects.toThrow(/STATE_URL.*newer kb-gateway \(schema 9999-from-the-future\)/u);
  });

  it('are named by their setting when they cannot be opened', async () => {
    const folder = temporaryFolder();
    await expect(openOver(folder)).rejects.toThrow(/^The state cannot be opened \(STATE_URL\)\. The SQLite file /u);
    await expect(openLedger({ url: 'nonsense', setting: 'STATE_URL' })).rejects.toThrow(
      /^STATE_URL must be sqlite:PATH/u,
    );
  });

  it('are missed at the next write when somebody removes them', async () => {
    const path = statePath();
    const lines: unknown[] = [];
    const ledger = await openOver(path, { log: (...line) => lines.push(line) });
    rmSync(path);
    const failure = await ledger.appendPart(partOf()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StateUnavailable);
    expect(failure).toMatchObject({ message: 'The state cannot be read or written (FILES_GONE).' });
    expect(lines).toEqual([['error', 'The state cannot be read or written.', { code: 'FILES_GONE' }]]);
  });
});

describe('a ledger', () => {
  it('has what a killed process has begun as unknown, and the rest as it was', { tags: 'long' }, async () => {
    const path = statePath();
    const writer = spawn(
      process.execPath,
      [fileURLToPath(new URL('lost-process.ts', import.meta.url)), `sqlite:${path}`],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const ended = once(writer, 'exit');
    const [line] = await Promise.race([once(writer.stdout, 'data'), ended]);
    writer.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(`${line}`).toBe('begun\n');

    const ledger = await openOver(path);
    // The process is taken for dead a second after its last sign of life.
    const claim = async () =>
      (await ledger.claim({ owner: 'p1', credentialHashes: new Set(['binding']), held: [] })).map(({ job }) => job);
    await expect.poll(claim).toMatchObject([{ state: 'RUNNING', counts: { total: 3, pending: 1, unknown: 2 } }]);
  });

  it('tells that its process lives before writes that wait', { tags: 'long' }, async () => {
    const { before, all } = await tellAliveAmidWrites(await openOver(statePath()));
    expect(all).toBe(900);
    expect(before).toBeLessThan(450);
  });

  it('keeps no job and no key waiting for the hour by which a clock comes back behind', async () => {
    let now = Date.now();
    const ledger = await openOver(statePath(), { now: () => now });
    await beginAheadOfClock(ledger, async () => {
      now -= 3_600_000;
    });
    expect(await takeOverAfter(ledger)).toEqual({ jobs: [], key: 'in-flight' });
    now += 1_000;
    expect(await takeOverAfter(ledger)).toEqual({ jobs: [1], key: 'lost' });
  });

  it('is unavailable once it is closed', async () => {
    const ledger = await openLedger({ url: 'sqlite::memory:', setting: 'STATE_URL' });
    await ledger.close();
    await expect(ledger.heartbeat('p1', 1)).rejects.toBeInstanceOf(StateUnavailable);
    await expect(ledger.findJob('caller', 'job')).rejects.toBeInstanceOf(StateUnavailable);
  });

  it('waits for a writer in another process', async () => {
    const path = statePath();
    const ledger = await openOver(path);
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    const appended = ledger.appendPart(partOf());
    expect(await ledger.countJobs('caller')).toBe(0);
    other.exec('commit');
    other.close();
    expect(await appended).toMatchObject({ kind: 'appended' });
  });

  it('adds a large part in one transaction, of statements that are short', { tags: 'long' }, async () => {
    const statements: string[] = [];
    const ledger = await openLedger({
      ...{ url: 'sqlite::memory:', setting: 'STATE_URL' },
      onStatement: (text) => statements.push(text.split(' ', 3).join(' ')),
    });
    statements.length = 0;
    await ledger.appendPart(partOf({ updates: updatesOf(10_000), limits: { ...LIMITS, maxItems: 10_000 } }));
    await ledger.close();
    expect(statements.filter((text) => text.startsWith('insert into article_update_job_items'))).toHaveLength(100);
    expect(statements.filter((text) => text.startsWith('begin'))).toHaveLength(1);
  });
});

/** The indexes that are scanned have only the jobs with work left, and those with texts to delete. */
const FULL_SCAN =
  /^SCAN (?:j|i|k|article_update_\w+|idempotency_keys)\b(?! USING INDEX article_update_jobs_(?:with_text|active)\b)/u;

/** A small state is fast without an index too, so the plans themselves are tested. */
describe('the statements of a ledger', () => {
  it('find jobs, items and keys by an index', async () => {
    const path = statePath();
    const statements = new Set<string>();
    const ledger = await openOver(path, { onStatement: (text) => statements.add(text) });
    statements.clear();
    await useAll(ledger);
    const database = new DatabaseSync(path, { readOnly: true });
    onTestFinished(() => database.close());
    const scans = [...statements]
      .filter((text) => /^\s*(?:select|insert|update|delete)/u.test(text))
      .flatMap((text) =>
        database
          .prepare(`explain query plan ${text}`)
          .all()
          .map(({ detail }) => `${detail}`)
          .filter((step) => FULL_SCAN.test(step))
          .map((step) => `${step}: ${text}`),
      );
    expect(scans).toEqual([]);
    expect(statements.size).toBeGreaterThan(40);
  });
});

async function useAll(ledger: Awaited<ReturnType<typeof openLedger>>): Promise<void> {
  const open = partOf({ moreToCome: true, updates: updatesOf(5) });
  const { jobId } = jobOf(await ledger.appendPart(open));
  await ledger.appendPart(open);
  await ledger.appendPart(partOf({ startIndex: 5, updates: [] }));
  const run = await claimOne(ledger, 'p1');
  await ledger.nextItems(run, 9);
  await ledger.beginItems(run, [0, 1, 2]);
  await ledger.withdrawItems(run, [2]);
  await ledger.endItems(run, [{ index: 0, outcome: unknown('A0') }]);
  await ledger.unknownItems(run, 9);
  await ledger.unknownArticles(run, ['a0']);
  await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }]);
  await ledger.setWaiting(run, 'SERVICE');
  await ledger.findJob('caller', jobId);
  await ledger.countJobs('caller');
  await ledger.listJobs('caller', { limit: 9, after: null });
  await ledger.listJobs('caller', { limit: 9, after: jobId });
  await ledger.results(jobId, { limit: 9, after: -1, outcomes: null });
  await ledger.pause(run);
  await ledger.resume('caller', jobId, { owner: 'p1', credentialHash: 'binding' });
  await ledger.heartbeat('p1', 0);
  await ledger.heartbeat('p2', ALIVE_MS);
  await ledger.claim({ owner: 'p2', credentialHashes: new Set(['binding']), held: [] });
  await ledger.cancel('caller', jobId);
  await ledger.results(jobId, { limit: 9, after: -1, outcomes: ['NOT_ATTEMPTED'] });
  const key = { ...{ callerKey: 'caller', operation: 'o', idempotencyKey: 'k' }, ...{ inputHash: 'h', owner: 'p2' } };
  const begun = await ledger.beginKey({ ...key, maxBytes: 1_000_000 });
  if (begun.kind === 'begun') await ledger.endKey(begun.keyId, '1');
  await ledger.forgetKey('none');
  await sweepAll(ledger, { openMs: 0, keepMs: 0 });
}
