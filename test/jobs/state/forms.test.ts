import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import {
  bulkUpdateAnswer,
  decodeNoted,
  decodeOutcome,
  decodeRevertItem,
  decodeSnapshot,
  decodeTarget,
  decodeUpdate,
  encodeNoted,
  encodeOutcome,
  encodeRevertItem,
  encodeSnapshot,
  encodeTarget,
  encodeUpdate,
} from '../../../src/core/writes/codec.ts';
import { openLedger } from '../../../src/jobs/state/open-ledger.ts';
import { temporaryFolder } from '../../store/store.ts';
import { LIMITS } from './contract.ts';
import { ANSWERS, KEPT_ITEMS, NOTED, OUTCOMES, REVERT_ITEMS, UPDATES } from './kept-samples.ts';

/** States as each version has written them, by test/jobs/state/write-form.ts. */
const FIXTURES = 'test/fixtures/state';
const FORMS = readdirSync(FIXTURES).sort();

const numberOf = (form: string): number => Number(/\d+/u.exec(form)?.[0]);

/** Form 6 added `ifRevision`. */
const updatesOf = (form: string): readonly ArticleUpdate[] =>
  numberOf(form) >= 6 ? UPDATES : UPDATES.map(({ ifRevision: _, ...update }) => update);

const NOW = 1_700_000_020_000;

function openState(form: string) {
  const path = join(temporaryFolder(), 'state.db');
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  database.exec(`begin; ${readFileSync(join(FIXTURES, form), 'utf8')} commit`);
  const open = async () => {
    const ledger = await openLedger({
      ...{ url: `sqlite:${path}`, setting: 'STATE_URL' },
      ...{ serviceUrl: 'https://service.example', now: () => NOW },
    });
    onTestFinished(() => ledger.close());
    await ledger.heartbeat('p1', 60_000);
    return ledger;
  };
  const rows = (sql: string) => database.prepare(sql).all();
  const job = (key: string) => {
    const [row] = rows(
      `select job_id, caller_key, binding_key from article_update_jobs where idempotency_key = '${key}'`,
    );
    return {
      jobId: `${row?.['job_id']}`,
      callerKey: `${row?.['caller_key']}`,
      credentialHash: `${row?.['binding_key']}`,
    };
  };
  return { database, open, rows, job };
}

describe.each(FORMS)('a state of %s', (form) => {
  it('has the items that were not sent, and those that are unknown', async () => {
    const { open, job } = openState(form);
    const ledger = await open();
    const { jobId, callerKey, credentialHash } = job('running');
    await ledger.claim({ owner: 'p1', credentialHashes: new Set(), held: [] });
    await ledger.resume(callerKey, jobId, { owner: 'p1', credentialHash });
    const [run] = await ledger.claim({ owner: 'p1', credentialHashes: new Set([credentialHash]), held: [] });
    if (run === undefined) throw new Error('The job was not given to its owner.');
    const updates = updatesOf(form);
    expect(await ledger.nextItems(run, 99)).toEqual(updates.map((update, index) => ({ index, update })));
    expect((await ledger.unknownItems(run, 99))?.map(({ update }) => update)).toEqual(
      updates.map((update) => ({ ...update, articleId: `Sent-${update.articleId}` })),
    );
    const part = { idempotencyKey: 'running', isUnattended: false, startIndex: 0, moreToCome: false, updates };
    expect(await ledger.appendPart({ ...part, callerKey, credentialHash, owner: 'p1', limits: LIMITS })).toMatchObject({
      kind: 'appended',
      replayed: true,
    });
  });

  it('has all outcomes', async () => {
    const { open, job } = openState(form);
    const ledger = await open();
    const page = { limit: 99, after: -1, outcomes: null };
    const { ifRevision } = updatesOf(form)[0] ?? {};
    const target = { languageCode: 'de', versionNumber: 3, ...(ifRevision && { ifRevision }) };
    expect(await ledger.results(job('ended').jobId, page)).toEqual(
      OUTCOMES.map((outcome, index) => {
        const articleId = `Ended-${index}`;
        return { index, outcome: { ...outcome, articleId }, target: { ...target, articleId } };
      }),
    );
    expect(await ledger.results(job('cancelled').jobId, page)).toMatchObject([
      { outcome: { kind: 'not-attempted', articleId: 'Cancelled', reason: 'CANCELLED', retryAfterSeconds: null } },
    ]);
  });

  it('has the answers of its keys', async () => {
    const { open, rows } = openState(form);
    const ledger = await open();
    const keys = rows('select caller_key, operation, idempotency_key, input_hash from idempotency_keys');
    expect(keys.length).toBeGreaterThan(7);
    for (const { caller_key, operation, idempotency_key, input_hash } of keys) {
      const found = await ledger.beginKey({
        ...{ callerKey: `${caller_key}`, operation: `${operation}`, idempotencyKey: `${idempotency_key}` },
        ...{ inputHash: `${input_hash}`, owner: 'p1', maxBytes: 1_000_000_000 },
      });
      if (found.kind !== 'ended') throw new Error(`${idempotency_key}: ${found.kind}`);
      const sample = ANSWERS.find(({ idempotencyKey }) => idempotencyKey === idempotency_key);
      expect(sample?.decode(found.answer)).toEqual({ ok: true, value: sample?.result });
    }
  });
});

