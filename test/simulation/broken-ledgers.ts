import type { Ledger } from '../../src/jobs/state/ledger.ts';

/** Replaces a part by a broken one, to show that the simulation finds that. */
export interface Breakage {
  readonly ledger?: (ledger: Ledger) => Ledger;
  readonly ignoresLeases?: boolean;
}

/** A ledger with some methods replaced. */
export const withMethods = (ledger: Ledger, methods: Partial<Ledger>): Ledger =>
  new Proxy(ledger, {
    get: (target, name) => {
      const member: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });

/** Faults that the simulation must find, each by a name that says what is wrong. */
const BROKEN_LEDGERS: Readonly<Record<string, NonNullable<Breakage['ledger']>>> = {
  'intents are not recorded before the call': (ledger) =>
    withMethods(ledger, { beginItems: async (run) => (await ledger.nextItems(run, 1)) !== null }),
  'items that were lost in a crash are told updated without a read': (ledger) =>
    withMethods(ledger, {
      claim: async (claim) => {
        const claimed = await ledger.claim(claim);
        for (const run of claimed) {
          const unknown = (await ledger.unknownItems(run, 1_000)) ?? [];
          await ledger.endItems(
            run,
            unknown.map(({ index, update: { articleId } }) => ({
              index,
              outcome: { kind: 'updated', articleId, details: null, evidence: 'READ_BACK' },
            })),
          );
        }
        return claimed;
      },
    }),
  'items with unknown outcomes are sent again': (ledger) =>
    withMethods(ledger, {
      endItems: (run, outcomes) => {
        const unknown = outcomes.filter(({ outcome }) => outcome.kind === 'unknown').map(({ index }) => index);
        const others = outcomes.filter(({ outcome }) => outcome.kind !== 'unknown');
        return ledger.withdrawItems(run, unknown).then(() => ledger.endItems(run, others));
      },
    }),
  'publications begin without being recorded': (ledger) =>
    withMethods(ledger, {
      beginItems: async (run, indexes, phase) =>
        phase === 'publication' ? (await ledger.nextItems(run, 1)) !== null : ledger.beginItems(run, indexes, phase),
    }),
  'publications with unknown outcomes are sent again': (ledger) =>
    withMethods(ledger, {
      endItems: (run, outcomes) => {
        const unknown = outcomes.filter(({ isToBeRead }) => isToBeRead).map(({ index }) => index);
        const others = outcomes.filter(({ isToBeRead }) => !isToBeRead);
        return ledger.withdrawItems(run, unknown, 'publication').then(() => ledger.endItems(run, others));
      },
    }),
  'publications that were lost in a crash are told published without a read': (ledger) =>
    withMethods(ledger, {
      claim: async (claim) => {
        const claimed = await ledger.claim(claim);
        for (const run of claimed) {
          const unknown = (await ledger.unknownItems(run, 1_000, 'publication')) ?? [];
          await ledger.endItems(
            run,
            unknown.map(({ index, update: { articleId } }) => ({
              index,
              outcome: { kind: 'updated', articleId, details: null, publication: 'PUBLISHED' },
            })),
          );
        }
        return claimed;
      },
    }),
  'a process goes on with a job that another one has taken over': (ledger) => {
    const owners = new Map<string, Parameters<Ledger['release']>[0]>();
    const latest = (run: Parameters<Ledger['release']>[0]) => owners.get(run.jobId) ?? run;
    return withMethods(ledger, {
      claim: async (claim) => {
        const claimed = await ledger.claim(claim);
        for (const { jobId, owner, number } of claimed) owners.set(jobId, { jobId, owner, number });
        return claimed;
      },
      nextItems: (run, limit, phase) => ledger.nextItems(latest(run), limit, phase),
      beginItems: async (run, indexes, phase) => {
        await ledger.beginItems(latest(run), indexes, phase);
        return true;
      },
    });
  },
  'later items of an unknown article are sent': (ledger) =>
    withMethods(ledger, { unknownArticles: async () => new Set<string>() }),
  'outcomes are recorded one item too late': (ledger) =>
    withMethods(ledger, {
      endItems: (run, outcomes) =>
        ledger.endItems(
          run,
          outcomes.map(({ index }, position) => ({
            index,
            outcome: (outcomes[position - 1] ?? { outcome: null }).outcome ?? outcomes[position]?.outcome ?? never(),
          })),
        ),
    }),
  'a key is begun again by every process': (ledger) =>
    withMethods(ledger, {
      beginKey: async (key) => {
        const begun = await ledger.beginKey(key);
        return begun.kind === 'lost' ? { kind: 'begun', keyId: begun.keyId } : begun;
      },
    }),
  'the answer of a key is not kept': (ledger) =>
    withMethods(ledger, { endKey: async (keyId, answer) => ledger.forgetKey(keyId).then(() => answer) }),
  'a paused job is never claimed again': (ledger) =>
    withMethods(ledger, { resume: (callerKey, jobId) => ledger.findJob(callerKey, jobId) }),
};

/** The faults of the ledger and of the gateway. */
export const BREAKAGES: Readonly<Record<string, Breakage>> = {
  ...Object.fromEntries(Object.entries(BROKEN_LEDGERS).map(([fault, ledger]) => [fault, { ledger }])),
  'writes begin after another process has told their outcomes': { ignoresLeases: true },
};

function never(): never {
  throw new Error('Every position has an outcome.');
}
