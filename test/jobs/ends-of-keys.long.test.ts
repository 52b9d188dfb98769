import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/core/base/clock.ts';
import { err, ok, type Result } from '../../src/core/base/result.ts';
import { type BackendError, outcomeUnknown, unavailable } from '../../src/core/errors.ts';
import { StateUnavailable } from '../../src/core/state-unavailable.ts';
import type { KeyedWrite } from '../../src/core/writes/idempotency-keys.ts';
import type { KeyLedger } from '../../src/jobs/state/ledger.ts';
import { openLedger } from '../../src/jobs/state/open-ledger.ts';
import { openJobScene } from './harness.ts';

type Answer = Result<string, BackendError>;

const UNKNOWN: Answer = err(outcomeUnknown('the gateway ended.'));

/** A write that ends when the test says so. */
function heldWrite() {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  onTestFinished(() => resolve(ok('done')));
  return { send: vi.fn(() => promise), resolve };
}

const keyed = (send: KeyedWrite<string>['send']): KeyedWrite<string> => ({
  ...{ operation: 'write', idempotencyKey: 'key', input: 1, send },
  answer: { encode: JSON.stringify, decode: (kept) => ok(JSON.parse(kept)) },
  outcomeUnknown: () => UNKNOWN,
});

/** How the ledger of the other gateway answers: as it is, or from some call on with a failure or never. */
interface Trouble {
  readonly kind: 'none' | 'fails' | 'hangs';
  readonly method: keyof KeyLedger;
  /** The calls of the method that are answered before. */
  readonly after: number;
}

function troubled<Ledger extends KeyLedger>(ledger: Ledger, { kind, method, after }: Trouble): Ledger {
  let calls = 0;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  onTestFinished(() => end());
  const before = async (name: string): Promise<void> => {
    if (name === method) calls += 1;
    if (kind === 'none' || calls <= after) return;
    if (kind === 'hangs') await ended;
    throw new StateUnavailable('The state is away.');
  };
  return {
    ...ledger,
    beginKey: (key) => before('beginKey').then(() => ledger.beginKey(key)),
    endKey: (keyId, answer) => before('endKey').then(() => ledger.endKey(keyId, answer)),
  };
}

/** The first gateway with its write held, and another one over the same state, in which the first lives or is dead. */
async function openTwo(first: 'lives' | 'is killed', trouble: Trouble) {
  const scene = await openJobScene([], { clock: systemClock });
  const held = heldWrite();
  const far = { ...scene.caller, deadline: Number.POSITIVE_INFINITY };
  const answer = scene.jobs.idempotencyKeys.run(far, keyed(held.send));
  await expect.poll(() => held.send.mock.calls.length).toBe(1);
  if (first === 'is killed') scene.crash();
  const now = () => Date.now() + (first === 'lives' ? 0 : 20_000);
  const other = scene.openOther({
    now,
    openLedger: async (serviceUrl) =>
      troubled(await openLedger({ url: scene.url, setting: 'STATE_URL', serviceUrl, now }), trouble),
  });
  const send = vi.fn(async () => ok('again'));
  const ask = (waitMs = 1_200) =>
    other.idempotencyKeys.run({ ...scene.caller, deadline: performance.now() + waitMs }, keyed(send));
  return { ...scene, held, answer, ask, send };
}

const IN_PROGRESS = { error: { kind: 'idempotency-in-progress' } };
const NOT_READ = { error: { kind: 'unavailable', message: expect.stringContaining('earlier request') } };

const NO_TROUBLE: Trouble = { kind: 'none', method: 'beginKey', after: 0 };

const HANGS = { kind: 'hangs', method: 'beginKey' } as const;
const FAILS = { kind: 'fails', method: 'beginKey' } as const;

describe('a key whose first gateway ends in mid-write or goes on, asked for at another one', () => {
  it.each<{ first: 'lives' | 'is killed'; trouble: Trouble; expected: object }>([
    { first: 'lives', trouble: NO_TROUBLE, expected: IN_PROGRESS },
    { first: 'lives', trouble: { ...HANGS, after: 1 }, expected: IN_PROGRESS },
    { first: 'lives', trouble: { ...FAILS, after: 1 }, expected: IN_PROGRESS },
    { first: 'lives', trouble: { ...HANGS, after: 0 }, expected: NOT_READ },
    { first: 'lives', trouble: { ...FAILS, after: 0 }, expected: NOT_READ },
    { first: 'is killed', trouble: NO_TROUBLE, expected: { error: { kind: 'outcome-unknown' } } },
    { first: 'is killed', trouble: { ...HANGS, method: 'endKey', after: 0 }, expected: IN_PROGRESS },
    { first: 'is killed', trouble: { ...FAILS, method: 'endKey', after: 0 }, expected: IN_PROGRESS },
    { first: 'is killed', trouble: { ...HANGS, after: 0 }, expected: NOT_READ },
  ])('the first one $first; its state: $trouble', async ({ first, trouble, expected }) => {
    const { ask, send } = await openTwo(first, trouble);
    expect(await ask()).toMatchObject(expected);
    expect(send).not.toHaveBeenCalled();
  });
});

describe('a key under way at another gateway', () => {
  it('is made here where it surely had no effect there', async () => {
    const { ask, held, send } = await openTwo('lives', NO_TROUBLE);
    const answer = ask(20_000);
    held.resolve(err(unavailable()));
    expect(await answer).toEqual(ok({ value: 'again', replayed: false }));
    expect(send).toHaveBeenCalledTimes(1);
  });
});