describe('the codec', () => {
  it('writes the last form, and no other without a new number', () => {
    const last = FORMS.at(-1) ?? '';
    const { rows } = openState(last);
    const texts = (sql: string) => rows(sql).map(({ text }) => `${text}`);
    const items = (column: string, key: string) =>
      texts(
        `select i.${column} as text from article_update_job_items as i join article_update_jobs as j using (job_id)
          where j.idempotency_key = '${key}' order by item_index`,
      );
    expect(UPDATES.map(encodeUpdate)).toEqual(items('input', 'running').slice(0, UPDATES.length));
    expect(UPDATES.map(encodeTarget)).toEqual(items('target', 'running').slice(0, UPDATES.length));
    expect(OUTCOMES.map(encodeOutcome)).toEqual(items('outcome', 'ended'));
    expect(KEPT_ITEMS.map(encodeSnapshot)).toEqual(items('before', 'kept'));
    const answers = texts('select answer as text from idempotency_keys');
    expect(ANSWERS.map(({ kept }) => kept).sort()).toEqual(answers.sort());
    for (const text of [...items('input', 'running'), ...items('target', 'running'), ...answers])
      expect(JSON.parse(text)).toMatchObject({ v: numberOf(last) });
  });

  it('keeps each member of every sample', () => {
    for (const update of UPDATES) expect(decodeUpdate(encodeUpdate(update))).toEqual({ ok: true, value: update });
    for (const { articleId: _, ...outcome } of OUTCOMES)
      expect(decodeOutcome(encodeOutcome(outcome))).toEqual({ ok: true, value: outcome });
    const shown = { kind: 'updated', details: null, isHiddenUnknown: true, notRestored: ['order'] } as const;
    expect(decodeOutcome(encodeOutcome(shown))).toEqual({ ok: true, value: shown });
    for (const kept of KEPT_ITEMS) expect(decodeSnapshot(encodeSnapshot(kept))).toEqual({ ok: true, value: kept });
    for (const item of REVERT_ITEMS)
      expect(decodeRevertItem(encodeRevertItem(item))).toEqual({ ok: true, value: item });
    expect(decodeNoted(encodeNoted(NOTED))).toEqual({ ok: true, value: NOTED });
    for (const { kept, decode, result } of ANSWERS) expect(decode(kept)).toEqual({ ok: true, value: result });
  });

  it.each([
    ['a member that it does not know', (value: object) => ({ ...value, colour: 'red' }), /not known/u],
    ['a form of another type', (value: object) => ({ ...value, v: [[['x'.repeat(1_000)]]] }), /unknown form\.$/u],
    ['a form that it does not know', (value: object) => ({ ...value, v: 99 }), /unknown form/u],
    ['another type', (value: object) => mapped(value, () => ({})), /./u],
    ['none of its members', () => ({ v: 2 }), /./u],
  ])('refuses a text with %s, in each form, and tells what', (_name, change, reason) => {
    for (const [decode, text] of TEXTS) {
      const refused = { ok: false, error: expect.stringMatching(reason) };
      const { v, ...value }: { v: number } = JSON.parse(text);
      expect(decode(JSON.stringify(change({ v, ...value })))).toEqual(refused);
    }
  });

  it('refuses what has a member under another name', () => {
    for (const [decode, text] of TEXTS)
      for (const path of memberPaths(JSON.parse(text))) {
        const refused = { ok: false, error: expect.stringMatching(/./u) };
        expect([path, decode(JSON.stringify(renamed(JSON.parse(text), path)))]).toEqual([path, refused]);
      }
  });

  it.each(['', 'null', '[]', '1', '{', '{"v":2,"value":1,"error":{}}'])('refuses %j', (text) => {
    for (const decode of [decodeUpdate, decodeTarget, decodeOutcome, bulkUpdateAnswer.decode])
      expect(decode(text)).toMatchObject({ ok: false, error: expect.stringMatching(/./u) });
  });
});

/** The texts of all samples, each with what decodes it. */
const TEXTS: readonly (readonly [(kept: string) => unknown, string])[] = [
  ...UPDATES.map((update) => [decodeUpdate, encodeUpdate(update)] as const),
  ...UPDATES.map((update) => [decodeTarget, encodeTarget(update)] as const),
  ...OUTCOMES.map((outcome) => [decodeOutcome, encodeOutcome(outcome)] as const),
  ...KEPT_ITEMS.map((kept) => [decodeSnapshot, encodeSnapshot(kept)] as const),
  ...REVERT_ITEMS.map((item) => [decodeRevertItem, encodeRevertItem(item)] as const),
  [decodeNoted, encodeNoted(NOTED)],
  ...ANSWERS.map(({ decode, kept }) => [decode, kept] as const),
];

const mapped = (value: object, map: (member: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, name === 'v' ? member : map(member)]));

type Path = readonly string[];

/** The paths of all members, but for those of objects that hold any JSON. */
function memberPaths(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null || /Data$/u.test(path.at(-1) ?? '')) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(Array.isArray(value) ? [] : [[...path, name]]),
    ...memberPaths(member, [...path, name]),
  ]);
}

/** A copy of the value in which the member at the path has another name. */
function renamed(value: unknown, path: Path): unknown {
  const [name = '', ...rest] = path;
  if (Array.isArray(value)) return value.map((member, index) => (`${index}` === name ? renamed(member, rest) : member));
  return Object.fromEntries(
    Object.entries(Object(value)).map(([key, member]) => {
      if (key !== name) return [key, member];
      return rest.length === 0 ? [`${key}Renamed`, member] : [key, renamed(member, rest)];
    }),
  );
}
