import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { BackendResult } from '../../src/core/backend.ts';
import { systemClock } from '../../src/core/base/clock.ts';
import { err, ok } from '../../src/core/base/result.ts';
import { outcomeUnknown, unavailable } from '../../src/core/errors.ts';
import { StateUnavailable } from '../../src/core/state-unavailable.ts';
import type { KeyedWrite } from '../../src/core/writes/idempotency-keys.ts';
import { openLedger } from '../../src/jobs/state/open-ledger.ts';
import { callerWith } from '../support/rest-scene.ts';
import { openJobScene, SETTINGS } from './harness.ts';

/** A faster clock would leave a busy machine too little time to record outcomes. */
const REAL_TIME = { clock: systemClock };

const UNKNOWN = err(outcomeUnknown('the gateway ended.'));

const writeOf = (send: () => BackendResult<string>, more: Partial<KeyedWrite<string>> = {}): KeyedWrite<string> => ({
  operation: 'write',
  idempotencyKey: 'key',
  input: { b: 1, a: [2] },
  send,
  answer: { encode: JSON.stringify, decode: (kept) => ok(JSON.parse(kept)) },
  outcomeUnknown: () => UNKNOWN,
  ...more,
});

const REPLAYED = { ok: true, value: { value: 'done', replayed: true } };

/** A write that ends when the test says so. */
function heldWrite() {
  const { promise, resolve } = Promise.withResolvers<Awaited<BackendResult<string>>>();
  const send = vi.fn(() => promise);
  return { send, resolve };
}

