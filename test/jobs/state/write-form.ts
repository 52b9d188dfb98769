import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { encodeOutcome } from '../../../src/core/writes/codec.ts';
import type { Ledger, LedgerPart, Run } from '../../../src/jobs/state/ledger.ts';
import { openLedger } from '../../../src/jobs/state/open-ledger.ts';
import { ANSWERS, KEPT_ITEMS, OUTCOMES, UPDATES } from './kept-samples.ts';

/* A program that writes a state with all samples as SQL: node test/jobs/state/write-form.ts test/fixtures/state/form-N.sql */

const NOW = 1_700_000_000_000;

const BINDING = { callerKey: 'caller', credentialHash: 'binding', owner: 'process' };

const partOf = (idempotencyKey: string, updates: LedgerPart['updates']): LedgerPart => ({
  ...{ ...BINDING, idempotencyKey, isUnattended: false, startIndex: 0, moreToCome: false, updates },
  limits: { maxItems: 1_000, maxJobs: 9, maxBytes: 1_000_000_000 },
});

async function claim(ledger: Ledger, held: readonly Run[] = []): Promise<Run> {
  const [run] = await ledger.claim({ owner: BINDING.owner, credentialHashes: new Set([BINDING.credentialHash]), held });
  if (run === undefined) throw new Error('No job was given.');
  return run;
}

async function writeJobs(ledger: Ledger): Promise<void> {
  const ended = OUTCOMES.flatMap((_, n) => UPDATES.slice(0, 1).map((one) => ({ ...one, articleId: `Ended-${n}` })));
  await ledger.appendPart(partOf('ended', ended));
  const first = await claim(ledger);
  await ledger.beginItems(first, [...ended.keys()]);
  await ledger.endItems(
    first,
    // Only a job that publishes takes publications, which would not end without them: they are written below.
    OUTCOMES.map((outcome, index) => ({ index, outcome: { ...outcome, publication: undefined } })),
  );
  await ledger.end(first, null);
  const sent = UPDATES.map((update) => ({ ...update, articleId: `Sent-${update.articleId}` }));
  await ledger.appendPart(partOf('running', [...UPDATES, ...sent]));
  const second = await claim(ledger, [first]);
  const indexes = sent.map((_, n) => UPDATES.length + n);
  await ledger.beginItems(second, indexes);
  const outcome = { kind: 'unknown', articleId: '', details: 'Cut.' } as const;
  await ledger.endItems(
    second,
    indexes.map((index) => ({ index, outcome })),
  );
  await ledger.appendPart({
    ...partOf(
      'kept',
      KEPT_ITEMS.map(({ update }) => update),
    ),
    keepBefore: 'WHERE_POSSIBLE',
  });
  const third = await claim(ledger, [first, second]);
  const items = new Map(KEPT_ITEMS.entries());
  await ledger.beginItems(third, [...items.keys()], { items, room: { maxBytes: 1_000_000_000 } });
  await ledger.endItems(
    third,
    KEPT_ITEMS.map(({ update: { articleId } }, index) => ({
      index,
      outcome: { kind: 'updated', articleId, details: null },
    })),
  );
  await ledger.end(third, null);
  const cancelled = await ledger.appendPart(partOf('cancelled', [{ articleId: 'Cancelled', title: 'T' }]));
  if (cancelled.kind === 'appended') await ledger.cancel(BINDING.callerKey, cancelled.job.jobId);
}

async function writeKeys(ledger: Ledger): Promise<void> {
  for (const { operation, idempotencyKey, kept } of ANSWERS) {
    const key = { callerKey: BINDING.callerKey, operation, idempotencyKey, inputHash: 'hash' };
    const begun = await ledger.beginKey({ ...key, owner: BINDING.owner, maxBytes: 1_000_000_000 });
    if (begun.kind === 'begun') await ledger.endKey(begun.keyId, kept);
  }
}

const quoted = (value: unknown): string => {
  if (value === null) return 'null';
  return typeof value === 'number' ? `${value}` : `'${String(value).replaceAll("'", "''")}'`;
};

function* dumpOf(database: DatabaseSync): Generator<string> {
  const objects = database
    .prepare(`select type, name, sql from sqlite_master where sql is not null order by type desc, rowid`)
    .all();
  for (const { sql } of objects) yield `${String(sql).replaceAll(/\s+/gu, ' ')};`;
  for (const { name } of objects.filter(({ type }) => type === 'table'))
    for (const row of database.prepare(`select * from "${name}"`).all())
      yield `insert into "${name}" (${Object.keys(row).join(', ')}) values (${Object.values(row).map(quoted).join(', ')});`;
}

const [file = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'kb-form-'));
const path = join(folder, 'state.db');
const serviceUrl = 'https://service.example';
const ledger = await openLedger({ url: `sqlite:${path}`, setting: 'STATE_URL', serviceUrl, now: () => NOW });
await ledger.heartbeat(BINDING.owner, 10_000);
await writeJobs(ledger);
await writeKeys(ledger);
await ledger.close();
const database = new DatabaseSync(path);
const write = database.prepare(`update article_update_job_items set outcome = ? where item_index = ? and job_id = (
  select job_id from article_update_jobs where idempotency_key = 'ended')`);
for (const [index, outcome] of OUTCOMES.entries()) write.run(encodeOutcome(outcome), index);
writeFileSync(file, `${[...dumpOf(database)].join('\n')}\n`);
database.close();
rmSync(folder, { recursive: true });
