import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ArticleOutcome, ReadBack } from '../../../src/core/articles/article-outcomes.ts';
import type { ArticleSnapshot, ItemSnapshot } from '../../../src/core/articles/article-reverts.ts';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import { UNATTENDED_WAIT_MS } from '../../../src/jobs/state/jobs/claims.ts';
import type { AppendResult, Ledger, LedgerJob, LedgerPart, LedgerRevert, Run } from '../../../src/jobs/state/ledger.ts';

/** A new state, which several processes open. */
export interface SharedState {
  open(serviceUrl?: string): Promise<Ledger>;
  close(): Promise<void>;
}

const ALIVE_MS = 600_000;

export const LIMITS = { maxItems: 100, maxJobs: 3, maxBytes: 1_000_000_000 };

export const updatesOf = (length: number, from = 0): readonly ArticleUpdate[] =>
  Array.from({ length }, (_, n) => ({ articleId: `A${from + n}`, title: `Title ${from + n}` }));

export const partOf = (part: Partial<LedgerPart> = {}): LedgerPart => ({
  callerKey: 'caller',
  idempotencyKey: 'key',
  credentialHash: 'binding',
  isUnattended: false,
  owner: 'p1',
  startIndex: 0,
  moreToCome: false,
  updates: updatesOf(3),
  limits: LIMITS,
  ...part,
});

export function jobOf(result: AppendResult): LedgerJob {
  if (result.kind !== 'appended') throw new Error(`Not appended: ${JSON.stringify(result)}`);
  return result.job;
}

type UpdatedOutcome = Extract<ArticleOutcome, { kind: 'updated' }>;

export const updated = (articleId: string): UpdatedOutcome => ({ kind: 'updated', articleId, details: 'Done.' });

export const unknown = (articleId: string, readBack?: ReadBack): ArticleOutcome => ({
  ...{ kind: 'unknown', articleId, details: 'Cut.' },
  ...(readBack && { readBack }),
});

const FORBIDDEN: ArticleOutcome = {
  kind: 'not-attempted',
  articleId: '',
  details: 'No.',
  reason: 'FORBIDDEN',
  retryAfterSeconds: null,
};

/** Counts of a job, those that are 0 left out. */
const counts = (job: LedgerJob | null) =>
  job && Object.fromEntries(Object.entries(job.counts).filter(([, count]) => count !== 0));

export async function claimOne(ledger: Ledger, owner: string, bindings = ['binding']): Promise<Run> {
  const [run, ...others] = await ledger.claim({ owner, credentialHashes: new Set(bindings), held: [] });
  if (run === undefined || others.length > 0)
    throw new Error(`${owner} was given ${others.length + (run ? 1 : 0)} jobs.`);
  return { jobId: run.jobId, owner: run.owner, number: run.number };
}

