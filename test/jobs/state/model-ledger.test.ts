import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ItemSnapshot } from '../../../src/core/articles/article-reverts.ts';
import type { Ledger, LedgerRevert, Run } from '../../../src/jobs/state/ledger.ts';
import { openLedger } from '../../../src/jobs/state/open-ledger.ts';
import { describeLedger, LIMITS, partOf, sweepAll, unknown, updated, updatesOf } from './contract.ts';
import { emptyModelState, ModelLedger } from './model-ledger.ts';

describeLedger('the model', async () => {
  const state = emptyModelState();
  let time = 0;
  const now = () => {
    time += 1;
    return time;
  };
  return { open: async (serviceUrl) => new ModelLedger(state, now, serviceUrl), close: async () => {} };
});

const OWNERS = ['p1', 'p2'] as const;

const owner = fc.constantFrom(...OWNERS);
const indexes = fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 });
const phase = fc.constantFrom('update' as const, 'publication' as const);
const publications = fc.constantFrom(
  'PUBLISHED' as const,
  'FAILED' as const,
  'UNKNOWN' as const,
  'TO_BE_READ' as const,
);
const outcomes = fc.oneof(
  fc
    .tuple(indexes, fc.constantFrom(updated, unknown))
    .map(([all, outcome]) => all.map((index) => ({ index, outcome: outcome(`A${index}`) }))),
  fc.tuple(indexes, publications).map(([all, one]) => {
    const [publication, isToBeRead] = one === 'TO_BE_READ' ? (['UNKNOWN', true] as const) : ([one, false] as const);
    return all.map((index) => ({ index, outcome: { ...updated(`A${index}`), publication }, isToBeRead }));
  }),
);

const keptOf = (index: number): ItemSnapshot => ({
  update: { articleId: `A${index % 3}`, title: `Title ${index}` },
  image: {
    ...{ languageCode: 'en', versionNumber: 1, latestVersionNumber: 1, publicVersionNumber: null },
    ...{ translationStatus: null, contentType: null, title: index === 1 ? null : `Before ${index}` },
  },
});

const revertOf = (jobId: string): LedgerRevert => ({
  ...{ callerKey: 'caller', idempotencyKey: 'undo', credentialHash: 'binding', isUnattended: false, owner: 'p1' },
  ...{ jobId, limits: LIMITS },
});

