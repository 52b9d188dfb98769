import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type Gate,
  KeyedMutex,
  mostOf,
  NotBegun,
  Quota,
  Semaphore,
  type Waiter,
} from '../../../src/core/base/semaphore.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** Work that is held until it is ended by its name, and what has begun. */
function openWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    const { promise, resolve } = Promise.withResolvers<string>();
    ends.set(name, () => resolve(name));
    return promise;
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await nextTick();
  };
  return { begun, work, end };
}

function open(slots: number, perKey: number | 'half' = slots, maxWaiting = 10) {
  const semaphore = new Semaphore({
    slots: { total: slots, perKey },
    waiting: { total: maxWaiting, perKey: maxWaiting },
  });
  const { begun, work, end } = openWork();
  const run = (name: string, waiter: Partial<Waiter> = {}) =>
    semaphore.run({ key: name[0] ?? '', deadline: NEVER, ...waiter }, work(name));
  return { semaphore, begun, end, run };
}

describe('a semaphore', () => {
  it('gives keys a slot each in turn, and those of one key in their order', async () => {
    const { begun, end, run } = open(1);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void run(name);
    for (let index = 0; index < 6; index += 1) await end(begun.at(-1) ?? '');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('keeps slots free of one key for others', async () => {
    const { begun, run } = open(4, 3);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) void run(name);
    await nextTick();
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
    expect(mostOf(256)).toEqual({ total: 256, perKey: 240 });
  });

  it('gives a single key about half of the slots, where it is told so', async () => {
    const { begun, run } = open(10, 'half');
    for (let index = 0; index < 10; index += 1) void run(`a${index}`);
    for (let index = 0; index < 10; index += 1) void run(`b${index}`);
    await nextTick();
    expect(begun.filter((name) => name.startsWith('a'))).toHaveLength(5);
    expect(begun.filter((name) => name.startsWith('b')).length).toBeGreaterThanOrEqual(2);
  });

  it('tells why work has not begun', async () => {
    const { semaphore, end, run } = open(1, 1, 2);
    void run('a1');
    const late = run('b1', { deadline: performance.now() + 20 });
    let isGone = false;
    const gone = run('b2', { isGone: () => isGone });
    expect(await run('c1')).toEqual(new NotBegun('full'));
    expect(await late).toEqual(new NotBegun('timed-out'));
    isGone = true;
    await end('a1');
    expect(await gone).toEqual(new NotBegun('gone'));
    void run('a2');
    const closed = run('b3');
    semaphore.close();
    expect(await closed).toEqual(new NotBegun('closed'));
    expect(await run('d1')).toEqual(new NotBegun('closed'));
    expect([semaphore.waiting, semaphore.inUse]).toEqual([0, 1]);
  });

  it('releases the slot of work that fails', async () => {
    const { semaphore, run, begun } = open(1);
    await expect(
      semaphore.run({ key: 'a', deadline: NEVER }, () => Promise.reject(new Error('failed'))),
    ).rejects.toThrow('failed');
    void run('b1');
    await nextTick();
    expect(begun).toEqual(['b1']);
  });
});

/** A gate with so many units. */
function openGate() {
  const gate = {
    units: 0,
    refusals: 0,
    tryPass() {
      if (gate.units === 0) return false;
      gate.units -= 1;
      return true;
    },
    onRefused() {
      gate.refusals += 1;
    },
    onTimeout: () => false,
  };
  return gate satisfies Gate;
}

describe('a gate', () => {
  it('is passed when there is a slot, and not before', async () => {
    const { semaphore, begun, end, run } = open(1);
    const gate = openGate();
    void run('b1');
    gate.units = 1;
    void run('a1', { gate });
    await nextTick();
    expect([gate.units, semaphore.waitingForSlot]).toEqual([1, 1]);
    await end('b1');
    expect([begun, gate.units]).toEqual([['b1', 'a1'], 0]);
  });

  it('keeps back its key alone until it is reopened, and takes no slot', async () => {
    const { semaphore, begun, end, run } = open(1);
    const gate = openGate();
    void run('a1', { gate });
    void run('b1');
    await nextTick();
    await end('b1');
    expect([begun, semaphore.inUse, semaphore.waiting, semaphore.waitingForSlot]).toEqual([['b1'], 0, 1, 0]);
    expect(gate.refusals).toBe(1);
    gate.units = 1;
    semaphore.reopen('a');
    await nextTick();
    expect(begun).toEqual(['b1', 'a1']);
  });
});

describe('a keyed mutex', () => {
  it('runs the work of one name after another, and that of other names beside it', async () => {
    const { begun, work, end } = openWork();
    const waiting = new Quota({ total: 2, perKey: 2 });
    const mutex = new KeyedMutex(() => waiting);
    const waiter = { key: 'a', deadline: NEVER };
    for (const [name, step] of [
      ['row', 'one'],
      ['row', 'two'],
      ['other', 'three'],
      ['other', 'four'],
    ] as const)
      void mutex.run(name, waiter, work(step));
    expect(await mutex.run('other', waiter, work('five'))).toEqual(new NotBegun('full'));
    expect(begun).toEqual(['one', 'three']);
    await end('one');
    await end('three');
    expect(begun).toEqual(['one', 'three', 'two', 'four']);
  });
});