/** The behaviour of every ledger. The suite runs over both databases, and over the model of the simulation. */
export function describeLedger(name: string, openState: () => Promise<SharedState>): void {
  describe(`the ledger over ${name}`, () => {
    let state: SharedState;
    let ledger: Ledger;

    beforeEach(async () => {
      state = await openState();
      ledger = await state.open();
      await ledger.heartbeat('p1', ALIVE_MS);
      await ledger.heartbeat('p2', ALIVE_MS);
    });
    afterEach(async () => {
      await ledger.close();
      await state.close();
    });

    const start = async (part: Partial<LedgerPart> = {}) => jobOf(await ledger.appendPart(partOf(part)));

    const jobRunBy = ({ jobId }: Run) => ledger.findJob('caller', jobId);
    const running = async (part: Partial<LedgerPart> = {}): Promise<Run> => {
      await start(part);
      return claimOne(ledger, part.owner ?? 'p1');
    };

    const outcomesOf = async (jobId: string) =>
      (await ledger.results(jobId, { limit: 1000, after: -1, outcomes: null })).map(({ index, outcome }) => [
        index,
        outcome.articleId,
        outcome.kind,
      ]);

    const find = (jobId: string) => ledger.findJob('caller', jobId);

    /** Another process finds that this one is dead. */
    const die = (owner: string) => ledger.heartbeat(owner, 0);

    describe('a revert', () => {
      const image = (title: string): ArticleSnapshot => ({
        ...{ languageCode: 'en', versionNumber: 1, latestVersionNumber: 1, publicVersionNumber: null },
        ...{ translationStatus: 'NONE', contentType: 'MARKDOWN', title },
      });
      const keptOf = (update: ArticleUpdate, title = 'Before'): ItemSnapshot => ({ update, image: image(title) });
      const keep = (entries: readonly (readonly [number, ItemSnapshot])[]) => ({
        items: new Map(entries),
        room: LIMITS,
      });
      const updates = [...updatesOf(4), { articleId: 'A0', title: 'Again' }];

      /** A job whose items have ended: two of A0, A1 failed, A2 unknown, and A3 not readable before. */
      const ended = async (): Promise<string> => {
        const run = await running({ updates, keepBefore: 'WHERE_POSSIBLE', name: 'Four' });
        const [a0, a1, a2, a3, again] = updates;
        if (!a0 || !a1 || !a2 || !a3 || !again) throw new Error('There are five.');
        const entries = [
          ...([a0, a1, a2].map((update, n) => [n, keptOf(update)] as const) satisfies unknown[]),
          ...[[3, { update: a3, image: null }] as const, [4, keptOf(again, 'Title 0')] as const],
        ];
        expect(await ledger.beginItems(run, [0, 1, 2, 3, 4], keep(entries))).toBe(true);
        const failed = { kind: 'failed', articleId: 'A1', details: null } as const;
        await ledger.endItems(run, [
          { index: 0, outcome: updated('A0') },
          { index: 1, outcome: failed },
          { index: 2, outcome: unknown('A2', 'DIFFERS') },
          { index: 3, outcome: updated('A3') },
          { index: 4, outcome: updated('A0') },
        ]);
        await ledger.end(run, null);
        await ledger.release(run);
        return run.jobId;
      };
      const revertOf = (jobId: string, more: object = {}): LedgerRevert => ({
        ...{ callerKey: 'caller', idempotencyKey: 'undo', credentialHash: 'binding', isUnattended: false, owner: 'p1' },
        ...{ jobId, limits: LIMITS, ...more },
      });

      it('has what the items of each text have made together, the last first', async () => {
        const jobId = await ended();
        expect(await find(jobId)).toMatchObject({ keepBefore: 'WHERE_POSSIBLE', restorable: 3, revertOf: null });
        const [a2, a3, again] = [updates[2], updates[3], updates[4]];
        const all = [
          { index: 4, update: again, image: image('Before'), isUnknown: false, publicVersionNumbers: [null] },
          { index: 3, update: a3, image: null, isUnknown: false, publicVersionNumbers: [null] },
          {
            ...{ index: 2, update: a2, image: image('Before'), previous: { title: 'Before' } },
            ...{ isUnknown: true, publicVersionNumbers: [null] },
          },
        ];
        expect(await ledger.revertTargets(jobId, { limit: 9, before: 5 })).toEqual({ targets: all, next: null });
        const first = await ledger.revertTargets(jobId, { limit: 2, before: 5 });
        expect(first.targets).toEqual(all.slice(0, 2));
        expect(await ledger.revertTargets(jobId, { limit: 2, before: first.next ?? 0 })).toMatchObject({
          targets: all.slice(2),
        });
      });

      it('copies the items, each with what its article is compared with, and sends none before', async () => {
        const jobId = await ended();
        const begun = jobOf(Object(await ledger.beginRevert(revertOf(jobId))));
        expect(begun).toMatchObject({
          name: null,
          state: 'RUNNING',
          revertOf: jobId,
          isCopying: true,
          keepBefore: 'ALWAYS',
          counts: { total: 3, pending: 3 },
        });
        expect(await ledger.beginRevert(revertOf(jobId))).toMatchObject({
          replayed: true,
          job: { jobId: begun.jobId },
        });
        expect(await ledger.findRevert('caller', jobId)).toMatchObject({ jobId: begun.jobId });
        expect(await ledger.findRevert('other', jobId)).toBeNull();
        const run = await claimOne(ledger, 'p1');
        await expect(ledger.end(run, null)).rejects.toThrow();
        expect(await ledger.copyItems(run, LIMITS)).toBe('copied');
        expect(await ledger.copyItems(run, LIMITS)).toBe('copied');
        expect(await ledger.nextItems(run, 9)).toMatchObject([
          { index: 0, update: { articleId: 'A0', title: 'Before' }, target: { update: updates[4] } },
          { index: 1, update: { articleId: 'A3' }, target: { image: null } },
          { index: 2, update: { articleId: 'A2', title: 'Before' }, target: { isUnknown: true } },
        ]);
        expect(await jobRunBy(run)).toMatchObject({ isCopying: false, counts: { total: 3, pending: 3 } });
      });

      it('counts the items that were not copied yet when it was cancelled', async () => {
        const jobId = await ended();
        const begun = jobOf(Object(await ledger.beginRevert(revertOf(jobId))));
        const run = await claimOne(ledger, 'p1');
        const cancelled = await ledger.cancel('caller', begun.jobId);
        expect(cancelled).toMatchObject({ state: 'CANCELLED', counts: { total: 3, notAttempted: 3, pending: 0 } });
        expect(cancelled?.endedAt).not.toBeNull();
        expect(await ledger.copyItems(run, LIMITS)).toBe(false);
      });

      it('ends items as not attempted for which it has no room, so that it accounts for each', async () => {
        const jobId = await ended();
        const begun = jobOf(Object(await ledger.beginRevert(revertOf(jobId))));
        const run = await claimOne(ledger, 'p1');
        const bytes = await ledger.usedBytes();
        expect(await ledger.copyItems(run, { maxBytes: bytes + 100, hasOneCaller: true })).toBe('copied');
        expect(await ledger.nextItems(run, 9)).toEqual([]);
        expect(await ledger.end(run, null)).toBe(true);
        expect(await ledger.results(begun.jobId, { limit: 9, after: -1, outcomes: null })).toMatchObject(
          ['A0', 'A3', 'A2'].map((articleId, index) => ({
            ...{ index, target: { articleId } },
            outcome: { kind: 'not-attempted', articleId, reason: 'UNAVAILABLE' },
          })),
        );
        expect(await ledger.findRevert('caller', jobId)).toMatchObject({
          ...{ state: 'COMPLETED', isCopying: false },
          counts: { total: 3, notAttempted: 3, pending: 0 },
        });
      });

      it('is of a job of its caller that has ended and kept something, one at a time, with a key of its own', async () => {
        const open = await start({ idempotencyKey: 'open', moreToCome: true, keepBefore: 'ALWAYS' });
        expect(await ledger.beginRevert(revertOf(open.jobId))).toEqual({ kind: 'not-revertible', hasEnded: false });
        await ledger.cancel('caller', open.jobId);
        expect(await ledger.beginRevert(revertOf(open.jobId))).toEqual({ kind: 'not-revertible', hasEnded: true });
        const jobId = await ended();
        expect(await ledger.beginRevert(revertOf(jobId, { callerKey: 'other' }))).toEqual({ kind: 'job-not-found' });
        // The key of a submitted job is another one.
        const { jobId: undo } = jobOf(Object(await ledger.beginRevert(revertOf(jobId, { idempotencyKey: 'open' }))));
        expect(await ledger.beginRevert(revertOf(jobId, { idempotencyKey: 'open' }))).toMatchObject({ replayed: true });
        expect(await ledger.beginRevert(revertOf(undo, { idempotencyKey: 'open' }))).toMatchObject({
          kind: 'conflict',
        });
        expect(await ledger.beginRevert(revertOf(jobId, { idempotencyKey: 'two' }))).toEqual({ kind: 'in-progress' });
        expect(await ledger.appendPart(partOf({ idempotencyKey: 'two' }))).toMatchObject({ kind: 'appended' });
        expect(await ledger.appendPart(partOf({ idempotencyKey: 'two' }))).toMatchObject({ replayed: true });
        await ledger.cancel('caller', undo);
        expect(await ledger.beginRevert(revertOf(jobId, { idempotencyKey: 'two' }))).toMatchObject({
          kind: 'appended',
        });
      });

      it('finds no room where there is none, and forgets what was not sent', async () => {
        const bytes = await ledger.usedBytes();
        const run = await running({ updates: updatesOf(1), keepBefore: 'ALWAYS' });
        const before = await ledger.usedBytes();
        const kept = keptOf({ articleId: 'A0', title: 'Title 0' }, 'x'.repeat(1_000));
        const room = { maxBytes: before + 100, hasOneCaller: true };
        expect(await ledger.beginItems(run, [0], { items: new Map([[0, kept]]), room })).toBe('full');
        expect((await ledger.nextItems(run, 9))?.length).toBe(1);
        expect(await ledger.beginItems(run, [0], keep([[0, kept]]))).toBe(true);
        expect(await ledger.usedBytes()).toBeGreaterThan(before + 1_000);
        await ledger.withdrawItems(run, [0]);
        expect(await ledger.usedBytes()).toBe(before);
        expect(await jobRunBy(run)).toMatchObject({ restorable: 0 });
        await ledger.beginItems(run, [0], keep([[0, kept]]));
        await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }]);
        await ledger.end(run, null);
        expect(await jobRunBy(run)).toMatchObject({ restorable: 1 });
        await sweepAll(ledger, { openMs: 0, keepMs: 0 });
        expect(await ledger.usedBytes()).toBe(bytes);
      });

      it('has what calls have left, with the items before in the version that the service has made', async () => {
        const two = ['One', 'Two'].map((title) => ({ articleId: 'A0', title }));
        const run = await running({ updates: two, keepBefore: 'ALWAYS' });
        const noted = { versionNumber: 2, publicVersionNumber: 1, modifiedAt: '2026-01-01T00:00:00.000Z', rest: 'r' };
        const snapshots = [keptOf({ articleId: 'A0', title: 'One' }), keptOf({ articleId: 'A0', title: 'Two' }, 'One')];
        const [first, second] = snapshots;
        if (first === undefined || second?.image == null) throw new Error('There are two.');
        await ledger.beginItems(run, [0], keep([[0, first]]));
        await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }]);
        await ledger.noteItems(run, [{ index: 0, noted, snapshot: first }]);
        const made = { ...second, image: { ...second.image, versionNumber: 2, latestVersionNumber: 2 } };
        await ledger.beginItems(run, [1], keep([[1, made]]));
        await ledger.endItems(run, [{ index: 1, outcome: updated('A0') }]);
        const left = { ...noted, versionNumber: 3 };
        await ledger.noteItems(run, [{ index: 1, noted: left, snapshot: made }]);
        await ledger.end(run, null);
        expect((await ledger.revertTargets(run.jobId, { limit: 9, before: 2 })).targets).toMatchObject([
          { index: 1, update: { title: 'Two' }, image: { title: 'Before', versionNumber: 3 }, noted: left },
        ]);
      });

      it('notes again what was published', async () => {
        const publication = { userId: 'user', message: null };
        const run = await running({ updates: updatesOf(1), keepBefore: 'ALWAYS', publication });
        const snapshot = keptOf({ articleId: 'A0', title: 'Title 0' });
        const noted = { versionNumber: 1, publicVersionNumber: null, modifiedAt: 'then', rest: 'r' };
        await ledger.beginItems(run, [0], keep([[0, snapshot]]));
        await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }]);
        await ledger.noteItems(run, [{ index: 0, noted, snapshot }]);
        expect(await ledger.nextItems(run, 9, 'publication')).toMatchObject([{ index: 0, noted }]);
        await ledger.beginItems(run, [0], 'publication');
        await ledger.endItems(run, [{ index: 0, outcome: { ...updated('A0'), publication: 'PUBLISHED' } }]);
        const published = { ...noted, publicVersionNumber: 1 };
        await ledger.noteItems(run, [{ index: 0, noted: published, snapshot: null }]);
        await ledger.end(run, null);
        expect((await ledger.revertTargets(run.jobId, { limit: 9, before: 1 })).targets).toMatchObject([
          { noted: published, publicVersionNumbers: [1] },
        ]);
      });

      it('knows the items that can be put back only in part, and counts them as restorable', async () => {
        const updates = updatesOf(3).map((update) => ({ ...update, order: 7 }));
        const run = await running({ updates, keepBefore: 'ALWAYS' });
        const entries = updates.map((update, n): readonly [number, ItemSnapshot] => [
          n,
          { update, image: { ...image('Before'), order: n === 0 ? 1 : null } },
        ]);
        await ledger.beginItems(run, [0, 1, 2], keep(entries));
        expect(await ledger.partlyRestorable(run.jobId)).toEqual({ indexes: [1, 2], total: 2 });
        const failed = { kind: 'failed', articleId: 'A2', details: null } as const;
        await ledger.endItems(run, [{ index: 2, outcome: failed }]);
        expect(await ledger.partlyRestorable(run.jobId)).toEqual({ indexes: [1], total: 1 });
        expect(await jobRunBy(run)).toMatchObject({ restorable: 2 });
      });

      it('keeps with one of another process what had begun as unknown', async () => {
        const run = await running({ updates: updatesOf(1), keepBefore: 'ALWAYS' });
        await ledger.beginItems(run, [0], keep([[0, keptOf({ articleId: 'A0', title: 'Title 0' })]]));
        await die('p1');
        const other = await claimOne(ledger, 'p2');
        await ledger.endItems(other, [{ index: 0, outcome: updated('A0') }]);
        await ledger.end(other, null);
        expect(await jobRunBy(other)).toMatchObject({ restorable: 1 });
        expect((await ledger.revertTargets(run.jobId, { limit: 9, before: 1 })).targets).toHaveLength(1);
      });
    });

    describe('parts', () => {
      it('start a job with the last one', async () => {
        const first = await ledger.appendPart(partOf({ moreToCome: true }));
        expect(first).toMatchObject({
          kind: 'appended',
          replayed: false,
          job: {
            credentialHash: 'binding',
            state: 'OPEN',
            waitingFor: null,
            counts: { total: 3, pending: 3, updated: 0, failed: 0, unknown: 0, notAttempted: 0 },
            endedAt: null,
          },
        });
        expect(await ledger.claim({ owner: 'p1', credentialHashes: new Set(['binding']), held: [] })).toEqual([]);
        const last = await ledger.appendPart(partOf({ startIndex: 3, updates: updatesOf(2, 3) }));
        expect(last).toMatchObject({ replayed: false, job: { state: 'RUNNING', counts: { total: 5 } } });
        const run = await claimOne(ledger, 'p1');
        expect(await ledger.nextItems(run, 10)).toEqual(updatesOf(5).map((update, index) => ({ index, update })));
      });

      it('are read with a bounded length of their texts', { tags: 'long' }, async () => {
        const content = 'x'.repeat(3_000_000);
        const long = updatesOf(5).map((update, n) => ({ ...update, content: n === 2 ? content.repeat(3) : content }));
        await start({ updates: long });
        const run = await claimOne(ledger, 'p1');
        const read: number[] = [];
        for (let items = await ledger.nextItems(run, 10); items?.length; items = await ledger.nextItems(run, 10)) {
          read.push(items.length);
          const indexes = items.map(({ index }) => index);
          await ledger.beginItems(run, indexes);
          await ledger.endItems(
            run,
            indexes.map((index) => ({ index, outcome: unknown(`A${index}`) })),
          );
        }
        expect(read).toEqual([2, 1, 2]);
        expect((await ledger.unknownItems(run, 10))?.map(({ index }) => index)).toEqual([0, 1]);
      });

      it('close a job without an item', async () => {
        await start({ moreToCome: true });
        expect(await ledger.appendPart(partOf({ startIndex: 3, updates: [] }))).toMatchObject({
          replayed: false,
          job: { state: 'RUNNING', counts: { total: 3 } },
        });
      });

      it('have no effect twice', async () => {
        const part = partOf({ moreToCome: true });
        const { jobId } = jobOf(await ledger.appendPart(part));
        expect(await ledger.appendPart(part)).toMatchObject({ replayed: true, job: { jobId, counts: { total: 3 } } });
        const last = partOf({ startIndex: 2, updates: updatesOf(2, 2) });
        expect(await ledger.appendPart(last)).toMatchObject({ replayed: false, job: { jobId, counts: { total: 4 } } });
        expect(await ledger.appendPart(last)).toMatchObject({ replayed: true, job: { jobId, state: 'RUNNING' } });
        expect(await ledger.appendPart(part)).toMatchObject({ replayed: true, job: { counts: { total: 4 } } });
      });

      it('have the name of their job, which is as long as its row', async () => {
        const name = 'Replace “hub” by “base”';
        const before = await ledger.usedBytes();
        const { jobId, ...job } = await start({ name, moreToCome: true });
        expect(job.name).toBe(name);
        const named = (await ledger.usedBytes()) - before;
        for (const other of [{}, { name: 'Other' }])
          for (const part of [{}, { startIndex: 3, updates: updatesOf(1, 3) }])
            expect(await ledger.appendPart(partOf({ ...part, ...other }))).toEqual({ kind: 'conflict', indexes: [] });
        expect(await ledger.appendPart(partOf({ name }))).toMatchObject({ replayed: false, job: { name } });
        expect(await ledger.appendPart(partOf({ name }))).toMatchObject({ replayed: true, job: { jobId, name } });
        expect(await ledger.listJobs('caller', { limit: 9, after: null })).toMatchObject([{ jobId, name }]);
        expect(await start({ idempotencyKey: 'unnamed' })).toMatchObject({ name: null });
        expect((await ledger.usedBytes()) - before - named).toBe(named - Buffer.byteLength(name));
        expect(await ledger.appendPart(partOf({ idempotencyKey: 'unnamed', name }))).toEqual({
          kind: 'conflict',
          indexes: [],
        });
      });

      it('are equal whatever the order of their members', async () => {
        await start({ updates: [{ articleId: 'A', title: 'T', hidden: false }] });
        const updates = [{ hidden: false, title: 'T', articleId: 'A', content: undefined }];
        expect(await ledger.appendPart(partOf({ updates }))).toMatchObject({ replayed: true });
      });

      it('differ by index, by null and by what comes after the end', async () => {
        await start({ updates: updatesOf(4), moreToCome: true });
        const [a, b, , d] = updatesOf(4);
        if (!(a && b && d)) throw new Error('There are four.');
        const unequal = [a, { ...b, content: null }, { articleId: 'A2', title: 'Other' }, d];
        expect(await ledger.appendPart(partOf({ updates: unequal }))).toEqual({ kind: 'conflict', indexes: [1, 2] });
        await ledger.appendPart(partOf({ updates: updatesOf(4) }));
        expect(await ledger.appendPart(partOf({ updates: [a, b, { ...d }, d, d, d] }))).toEqual({
          kind: 'conflict',
          indexes: [2, 4, 5],
        });
        expect(counts(jobOf(await ledger.appendPart(partOf({ updates: updatesOf(4) }))))).toEqual({
          total: 4,
          pending: 4,
        });
      });

      it('name the first hundred indexes that differ', async () => {
        const limits = { ...LIMITS, maxItems: 1000 };
        await start({ updates: updatesOf(300), limits });
        const result = await ledger.appendPart(partOf({ updates: updatesOf(300, 1), limits }));
        expect(result).toEqual({ kind: 'conflict', indexes: Array.from({ length: 100 }, (_, n) => n) });
      });

      it('leave no gap', async () => {
        const part = partOf({ startIndex: 4, updates: updatesOf(1, 4) });
        expect(await ledger.appendPart(part)).toEqual({ kind: 'gap', nextIndex: 0 });
        await start({ moreToCome: true });
        expect(await ledger.appendPart(part)).toEqual({ kind: 'gap', nextIndex: 3 });
        expect(await ledger.countJobs('caller')).toBe(1);
      });

      it('keep the limit of items', async () => {
        const tooMany = partOf({ updates: updatesOf(101) });
        expect(await ledger.appendPart(tooMany)).toEqual({ kind: 'too-many-items' });
        expect(await ledger.countJobs('caller')).toBe(0);
        await start({ updates: updatesOf(60), moreToCome: true });
        expect(await ledger.appendPart(partOf({ startIndex: 60, updates: updatesOf(41, 60) }))).toEqual({
          kind: 'too-many-items',
        });
        expect(await ledger.appendPart(partOf({ startIndex: 60, updates: updatesOf(40, 60) }))).toMatchObject({
          job: { counts: { total: 100 } },
        });
      });

      it('keep the limit of jobs that have not ended, for each caller', async () => {
        const { jobId } = await start({ idempotencyKey: 'k1' });
        await start({ idempotencyKey: 'k2', moreToCome: true });
        await start({ idempotencyKey: 'k3' });
        expect(await ledger.appendPart(partOf({ idempotencyKey: 'k4' }))).toEqual({ kind: 'too-many-jobs' });
        expect(await ledger.appendPart(partOf({ idempotencyKey: 'k1' }))).toMatchObject({ replayed: true });
        expect(await ledger.appendPart(partOf({ callerKey: 'other' }))).toMatchObject({ replayed: false });
        await ledger.cancel('caller', jobId);
        expect(await ledger.appendPart(partOf({ idempotencyKey: 'k4' }))).toMatchObject({ replayed: false });
      });

      it('keep the limit of bytes, which deleting gives back', async () => {
        const limits = { ...LIMITS, maxBytes: 20_000, hasOneCaller: true };
        const updates = [{ articleId: 'A', content: 'x'.repeat(15_000) }];
        const run = await running({ updates, limits });
        const other = partOf({ idempotencyKey: 'other', updates, limits });
        expect(await ledger.appendPart(other)).toEqual({ kind: 'full' });
        await ledger.endItems(run, [{ index: 0, outcome: updated('A') }]);
        expect(await ledger.appendPart(other)).toMatchObject({ kind: 'appended' });
        await ledger.end(run, null);
        const third = partOf({
          idempotencyKey: 'third',
          updates: [{ articleId: 'A' }],
          limits: { ...LIMITS, maxBytes: 17_000, hasOneCaller: true },
        });
        expect(await ledger.appendPart(third)).toEqual({ kind: 'full' });
        await sweepAll(ledger, { openMs: ALIVE_MS, keepMs: 0 });
        expect(await ledger.appendPart(third)).toMatchObject({ kind: 'appended' });
      });

      it('leave room for other callers, however many have taken theirs', async () => {
        const limits = { ...LIMITS, maxJobs: 1_000, maxBytes: 200_000 };
        const fill = async (callerKey: string) => {
          const updates = [{ articleId: 'A', content: 'x'.repeat(1_000) }];
          for (let n = 0; ; n += 1) {
            const part = partOf({ callerKey, idempotencyKey: `k${n}`, moreToCome: true, updates, limits });
            if ((await ledger.appendPart(part)).kind === 'full') return n;
          }
        };
        const counts = [];
        for (const callerKey of ['one', 'another', 'a third']) counts.push(await fill(callerKey));
        const [one = 0, another = 0, third = 0] = counts;
        expect(one).toBeGreaterThan(0.7 * (200_000 / 1_840));
        expect([another > one / 8, third > another / 8]).toEqual([true, true]);
        const key = keyOf({ callerKey: 'a fourth', maxBytes: limits.maxBytes });
        expect(await ledger.beginKey(key)).toMatchObject({ kind: 'begun' });
      });

      it('make one job of a key, also when many come at once', async () => {
        const results = await Promise.all(Array.from({ length: 50 }, () => ledger.appendPart(partOf())));
        expect(new Set(results.map((result) => jobOf(result).jobId)).size).toBe(1);
        expect(results.filter((result) => result.kind === 'appended' && !result.replayed)).toHaveLength(1);
      });

      it('keep the limit of jobs when many come at once', async () => {
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, n) => ledger.appendPart(partOf({ idempotencyKey: `k${n}` }))),
        );
        expect(results.filter(({ kind }) => kind === 'appended')).toHaveLength(3);
        expect(results.filter(({ kind }) => kind === 'too-many-jobs')).toHaveLength(17);
      });
    });

    describe('a service', () => {
      it('has keys of its own, and its callers see their jobs of all services', async () => {
        const [one, other] = [await state.open('http://one.example'), await state.open('http://other.example')];
        const [first, second] = [await one.appendPart(partOf()), await other.appendPart(partOf())];
        expect([first, second]).toMatchObject([{ replayed: false }, { replayed: false }]);
        expect(await one.appendPart(partOf())).toMatchObject({ replayed: true, job: { jobId: jobOf(first).jobId } });
        expect((await other.listJobs('caller', { limit: 9, after: null })).map(({ jobId }) => jobId).sort()).toEqual(
          [first, second].map((result) => jobOf(result).jobId).sort(),
        );
        expect(await other.findJob('caller', jobOf(first).jobId)).not.toBeNull();

        const begun = await one.beginKey(keyOf());
        if (begun.kind !== 'begun') throw new Error('Not begun.');
        await one.endKey(begun.keyId, '1');
        expect(await other.beginKey(keyOf({ inputHash: 'another' }))).toMatchObject({ kind: 'begun' });
        expect(await one.beginKey(keyOf())).toEqual({ kind: 'ended', answer: '1' });
        for (const ledgerOfService of [one, other]) await ledgerOfService.close();
      });
    });

    describe('a job', () => {
      it('exists for its caller alone', async () => {
        const { jobId } = await start();
        expect(await ledger.findJob('other', jobId)).toBeNull();
        expect(await ledger.cancel('other', jobId)).toBeNull();
        expect(await ledger.resume('other', jobId, { owner: 'p1', credentialHash: 'binding' })).toBeNull();
        expect(await ledger.listJobs('other', { limit: 10, after: null })).toEqual([]);
        expect(await ledger.countJobs('other')).toBe(0);
        expect(await find(jobId)).toMatchObject({ jobId, state: 'RUNNING' });
        expect(await find('no such job')).toBeNull();
      });

      it('has none with an ID that no database can hold', async () => {
        await start();
        for (const id of ['', 'no-such-job', 'a\0b', '\ud800', 'a'.repeat(20_000)]) {
          expect(await find(id)).toBeNull();
          expect(await ledger.cancel('caller', id)).toBeNull();
          expect(await ledger.resume('caller', id, { owner: 'p1', credentialHash: 'binding' })).toBeNull();
          expect(await ledger.listJobs('caller', { limit: 10, after: id })).toEqual([]);
        }
      });

      it('is listed, the latest first, in pages', async () => {
        const ids: string[] = [];
        for (const idempotencyKey of ['k1', 'k2', 'k3']) ids.push((await start({ idempotencyKey })).jobId);
        const all = (await ledger.listJobs('caller', { limit: 10, after: null })).map(({ jobId }) => jobId);
        expect([...all].sort()).toEqual([...ids].sort());
        const list = async (limit: number, after: string | null) =>
          (await ledger.listJobs('caller', { limit, after })).map(({ jobId }) => jobId);
        expect(await list(2, null)).toEqual(all.slice(0, 2));
        expect(await list(2, all[1] ?? '')).toEqual(all.slice(2));
        expect(await list(2, 'no such job')).toEqual([]);
        expect(await ledger.countJobs('caller')).toBe(3);
      });

      it('counts its items after each step', async () => {
        const run = await running({ updates: updatesOf(6) });
        expect(counts(await jobRunBy(run))).toEqual({ total: 6, pending: 6 });
        expect(await ledger.beginItems(run, [0, 1, 2, 3])).toBe(true);
        expect(counts(await jobRunBy(run))).toEqual({ total: 6, pending: 6 });
        expect((await ledger.nextItems(run, 10))?.map(({ index }) => index)).toEqual([4, 5]);
        expect(await ledger.withdrawItems(run, [3])).toBe(true);
        expect((await ledger.nextItems(run, 10))?.map(({ index }) => index)).toEqual([3, 4, 5]);
        const ends = [
          { index: 0, outcome: updated('A0') },
          { index: 1, outcome: unknown('A1') },
          { index: 2, outcome: { kind: 'failed', articleId: 'A2', details: null } as const },
          { index: 4, outcome: { ...FORBIDDEN, articleId: 'A4' } },
        ];
        expect(await ledger.endItems(run, ends)).toBe(true);
        const after = { total: 6, pending: 2, updated: 1, failed: 1, unknown: 1, notAttempted: 1 };
        expect(counts(await jobRunBy(run))).toEqual(after);
        // The answer to a commit may be lost: the same again changes nothing.
        expect(await ledger.endItems(run, ends)).toBe(true);
        expect(await ledger.withdrawItems(run, [3])).toBe(true);
        expect(counts(await jobRunBy(run))).toEqual(after);
        const readBack = [{ index: 1, outcome: { ...updated('A1'), evidence: 'READ_BACK' } as const }];
        expect(await ledger.endItems(run, readBack)).toBe(true);
        expect(await ledger.endItems(run, readBack)).toBe(true);
        expect(counts(await jobRunBy(run))).toEqual({ total: 6, pending: 2, updated: 2, failed: 1, notAttempted: 1 });
        expect(await ledger.results(run.jobId, { limit: 2, after: 0, outcomes: null })).toEqual([
          {
            index: 1,
            outcome: { kind: 'updated', articleId: 'A1', details: 'Done.', evidence: 'READ_BACK' },
            target: { articleId: 'A1' },
          },
          { index: 2, outcome: { kind: 'failed', articleId: 'A2', details: null }, target: { articleId: 'A2' } },
        ]);
      });

      it('says how it ended, and when', async () => {
        const run = await running({ updates: updatesOf(1) });
        await expect(ledger.end(run, null)).rejects.toThrow('not completed');
        await ledger.beginItems(run, [0]);
        await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }]);
        expect(await find(run.jobId)).toMatchObject({ state: 'RUNNING', endedAt: null });
        expect(await ledger.end(run, null)).toBe(true);
        const job = await find(run.jobId);
        expect(job).toMatchObject({ state: 'COMPLETED', counts: { updated: 1, pending: 0 } });
        expect(job?.endedAt).toBeGreaterThanOrEqual(job?.createdAt ?? Number.NaN);
        expect(await ledger.end(run, null)).toBe(true);
        expect((await find(run.jobId))?.endedAt).toBe(job?.endedAt);
        expect(await ledger.claim({ owner: 'p1', credentialHashes: new Set(['binding']), held: [] })).toEqual([]);
      });

      it('ends with one outcome for all items that have not begun', async () => {
        const run = await running({ updates: updatesOf(4) });
        await ledger.beginItems(run, [1]);
        expect(await ledger.end(run, FORBIDDEN)).toBe(true);
        expect(await find(run.jobId)).toMatchObject({
          state: 'COMPLETED',
          counts: { pending: 1, notAttempted: 3 },
          endedAt: null,
        });
        expect(await ledger.results(run.jobId, { limit: 1, after: -1, outcomes: ['NOT_ATTEMPTED'] })).toEqual([
          { index: 0, outcome: { ...FORBIDDEN, articleId: 'A0' }, target: { articleId: 'A0' } },
        ]);
        expect(await ledger.endItems(run, [{ index: 1, outcome: updated('A1') }])).toBe(true);
        expect((await find(run.jobId))?.endedAt).not.toBeNull();
        expect(await outcomesOf(run.jobId)).toEqual([
          [0, 'A0', 'not-attempted'],
          [1, 'A1', 'updated'],
          [2, 'A2', 'not-attempted'],
          [3, 'A3', 'not-attempted'],
        ]);
      });

      it('is cancelled at once, and keeps the outcomes of what is in flight', async () => {
        const run = await running({ updates: updatesOf(4) });
        await ledger.beginItems(run, [0, 1]);
        const cancelled = await ledger.cancel('caller', run.jobId);
        expect(cancelled).toMatchObject({ state: 'CANCELLED', counts: { pending: 2, notAttempted: 2 }, endedAt: null });
        expect(await ledger.beginItems(run, [2])).toBe(false);
        expect(await ledger.nextItems(run, 10)).toEqual([]);
        expect(await outcomesOf(run.jobId)).toEqual([
          [2, 'A2', 'not-attempted'],
          [3, 'A3', 'not-attempted'],
        ]);
        expect(await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }])).toBe(true);
        expect(await ledger.withdrawItems(run, [1])).toBe(true);
        const job = await find(run.jobId);
        expect(counts(job)).toEqual({ total: 4, updated: 1, notAttempted: 3 });
        expect(job?.endedAt).not.toBeNull();
        expect(await ledger.cancel('caller', run.jobId)).toEqual(job);
        expect(await ledger.pause(run)).toBe(false);
        expect(await ledger.end(run, null)).toBe(true);
        expect(await find(run.jobId)).toEqual(job);
        expect((await ledger.results(run.jobId, { limit: 1, after: 0, outcomes: null }))[0]?.outcome).toMatchObject({
          articleId: 'A1',
          kind: 'not-attempted',
          reason: 'CANCELLED',
        });
      });

      it('is cancelled before it starts', async () => {
        const { jobId } = await start({ moreToCome: true });
        expect(await ledger.cancel('caller', jobId)).toMatchObject({ state: 'CANCELLED', counts: { notAttempted: 3 } });
        expect(await ledger.appendPart(partOf({ startIndex: 3, updates: updatesOf(1, 3) }))).toEqual({
          kind: 'conflict',
          indexes: [3],
        });
      });

      it('says what it waits for', async () => {
        const run = await running();
        expect(await ledger.setWaiting(run, 'RATE_LIMIT')).toBe(true);
        expect(await find(run.jobId)).toMatchObject({ waitingFor: 'RATE_LIMIT' });
        expect(await ledger.setWaiting(run, null)).toBe(true);
        expect(await find(run.jobId)).toMatchObject({ waitingFor: null });
        await ledger.setWaiting(run, 'SERVICE');
        expect(await ledger.cancel('caller', run.jobId)).toMatchObject({ waitingFor: null });
      });

      it('is paused, and resumed with its binding only', async () => {
        const run = await running();
        await ledger.beginItems(run, [0]);
        expect(await ledger.pause(run)).toBe(true);
        expect(await ledger.beginItems(run, [1])).toBe(false);
        expect(await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }])).toBe(true);
        expect(await ledger.claim({ owner: 'p1', credentialHashes: new Set(['binding']), held: [] })).toEqual([]);
        const wrong = await ledger.resume('caller', run.jobId, { owner: 'p2', credentialHash: 'other' });
        expect(wrong).toMatchObject({ state: 'PAUSED' });
        const resumed = await ledger.resume('caller', run.jobId, { owner: 'p2', credentialHash: 'binding' });
        expect(resumed).toMatchObject({ state: 'RUNNING', counts: { updated: 1, pending: 2 } });
        expect(await ledger.claim({ owner: 'p1', credentialHashes: new Set(['binding']), held: [] })).toEqual([]);
        const later = await claimOne(ledger, 'p2');
        expect(later.number).toBeGreaterThan(run.number);
        expect(await ledger.beginItems(run, [1])).toBe(false);
        expect(await ledger.beginItems(later, [1])).toBe(true);
      });

      it('throws for an item that it does not have, or that has ended', async () => {
        const run = await running();
        await expect(ledger.beginItems(run, [3])).rejects.toThrow('not there');
        await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }]);
        await expect(ledger.beginItems(run, [0])).rejects.toThrow('not sent');
      });

      it('turns an unknown item into an updated one by a read, and into nothing else', async () => {
        const run = await running();
        await ledger.endItems(run, [{ index: 0, outcome: unknown('A0') }]);
        for (const outcome of [FORBIDDEN, unknown('A0'), { kind: 'failed', articleId: 'A0', details: null } as const])
          await ledger.endItems(run, [{ index: 0, outcome }]);
        expect((await ledger.unknownItems(run, 9))?.map(({ index }) => index)).toEqual([0]);
        await ledger.endItems(run, [{ index: 0, outcome: unknown('A0', 'DIFFERS') }]);
        expect(await ledger.unknownItems(run, 9)).toEqual([]);
        await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }]);
        expect(counts(await jobRunBy(run))).toEqual({ total: 3, pending: 2, unknown: 1 });
      });
    });

    describe('a job that publishes', () => {
      const publication = { userId: 'user', message: 'From a job.' };
      const published = (articleId: string) => ({ ...updated(articleId), publication: 'PUBLISHED' }) as const;
      const indexesOf = (items: readonly { readonly index: number }[] | null) => items?.map(({ index }) => index);

      it('has an equal publication in each part', async () => {
        const first = await start({ publication, moreToCome: true });
        expect(first.publication).toEqual(publication);
        const others = [undefined, { ...publication, userId: 'other' }, { ...publication, message: null }];
        for (const other of others)
          for (const part of [{}, { startIndex: 3, updates: updatesOf(1, 3) }])
            expect(await ledger.appendPart(partOf({ ...part, publication: other }))).toEqual({
              kind: 'conflict',
              indexes: [],
            });
        expect(await ledger.appendPart(partOf({ publication }))).toMatchObject({ replayed: false });
        expect(await ledger.appendPart(partOf({ publication }))).toMatchObject({ replayed: true });
        expect(await ledger.appendPart(partOf())).toEqual({ kind: 'conflict', indexes: [] });
        await start({ idempotencyKey: 'plain' });
        expect(await ledger.appendPart(partOf({ idempotencyKey: 'plain', publication }))).toMatchObject({
          kind: 'conflict',
        });
      });

      it('publishes what was updated, and is done when that has ended', async () => {
        const run = await running({ publication, updates: updatesOf(4) });
        await ledger.beginItems(run, [0, 1, 2, 3]);
        const failed = { kind: 'failed', articleId: 'A3', details: null } as const;
        const ends = [
          { index: 0, outcome: updated('A0') },
          { index: 1, outcome: { ...updated('A1'), evidence: 'READ_BACK' } as const },
          { index: 2, outcome: unknown('A2') },
          { index: 3, outcome: failed },
        ];
        await ledger.endItems(run, ends);
        await ledger.endItems(run, ends);
        // What is to be published has not ended.
        expect(counts(await jobRunBy(run))).toEqual({ total: 4, pending: 2, failed: 1, unknown: 1 });
        expect(await outcomesOf(run.jobId)).toEqual([
          [2, 'A2', 'unknown'],
          [3, 'A3', 'failed'],
        ]);
        const waiting = await ledger.nextItems(run, 9, 'publication');
        expect(waiting).toMatchObject([
          { index: 0, update: { articleId: 'A0' }, outcome: updated('A0') },
          { index: 1, update: { articleId: 'A1' }, outcome: { ...updated('A1'), evidence: 'READ_BACK' } },
        ]);
        expect(indexesOf(await ledger.nextItems(run, 1, 'publication'))).toEqual([0]);
        await expect(ledger.end(run, null)).rejects.toThrow('not completed');
        await expect(ledger.beginItems(run, [0])).rejects.toThrow('not sent');
        await expect(ledger.beginItems(run, [2], 'publication')).rejects.toThrow('not sent');
        expect(await ledger.beginItems(run, [0, 1], 'publication')).toBe(true);
        expect(await ledger.beginItems(run, [0, 1], 'publication')).toBe(true);
        expect(await ledger.withdrawItems(run, [1], 'publication')).toBe(true);
        expect(indexesOf(await ledger.nextItems(run, 9, 'publication'))).toEqual([1]);
        expect(counts(await jobRunBy(run))).toEqual({ total: 4, pending: 2, failed: 1, unknown: 1 });
        await ledger.endItems(run, [{ index: 0, outcome: published('A0') }]);
        await ledger.endItems(run, [{ index: 2, outcome: { ...updated('A2'), evidence: 'READ_BACK' } }]);
        expect(indexesOf(await ledger.nextItems(run, 9, 'publication'))).toEqual([1, 2]);
        await ledger.beginItems(run, [1, 2], 'publication');
        const last = [
          { index: 1, outcome: { ...updated('A1'), publication: 'FAILED' } as const },
          { index: 2, outcome: { ...updated('A2'), publication: 'NOT_ATTEMPTED' } as const },
        ];
        await ledger.endItems(run, last);
        await ledger.endItems(run, last);
        await expect(ledger.beginItems(run, [0], 'publication')).rejects.toThrow('not sent');
        expect(await ledger.end(run, null)).toBe(true);
        const job = await jobRunBy(run);
        expect(counts(job)).toEqual({ total: 4, updated: 3, failed: 1 });
        expect(job?.endedAt).not.toBeNull();
        const results = await ledger.results(run.jobId, { limit: 9, after: -1, outcomes: null });
        expect(results.map(({ outcome }) => outcome)).toEqual([
          published('A0'),
          ...last.map(({ outcome }) => outcome),
          failed,
        ]);
      });

      it('reads what is unknown of a publication, which then is published or remains unknown', async () => {
        const run = await running({ publication, updates: updatesOf(3) });
        await ledger.endItems(
          run,
          [0, 1, 2].map((index) => ({ index, outcome: updated(`A${index}`) })),
        );
        await ledger.beginItems(run, [0, 1, 2], 'publication');
        const cut = [0, 1].map((index) => ({
          index,
          outcome: { ...updated(`A${index}`), publication: 'UNKNOWN' } as const,
          isToBeRead: true,
        }));
        await ledger.endItems(run, [...cut, { index: 2, outcome: published('A2') }]);
        await ledger.endItems(run, cut);
        expect(counts(await jobRunBy(run))).toEqual({ total: 3, updated: 3 });
        expect(await ledger.results(run.jobId, { limit: 1, after: -1, outcomes: ['UPDATED'] })).toMatchObject([
          { index: 0, outcome: { publication: 'UNKNOWN' } },
        ]);
        expect(await ledger.end(run, null)).toBe(true);
        expect((await jobRunBy(run))?.endedAt).toBeNull();
        expect(indexesOf(await ledger.unknownItems(run, 9))).toEqual([]);
        expect(indexesOf(await ledger.unknownItems(run, 9, 'publication'))).toEqual([0, 1]);
        const wrong = { index: 0, outcome: { ...updated('A0'), publication: 'NOT_ATTEMPTED' } as const };
        await ledger.endItems(run, [wrong]);
        const read = [
          { index: 0, outcome: published('A0') },
          { index: 1, outcome: { ...updated('A1'), publication: 'UNKNOWN' } as const },
        ];
        await ledger.endItems(run, read);
        await ledger.endItems(run, read);
        const job = await jobRunBy(run);
        expect(job).toMatchObject({ state: 'COMPLETED', counts: { pending: 0, updated: 3 } });
        expect(job?.endedAt).not.toBeNull();
        const results = await ledger.results(run.jobId, { limit: 9, after: -1, outcomes: null });
        expect(results.map(({ outcome }) => outcome.kind === 'updated' && outcome.publication)).toEqual([
          ...['PUBLISHED', 'UNKNOWN', 'PUBLISHED'],
        ]);
      });

      it('never publishes again what a process that died had begun', async () => {
        const run = await running({ publication, updates: updatesOf(4) });
        await ledger.endItems(
          run,
          [0, 1].map((index) => ({ index, outcome: updated(`A${index}`) })),
        );
        await ledger.beginItems(run, [0], 'publication');
        await ledger.beginItems(run, [2]);
        await die('p1');
        const other = await claimOne(ledger, 'p2');
        expect(counts(await jobRunBy(other))).toEqual({ total: 4, pending: 2, updated: 1, unknown: 1 });
        expect(indexesOf(await ledger.nextItems(other, 9, 'publication'))).toEqual([1]);
        expect(indexesOf(await ledger.nextItems(other, 9))).toEqual([3]);
        expect(indexesOf(await ledger.unknownItems(other, 9))).toEqual([2]);
        expect(await ledger.unknownItems(other, 9, 'publication')).toMatchObject([
          { index: 0, update: { articleId: 'A0' }, outcome: updated('A0') },
        ]);
        await expect(ledger.beginItems(other, [0], 'publication')).rejects.toThrow('not sent');
        expect(await ledger.results(run.jobId, { limit: 1, after: -1, outcomes: null })).toMatchObject([
          { index: 0, outcome: { kind: 'updated', publication: 'UNKNOWN' } },
        ]);
        for (const method of [ledger.beginItems, ledger.withdrawItems])
          expect(await method.call(ledger, run, [1], 'publication')).toBe(false);
        expect(await ledger.nextItems(run, 9, 'publication')).toBeNull();
      });

      it('is cancelled at once, and keeps the outcomes of publications in flight', async () => {
        const run = await running({ publication, updates: updatesOf(4) });
        await ledger.endItems(
          run,
          [0, 1, 2].map((index) => ({ index, outcome: updated(`A${index}`) })),
        );
        await ledger.beginItems(run, [0, 1], 'publication');
        const cancelled = await ledger.cancel('caller', run.jobId);
        expect(cancelled).toMatchObject({
          state: 'CANCELLED',
          counts: { pending: 2, updated: 1, notAttempted: 1 },
          endedAt: null,
        });
        expect(await ledger.beginItems(run, [2], 'publication')).toBe(false);
        expect(await ledger.nextItems(run, 9, 'publication')).toEqual([]);
        await ledger.withdrawItems(run, [1], 'publication');
        await ledger.endItems(run, [{ index: 0, outcome: published('A0') }]);
        const job = await find(run.jobId);
        expect(counts(job)).toEqual({ total: 4, updated: 3, notAttempted: 1 });
        expect(job?.endedAt).not.toBeNull();
        const results = await ledger.results(run.jobId, { limit: 9, after: -1, outcomes: ['UPDATED'] });
        expect(results.map(({ outcome }) => outcome.kind === 'updated' && outcome.publication)).toEqual([
          ...['PUBLISHED', 'NOT_ATTEMPTED', 'NOT_ATTEMPTED'],
        ]);
        await sweepAll(ledger, { openMs: 0, keepMs: ALIVE_MS });
        expect(await find(run.jobId)).toEqual(job);
      });

      it('ends with publications not attempted where the rest has one outcome', async () => {
        const run = await running({ publication, updates: updatesOf(3) });
        await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }]);
        expect(await ledger.end(run, FORBIDDEN)).toBe(true);
        expect(counts(await jobRunBy(run))).toEqual({ total: 3, updated: 1, notAttempted: 2 });
        expect(await ledger.results(run.jobId, { limit: 1, after: -1, outcomes: null })).toMatchObject([
          { outcome: { kind: 'updated', publication: 'NOT_ATTEMPTED' } },
        ]);
      });

      it('goes on after a pause with what is to be published', async () => {
        const run = await running({ publication, updates: updatesOf(1) });
        await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }]);
        await ledger.pause(run);
        expect(await ledger.beginItems(run, [0], 'publication')).toBe(false);
        await ledger.resume('caller', run.jobId, { owner: 'p2', credentialHash: 'binding' });
        const other = await claimOne(ledger, 'p2');
        expect(indexesOf(await ledger.nextItems(other, 9, 'publication'))).toEqual([0]);
      });

      it('gives up the publications in flight of a cancelled job whose token nobody has', async () => {
        const run = await running({ publication, updates: updatesOf(2) });
        await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }]);
        await ledger.beginItems(run, [0], 'publication');
        await ledger.cancel('caller', run.jobId);
        await die('p1');
        expect(await ledger.claim({ owner: 'p2', credentialHashes: new Set(), held: [] })).toEqual([]);
        const job = await find(run.jobId);
        expect(job).toMatchObject({ state: 'CANCELLED', counts: { pending: 0, updated: 1, notAttempted: 1 } });
        expect(job?.endedAt).not.toBeNull();
        expect(await ledger.results(run.jobId, { limit: 1, after: -1, outcomes: null })).toMatchObject([
          { outcome: { kind: 'updated', publication: 'UNKNOWN' } },
        ]);
      });
    });

    describe('results', () => {
      it('are pages by index, filtered by outcome', async () => {
        const run = await running({ updates: updatesOf(30), limits: LIMITS });
        const kinds = [updated, unknown, updated];
        await ledger.endItems(
          run,
          Array.from({ length: 20 }, (_, index) => ({ index, outcome: (kinds[index % 3] ?? updated)(`A${index}`) })),
        );
        const page = async (after: number, outcomes: ('UPDATED' | 'UNKNOWN' | 'NOT_ATTEMPTED')[] | null) =>
          (await ledger.results(run.jobId, { limit: 4, after, outcomes })).map(({ index }) => index);
        expect(await page(-1, ['UNKNOWN'])).toEqual([1, 4, 7, 10]);
        expect(await page(10, ['UNKNOWN'])).toEqual([13, 16, 19]);
        expect(await page(9, ['UPDATED', 'UNKNOWN'])).toEqual([10, 11, 12, 13]);
        expect(await page(17, null)).toEqual([18, 19]);
        expect(await page(-1, ['NOT_ATTEMPTED'])).toEqual([]);
        expect(await page(-1, [])).toEqual([]);
        expect(await page(Number.MAX_SAFE_INTEGER, null)).toEqual([]);
        await ledger.cancel('caller', run.jobId);
        expect(await page(17, null)).toEqual([18, 19, 20, 21]);
        expect(await page(27, ['UNKNOWN', 'NOT_ATTEMPTED'])).toEqual([28, 29]);
      });

      it('have what names the text, and details whatever the service wrote', async () => {
        const update = { articleId: 'A', languageCode: 'de', versionNumber: 2, title: null };
        const run = await running({ updates: [update] });
        const outcome = { kind: 'failed', articleId: 'A', details: 'zero \u0000, half \ud800, "quoted"' } as const;
        await ledger.endItems(run, [{ index: 0, outcome }]);
        expect(await ledger.results(run.jobId, { limit: 1, after: -1, outcomes: null })).toEqual([
          { index: 0, outcome, target: { articleId: 'A', languageCode: 'de', versionNumber: 2 } },
        ]);
      });
    });

    describe('the end of a process', () => {
      it('leaves its jobs to one other process, which can run them', async () => {
        const run = await running({ updates: updatesOf(4) });
        await ledger.beginItems(run, [0, 1]);
        await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }]);
        expect(await ledger.claim({ owner: 'p2', credentialHashes: new Set(['binding']), held: [] })).toEqual([]);
        await die('p1');
        const other = await claimOne(ledger, 'p2');
        expect(other.number).toBeGreaterThan(run.number);
        expect(counts(await jobRunBy(other))).toEqual({ total: 4, pending: 2, updated: 1, unknown: 1 });
        expect((await ledger.nextItems(other, 9))?.map(({ index }) => index)).toEqual([2, 3]);
        expect(await ledger.unknownItems(other, 9)).toEqual([
          { index: 1, update: { articleId: 'A1', title: 'Title 1' }, ageMs: expect.any(Number) },
        ]);
        expect(await ledger.unknownArticles(other, ['a0', 'a1', 'a2'])).toEqual(new Set(['a1']));
        const [lost] = await ledger.results(run.jobId, { limit: 1, after: 0, outcomes: null });
        expect(lost?.outcome.details).toMatch(/ended before the outcome was recorded/u);
      });

      it('shuts out the process, be it alive after all', async () => {
        const run = await running();
        await ledger.beginItems(run, [0]);
        await die('p1');
        const expectShutOut = async () => {
          expect(await ledger.beginItems(run, [1])).toBe(false);
          expect(await ledger.withdrawItems(run, [0])).toBe(false);
          expect(await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }])).toBe(false);
          expect(await ledger.setWaiting(run, 'SERVICE')).toBe(false);
          expect(await ledger.pause(run)).toBe(false);
          expect(await ledger.end(run, FORBIDDEN)).toBe(false);
          expect(await ledger.nextItems(run, 1)).toBeNull();
          expect(await ledger.unknownItems(run, 1)).toBeNull();
          await ledger.release(run);
        };
        await expectShutOut();
        expect(await ledger.claim({ owner: 'p1', credentialHashes: new Set(['binding']), held: [] })).toEqual([]);
        const other = await claimOne(ledger, 'p2');
        await ledger.heartbeat('p1', ALIVE_MS);
        await expectShutOut();
        expect(counts(await jobRunBy(other))).toEqual({ total: 3, pending: 2, unknown: 1 });
        expect(await ledger.beginItems(other, [1])).toBe(true);
      });

      it('keeps what it has, when nobody took it over before it told again that it lives', async () => {
        const run = await running();
        await ledger.beginItems(run, [0]);
        await die('p1');
        await ledger.heartbeat('p1', ALIVE_MS);
        expect(await ledger.endItems(run, [{ index: 0, outcome: updated('A0') }])).toBe(true);
        expect(await ledger.claim({ owner: 'p1', credentialHashes: new Set(['binding']), held: [run] })).toEqual([]);
      });

      it('pauses a job that needs its caller, with its unknown items', async () => {
        const run = await running();
        await ledger.beginItems(run, [0]);
        await die('p1');
        expect(await ledger.claim({ owner: 'p2', credentialHashes: new Set(['other']), held: [] })).toEqual([]);
        expect(await find(run.jobId)).toMatchObject({ state: 'PAUSED', counts: { pending: 2, unknown: 1 } });
        await ledger.resume('caller', run.jobId, { owner: 'p2', credentialHash: 'binding' });
        const other = await claimOne(ledger, 'p2');
        expect((await ledger.unknownItems(other, 9))?.map(({ index }) => index)).toEqual([0]);
      });

      it('lets a job that goes on alone wait for a process with its binding', async () => {
        const run = await running({ isUnattended: true });
        await ledger.beginItems(run, [0]);
        await die('p1');
        expect(await ledger.claim({ owner: 'p2', credentialHashes: new Set(['other']), held: [] })).toEqual([]);
        expect(await find(run.jobId)).toMatchObject({ state: 'RUNNING', counts: { pending: 2, unknown: 1 } });
        expect(await claimOne(ledger, 'p2')).toMatchObject({ jobId: run.jobId });
      });

      it('pauses a job that goes on alone when no process with its binding came', async () => {
        const run = await running({ isUnattended: true });
        await ledger.beginItems(run, [0]);
        await ledger.heartbeat('p1', -UNATTENDED_WAIT_MS);
        expect(await ledger.claim({ owner: 'p2', credentialHashes: new Set(['other']), held: [] })).toEqual([]);
        expect(await find(run.jobId)).toMatchObject({ state: 'PAUSED', counts: { pending: 2, unknown: 1 } });
        await ledger.resume('caller', run.jobId, { owner: 'p2', credentialHash: 'other' });
        expect(await find(run.jobId)).toMatchObject({ state: 'PAUSED' });
        await ledger.resume('caller', run.jobId, { owner: 'p2', credentialHash: 'binding' });
        expect((await ledger.nextItems(await claimOne(ledger, 'p2'), 9))?.map(({ index }) => index)).toEqual([1, 2]);
      });

      it('ends a cancelled job that goes on alone when no process with its binding came', async () => {
        const run = await running({ isUnattended: true });
        await ledger.beginItems(run, [0]);
        await ledger.cancel('caller', run.jobId);
        await ledger.heartbeat('p1', -UNATTENDED_WAIT_MS);
        expect(await ledger.claim({ owner: 'p2', credentialHashes: new Set(['other']), held: [] })).toEqual([]);
        const job = await find(run.jobId);
        expect(job).toMatchObject({ state: 'CANCELLED', counts: { pending: 0, unknown: 1 } });
        expect(job?.endedAt).not.toBeNull();
      });

      it('leaves the unknown items of a cancelled job to another process', async () => {
        const run = await running();
        await ledger.beginItems(run, [0]);
        await ledger.cancel('caller', run.jobId);
        await die('p1');
        const other = await claimOne(ledger, 'p2');
        const job = await jobRunBy(other);
        expect(job).toMatchObject({ state: 'CANCELLED', counts: { pending: 0, unknown: 1, notAttempted: 2 } });
        expect(job?.endedAt).toBeNull();
        const outcome = unknown('A0', 'DIFFERS');
        expect(await ledger.endItems(other, [{ index: 0, outcome }])).toBe(true);
        expect(await ledger.unknownItems(other, 9)).toEqual([]);
        expect(counts(await jobRunBy(other))).toEqual({ total: 3, unknown: 1, notAttempted: 2 });
        expect((await jobRunBy(other))?.endedAt).not.toBeNull();
        await die('p2');
        await ledger.heartbeat('p3', ALIVE_MS);
        expect(await ledger.claim({ owner: 'p3', credentialHashes: new Set(['binding']), held: [] })).toEqual([]);
      });

      it('ends what was in flight in a cancelled job whose token nobody has', async () => {
        const run = await running();
        await ledger.beginItems(run, [0]);
        await ledger.cancel('caller', run.jobId);
        await die('p1');
        expect(await ledger.claim({ owner: 'p2', credentialHashes: new Set(), held: [] })).toEqual([]);
        const job = await find(run.jobId);
        expect(job).toMatchObject({ state: 'CANCELLED', counts: { pending: 0, unknown: 1 } });
        expect(job?.endedAt).not.toBeNull();
        expect(await ledger.claim({ owner: 'p2', credentialHashes: new Set(['binding']), held: [] })).toEqual([]);
      });

      it('is not waited for after a release', async () => {
        const run = await running();
        await ledger.release(run);
        expect(await ledger.beginItems(run, [0])).toBe(false);
        expect(await claimOne(ledger, 'p2')).toMatchObject({ jobId: run.jobId });
      });

      it('gives a job to one of many processes', async () => {
        const run = await running();
        await die('p1');
        const owners = ['o1', 'o2', 'o3', 'o4', 'o5', 'o6'];
        const others: Ledger[] = [];
        for (const owner of owners) {
          others.push(await state.open());
          await ledger.heartbeat(owner, ALIVE_MS);
        }
        const claims = await Promise.all(
          others.map((other, n) =>
            other.claim({ owner: owners[n] ?? '', credentialHashes: new Set(['binding']), held: [] }),
          ),
        );
        const runs = claims.flat();
        expect(runs).toHaveLength(1);
        expect(runs[0]).toMatchObject({ jobId: run.jobId });
        for (const other of others) await other.close();
      });

      it('keeps a process that does not live from claiming', async () => {
        await start();
        await die('p1');
        expect(await ledger.claim({ owner: 'p1', credentialHashes: new Set(['binding']), held: [] })).toEqual([]);
        expect(await ledger.claim({ owner: 'nobody', credentialHashes: new Set(['binding']), held: [] })).toEqual([]);
        expect(await claimOne(ledger, 'p2')).toMatchObject({ owner: 'p2' });
      });
    });

    describe('sweeping', () => {
      it('leaves nothing to be read back of an item whose text it has deleted', async () => {
        const { jobId } = jobOf(await ledger.appendPart(partOf()));
        const run = await claimOne(ledger, 'p1');
        await ledger.cancel('caller', jobId);
        await sweepAll(ledger, { openMs: 0, keepMs: ALIVE_MS });
        await ledger.endItems(run, [{ index: 0, outcome: unknown('A0') }]);
        expect(await ledger.claim({ owner: 'p1', credentialHashes: new Set(['binding']), held: [] })).toEqual([]);
      });

      it('ends what is left open, and what is paused for too long', async () => {
        const { jobId } = await start({ moreToCome: true });
        const run = await running({ idempotencyKey: 'paused' });
        await ledger.pause(run);
        await sweepAll(ledger, { openMs: ALIVE_MS, keepMs: ALIVE_MS });
        expect(await find(jobId)).toMatchObject({ state: 'OPEN' });
        expect(await find(run.jobId)).toMatchObject({ state: 'PAUSED' });
        await sweepAll(ledger, { openMs: 0, keepMs: ALIVE_MS });
        expect(await find(jobId)).toMatchObject({ state: 'EXPIRED', counts: { notAttempted: 3, pending: 0 } });
        expect(await find(run.jobId)).toMatchObject({ state: 'PAUSED' });
        expect((await ledger.results(jobId, { limit: 1, after: -1, outcomes: null }))[0]?.outcome).toMatchObject({
          kind: 'not-attempted',
          reason: 'OUT_OF_TIME',
          articleId: 'A0',
        });
        expect(await ledger.appendPart(partOf({ startIndex: 3, updates: updatesOf(1, 3) }))).toMatchObject({
          kind: 'conflict',
        });
      });

      it('deletes jobs and their results, and gives back their keys', async () => {
        const { jobId } = await start();
        await ledger.cancel('caller', jobId);
        const run = await running({ idempotencyKey: 'other' });
        await sweepAll(ledger, { openMs: 0, keepMs: 0 });
        expect(await find(jobId)).toBeNull();
        expect(await outcomesOf(jobId)).toEqual([]);
        expect(await ledger.countJobs('caller')).toBe(1);
        expect(await jobRunBy(run)).toMatchObject({ state: 'RUNNING' });
        expect(jobOf(await ledger.appendPart(partOf())).jobId).not.toBe(jobId);
      });

      it('deletes keys with a lifetime of their own at its end, and frees their room', async () => {
        const begun = await ledger.beginKey(keyOf({ lifetimeMs: 0 }));
        if (begun.kind !== 'begun') throw new Error('Not begun.');
        await ledger.endKey(begun.keyId, '1');
        await ledger.beginKey(keyOf({ idempotencyKey: 'kept', lifetimeMs: ALIVE_MS }));
        const before = await ledger.usedBytes();
        await sweepAll(ledger, { openMs: 0, keepMs: ALIVE_MS });
        expect(await ledger.usedBytes()).toBeLessThan(before);
        expect(await ledger.beginKey(keyOf({ inputHash: 'another' }))).toMatchObject({ kind: 'begun' });
        expect(await ledger.beginKey(keyOf({ idempotencyKey: 'kept' }))).toMatchObject({ kind: 'in-flight' });
      });

      it('deletes keys', async () => {
        const key = keyOf();
        const begun = await ledger.beginKey(key);
        if (begun.kind !== 'begun') throw new Error('Not begun.');
        await ledger.endKey(begun.keyId, '1');
        await sweepAll(ledger, { openMs: 0, keepMs: ALIVE_MS });
        expect(await ledger.beginKey(key)).toEqual({ kind: 'ended', answer: '1' });
        await sweepAll(ledger, { openMs: 0, keepMs: 0 });
        expect(await ledger.beginKey(key)).toMatchObject({ kind: 'begun' });
      });
    });

    describe('idempotency keys', () => {
      const begin = async (key = keyOf()): Promise<string> => {
        const result = await ledger.beginKey(key);
        if (result.kind !== 'begun') throw new Error(`Not begun: ${result.kind}`);
        return result.keyId;
      };

      it('give the recorded answer', async () => {
        const keyId = await begin();
        expect(await ledger.beginKey(keyOf())).toEqual({ kind: 'in-flight', keyId, isOwn: true });
        expect(await ledger.beginKey(keyOf({ owner: 'p2' }))).toMatchObject({ kind: 'in-flight', isOwn: false });
        expect(await ledger.endKey(keyId, '{"n":1}')).toBe('{"n":1}');
        expect(await ledger.endKey(keyId, '{"n":2}')).toBe('{"n":1}');
        expect(await ledger.endKey('gone', '1')).toBeNull();
        expect(await ledger.beginKey(keyOf())).toEqual({ kind: 'ended', answer: '{"n":1}' });
        await ledger.forgetKey(keyId);
        expect(await ledger.beginKey(keyOf())).toEqual({ kind: 'ended', answer: '{"n":1}' });
      });

      it('belong to a caller and an operation, and to one input', async () => {
        await begin();
        await begin(keyOf({ callerKey: 'other' }));
        await begin(keyOf({ operation: 'other' }));
        await begin(keyOf({ idempotencyKey: 'other' }));
        expect(await ledger.beginKey(keyOf({ inputHash: 'other' }))).toEqual({ kind: 'conflict' });
      });

      it('are forgotten when the write had no effect', async () => {
        const keyId = await begin();
        await ledger.forgetKey(keyId);
        const again = await begin(keyOf({ inputHash: 'other' }));
        // A late call of the first request concerns the first key only.
        await ledger.endKey(keyId, '1');
        await ledger.forgetKey(keyId);
        expect(again).not.toBe(keyId);
        expect(await ledger.beginKey(keyOf({ inputHash: 'other' }))).toMatchObject({ kind: 'in-flight', isOwn: true });
      });

      it('are lost with their process, and keep the first answer', async () => {
        const keyId = await begin();
        await die('p1');
        expect(await ledger.beginKey(keyOf({ owner: 'p2' }))).toEqual({ kind: 'lost', keyId });
        await ledger.endKey(keyId, '"unknown"');
        await ledger.endKey(keyId, '"late"');
        expect(await ledger.beginKey(keyOf({ owner: 'p2' }))).toEqual({ kind: 'ended', answer: '"unknown"' });
      });

      it('are begun by living processes only, and while there is room', async () => {
        await die('p1');
        await expect(ledger.beginKey(keyOf())).rejects.toMatchObject({ name: 'StateUnavailable' });
        expect(await ledger.beginKey(keyOf({ owner: 'p2', maxBytes: 100 }))).toEqual({ kind: 'full' });
        expect(await ledger.beginKey(keyOf({ owner: 'p2' }))).toMatchObject({ kind: 'begun' });
      });

      it('are begun once when many requests come at once', async () => {
        const results = await Promise.all(Array.from({ length: 30 }, () => ledger.beginKey(keyOf())));
        expect(results.filter(({ kind }) => kind === 'begun')).toHaveLength(1);
        expect(results.filter(({ kind }) => kind === 'in-flight')).toHaveLength(29);
      });
    });
  });
}