/** Two ledgers take the same steps; each step gives what can be compared. `run` is one of the runs so far. */
const step = fc.oneof(
  fc.tuple(fc.constant('append'), owner, fc.nat(3), fc.nat(4), fc.boolean(), fc.boolean()).map(
    ([, by, startIndex, length, moreToCome, isUnattended]) =>
      (ledger: Ledger) =>
        ledger.appendPart(
          partOf({ owner: by, startIndex, updates: updatesOf(length, startIndex), moreToCome, isUnattended }),
        ),
  ),
  fc.tuple(owner, fc.constantFrom(0, 600_000)).map(
    ([by, ms]) =>
      (ledger: Ledger) =>
        ledger.heartbeat(by, ms),
  ),
  fc
    .tuple(owner, fc.subarray(['binding']), fc.boolean())
    .map(([by, keys, holds]) => async (ledger: Ledger, runs: Run[]) => {
      const claimed = await ledger.claim({ owner: by, credentialHashes: new Set(keys), held: holds ? runs : [] });
      runs.push(...claimed);
      return claimed;
    }),
  fc.tuple(indexes, phase).map(
    ([all, of]) =>
      (ledger: Ledger, [run]: Run[]) =>
        run && ledger.beginItems(run, all, of),
  ),
  fc.tuple(indexes, phase).map(
    ([all, of]) =>
      (ledger: Ledger, runs: Run[]) =>
        runs.at(-1) && ledger.beginItems(runs.at(-1) ?? never(), all, of),
  ),
  indexes.map((all) => async (ledger: Ledger, runs: Run[]) => {
    const items = new Map(all.map((index) => [index, keptOf(index)]));
    return runs.at(-1) && ledger.beginItems(runs.at(-1) ?? never(), all, { items, room: LIMITS });
  }),
  fc.constantFrom(
    (ledger: Ledger, [run]: Run[]) => run && ledger.beginRevert(revertOf(run.jobId)),
    (ledger: Ledger, [run]: Run[]) => run && ledger.findRevert('caller', run.jobId),
    (ledger: Ledger, [run]: Run[]) => run && ledger.revertTargets(run.jobId, { limit: 9, before: 9 }),
    (ledger: Ledger, runs: Run[]) => runs.at(-1) && ledger.copyItems(runs.at(-1) ?? never(), LIMITS),
  ),
  fc.tuple(indexes, phase).map(
    ([all, of]) =>
      (ledger: Ledger, runs: Run[]) =>
        runs.at(-1) && ledger.withdrawItems(runs.at(-1) ?? never(), all, of),
  ),
  phase.map((of) => (ledger: Ledger, runs: Run[]) => runs.at(-1) && ledger.nextItems(runs.at(-1) ?? never(), 3, of)),
  phase.map(
    (of) => async (ledger: Ledger, runs: Run[]) =>
      runs.at(-1) && (await ledger.unknownItems(runs.at(-1) ?? never(), 3, of))?.map(({ ageMs: _, ...item }) => item),
  ),
  outcomes.map((all) => (ledger: Ledger, runs: Run[]) => runs.at(-1) && ledger.endItems(runs.at(-1) ?? never(), all)),
  fc.constantFrom(
    (ledger: Ledger, runs: Run[]) => runs.at(-1) && ledger.pause(runs.at(-1) ?? never()),
    (ledger: Ledger, runs: Run[]) => runs.at(-1) && ledger.release(runs.at(-1) ?? never()),
    (ledger: Ledger, runs: Run[]) => runs.at(-1) && ledger.end(runs.at(-1) ?? never(), null),
    (ledger: Ledger, runs: Run[]) => runs.at(-1) && ledger.unknownArticles(runs.at(-1) ?? never(), ['a0', 'a1', 'a2']),
    (ledger: Ledger, [run]: Run[]) => run && ledger.cancel('caller', run.jobId),
    (ledger: Ledger, [run]: Run[]) =>
      run && ledger.resume('caller', run.jobId, { owner: 'p2', credentialHash: 'binding' }),
    (ledger: Ledger, [run]: Run[]) => run && ledger.results(run.jobId, { limit: 9, after: -1, outcomes: null }),
    (ledger: Ledger) => sweepAll(ledger, { openMs: 0, keepMs: 600_000 }),
  ),
);

function never(): never {
  throw new Error('There is a run.');
}

/** The part of an answer that both must have alike: IDs, times and details are each ledger's own. */
const comparable = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer instanceof Set ? [...answer].sort() : (answer ?? null), (name, value) =>
      /^(?:jobId|revertOf|createdAt|details)$/u.test(name) || (name === 'endedAt' && value !== null) ? '' : value,
    ),
  );

const attempt = (work: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(work)
    .then(comparable, () => 'threw');

async function trySequences(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const database = await openLedger({ url: 'sqlite::memory:', setting: 'STATE_URL', now: () => 1_000 });
      const model = new ModelLedger(emptyModelState(), () => 1_000);
      const runs: [Run[], Run[]] = [[], []];
      for (const each of OWNERS) for (const ledger of [database, model]) await ledger.heartbeat(each, 600_000);
      for (const [n, ledger] of [database, model].entries()) {
        const publication = steps.length % 3 === 0 ? undefined : { userId: 'user', message: null };
        await ledger.appendPart(partOf({ updates: updatesOf(4), isUnattended: steps.length % 2 === 0, publication }));
        runs[n]?.push(...(await ledger.claim({ owner: 'p1', credentialHashes: new Set(['binding']), held: [] })));
      }
      for (const take of steps) {
        const expected = await attempt(() => take(database, runs[0]));
        expect(await attempt(() => take(model, runs[1]))).toEqual(expected);
      }
      await database.close();
    }),
    { numRuns },
  );
}

it('answers a sequence of steps as the database does', () => trySequences(30));

it('answers every sequence of steps as the database does', { tags: 'long' }, () => trySequences(300));