describe('a write with an idempotency key', () => {
  it('is made once, and replayed for the same input, however its members are sorted', async () => {
    const { jobs, caller, openOther } = await openJobScene([], REAL_TIME);
    const send = vi.fn(async () => ok('done'));
    const { idempotencyKeys } = jobs;
    expect(await idempotencyKeys.run(caller, writeOf(send))).toEqual(ok({ value: 'done', replayed: false }));
    expect(await idempotencyKeys.run(caller, writeOf(send, { input: { a: [2], b: 1 } }))).toEqual(REPLAYED);
    // The other gateway asks the service about the token first.
    expect(await openOther().idempotencyKeys.run(callerWith(caller.apiToken), writeOf(send))).toEqual(REPLAYED);
    expect(await idempotencyKeys.run(caller, writeOf(send, { input: 'other' }))).toMatchObject({
      error: { kind: 'idempotency-conflict' },
    });
    expect(send).toHaveBeenCalledTimes(1);
    await idempotencyKeys.run(caller, writeOf(send, { operation: 'other' }));
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('is waited for by a thousand requests with its key, each until its own deadline', { tags: 'long' }, async () => {
    const { jobs, caller } = await openJobScene([], REAL_TIME);
    const { send, resolve } = heldWrite();
    const first = jobs.idempotencyKeys.run(caller, writeOf(send));
    await expect.poll(() => send.mock.calls.length).toBe(1);
    const hasty = { ...caller, deadline: performance.now() };
    expect(await jobs.idempotencyKeys.run(hasty, writeOf(send))).toMatchObject({
      error: { kind: 'idempotency-in-progress' },
    });
    const farOff = { ...caller, deadline: Number.POSITIVE_INFINITY };
    const others = Array.from({ length: 999 }, () => jobs.idempotencyKeys.run(farOff, writeOf(send)));
    resolve(ok('done'));
    expect(await first).toEqual(ok({ value: 'done', replayed: false }));
    for (const other of await Promise.all(others)) expect(other).toEqual(REPLAYED);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('is told to be under way by another gateway to all who wait there, whenever their time is up', {
    tags: 'long',
  }, async () => {
    const scene = await openJobScene([], REAL_TIME);
    const { send, resolve } = heldWrite();
    onTestFinished(() => resolve(ok('done')));
    const first = scene.jobs.idempotencyKeys.run(scene.caller, writeOf(send));
    await expect.poll(() => send.mock.calls.length).toBe(1);
    const other = scene.openOther({ ...REAL_TIME, now: Date.now });
    const ask = (waitMs: number) =>
      other.idempotencyKeys.run({ ...scene.caller, deadline: performance.now() + waitMs }, writeOf(send));
    const waiting = Array.from({ length: 30 }, (_, n) => ask(500 + 20 * n));
    const late = ask(20_000);
    const answers = await Promise.all(waiting);
    for (const answer of answers) expect(answer).toMatchObject({ error: { kind: 'idempotency-in-progress' } });
    resolve(ok('done'));
    expect([await first, await late]).toEqual([ok({ value: 'done', replayed: false }), REPLAYED]);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('is not made again by the process that made it and failed to record its answer', async () => {
    const { jobs, caller } = await openJobScene([], REAL_TIME);
    const send = vi.fn(async () => ok('done'));
    const encode = vi.fn(JSON.stringify).mockImplementationOnce(() => {
      throw new Error('a bug');
    });
    const write = writeOf(send, { answer: { encode, decode: (kept) => ok(JSON.parse(kept)) } });
    await expect(jobs.idempotencyKeys.run(caller, write)).rejects.toThrow('a bug');
    for (let retry = 0; retry < 2; retry += 1)
      expect(await jobs.idempotencyKeys.run(caller, write)).toMatchObject({ error: { kind: 'outcome-unknown' } });
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('leaves the key free after an error without effect, and keeps one that may have applied', async () => {
    const { jobs, caller } = await openJobScene([], REAL_TIME);
    const errors = [err(unavailable()), err(outcomeUnknown('cut.'))];
    const send = vi.fn(async () => errors.shift() ?? ok('done'));
    const results = [];
    for (let n = 0; n < 3; n += 1) results.push(await jobs.idempotencyKeys.run(caller, writeOf(send)));
    expect(results).toMatchObject([
      { error: { kind: 'unavailable' } },
      { error: { kind: 'outcome-unknown' } },
      { error: { kind: 'outcome-unknown' } },
    ]);
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('is answered as unknown, and not made again, where its gateway has crashed', async () => {
    const scene = await openJobScene([]);
    const { send, resolve } = heldWrite();
    onTestFinished(() => resolve(ok('done')));
    // Its time is over only once the write has begun, however long the ledger takes to open.
    const caller = { ...scene.caller, deadline: Number.POSITIVE_INFINITY };
    const lost = scene.jobs.idempotencyKeys.run(caller, writeOf(send));
    await expect.poll(() => send.mock.calls.length).toBe(1);
    scene.crash();
    const other = scene.openOther(REAL_TIME);
    for (let n = 0; n < 2; n += 1)
      expect(await other.idempotencyKeys.run(scene.caller, writeOf(send))).toEqual(UNKNOWN);
    expect(send).toHaveBeenCalledTimes(1);
    caller.deadline = performance.now();
    resolve(ok('done'));
    expect(await lost).toMatchObject({ error: { kind: 'idempotency-in-progress' } });
  });

  it('is made where the gateway that counted as crashed forgot the key before its outcome was told', async () => {
    const scene = await openJobScene([]);
    const { send: sendNever, resolve } = heldWrite();
    onTestFinished(() => resolve(ok('done')));
    void scene.jobs.idempotencyKeys.run(scene.caller, writeOf(sendNever));
    await expect.poll(() => sendNever.mock.calls.length).toBe(1);
    scene.crash();
    const other = scene.openOther({
      ...REAL_TIME,
      openLedger: async (serviceUrl) => {
        const now = () => Date.now() + 20_000;
        const ledger = await openLedger({ url: scene.url, setting: 'STATE_URL', serviceUrl, now });
        const endKey: typeof ledger.endKey = async (keyId, answer) => {
          if (answer !== '"made"') await ledger.forgetKey(keyId);
          return ledger.endKey(keyId, answer);
        };
        return { ...ledger, endKey };
      },
    });
    const send = vi.fn(async () => ok('made'));
    const write = writeOf(send, {
      answer: {
        encode: (result) => JSON.stringify(result.ok ? result.value : null),
        decode: (kept) => ok(ok(JSON.parse(kept))),
      },
    });
    const run = () => other.idempotencyKeys.run(scene.caller, write);
    expect([await run(), await run()]).toEqual([
      ok({ value: 'made', replayed: false }),
      ok({ value: 'made', replayed: true }),
    ]);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('leaves the key free for other gateways where its begin lost its answer', async () => {
    let losses = 1;
    const scene = await openJobScene([], {
      ...REAL_TIME,
      openLedger: async () => {
        const ledger = await openLedger({ url: scene.url, setting: 'STATE_URL' });
        const beginKey: typeof ledger.beginKey = async (key) => {
          const begun = await ledger.beginKey(key);
          losses -= 1;
          if (losses >= 0) throw new StateUnavailable('The answer was lost.');
          return begun;
        };
        return { ...ledger, beginKey };
      },
    });
    const send = vi.fn(async () => ok('done'));
    const write = writeOf(send);
    expect(await scene.jobs.idempotencyKeys.run(scene.caller, write)).toMatchObject({ error: { kind: 'unavailable' } });
    const other = scene.openOther({
      ...REAL_TIME,
      openLedger: () => openLedger({ url: scene.url, setting: 'STATE_URL' }),
    });
    expect(await other.idempotencyKeys.run(scene.caller, write)).toEqual(ok({ value: 'done', replayed: false }));
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('has room as soon as others have expired', async () => {
    const settings = { ...SETTINGS, maxBytes: 10_000, hasOneCaller: true };
    const { jobs, caller } = await openJobScene([], { ...REAL_TIME, settings });
    const run = (n: number, lifetimeMs?: number) =>
      jobs.idempotencyKeys.run(
        caller,
        writeOf(async () => ok('done'), { idempotencyKey: `key ${n}`, lifetimeMs }),
      );
    for (let n = 0; n < 60; n += 1) expect(await run(n, 0)).toMatchObject({ ok: true });
    const kept = [];
    for (let n = 60; n < 90; n += 1) kept.push((await run(n)).ok);
    expect([kept[0], kept.at(-1)]).toEqual([true, false]);
  });

  it('is refused, unsent, where the state can not be opened or the JWT has no subject', async () => {
    const { jobs, caller } = await openJobScene([], { openLedger: () => Promise.reject(new Error('no disk')) });
    const send = vi.fn(async () => ok('done'));
    expect(await jobs.idempotencyKeys.run(caller, writeOf(send))).toMatchObject({ error: { kind: 'unavailable' } });
    const client = ok({ subject: null, scopes: new Set<never>() });
    expect(await jobs.idempotencyKeys.run({ ...callerWith(), client }, writeOf(send))).toMatchObject({
      error: { kind: 'forbidden' },
    });
    expect(send).not.toHaveBeenCalled();
  });
});