const keyOf = (key: Partial<Parameters<Ledger['beginKey']>[0]> = {}) => ({
  callerKey: 'caller',
  operation: 'bulkUpdateArticles',
  idempotencyKey: 'key',
  inputHash: 'hash',
  owner: 'p1',
  maxBytes: 1_000_000_000,
  ...key,
});

/** Sweeps until nothing is left to do. */
export async function sweepAll(ledger: Ledger, keep: Parameters<Ledger['sweep']>[0]): Promise<void> {
  for (let n = 0; await ledger.sweep(keep); n += 1) if (n > 10_000) throw new Error('Sweeping does not end.');
}

/** Tells that a process lives while many writes of several callers wait, which go on afterwards. */
export async function tellAliveAmidWrites(ledger: Ledger): Promise<{ readonly before: number; readonly all: number }> {
  let before = 0;
  const begins = Array.from({ length: 900 }, async (_, n) => {
    await ledger.beginKey(keyOf({ callerKey: `caller ${n % 9}`, idempotencyKey: `key ${n}` }));
    before += 1;
  });
  await ledger.heartbeat('p1', ALIVE_MS);
  const ended = before;
  await Promise.all(begins);
  return { before: ended, all: before };
}

/** Lets a process begin a job and a key, whose clock is an hour ahead of the one of the process that takes over. */
export async function beginAheadOfClock(ledger: Ledger, setBack: () => Promise<void>): Promise<void> {
  await ledger.heartbeat('p1', 1_000);
  jobOf(await ledger.appendPart(partOf()));
  await ledger.beginItems(await claimOne(ledger, 'p1'), [0]);
  await ledger.beginKey(keyOf());
  await setBack();
}

/** What another process gets of that. */
export async function takeOverAfter(ledger: Ledger) {
  await ledger.heartbeat('p2', ALIVE_MS);
  const claimed = await ledger.claim({ owner: 'p2', credentialHashes: new Set(['binding']), held: [] });
  const { kind } = await ledger.beginKey(keyOf({ owner: 'p2' }));
  return { jobs: claimed.map(({ job }) => job.counts.unknown), key: kind };
}
