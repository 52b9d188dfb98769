import { describe, expect, it } from 'vitest';
import { createWriteQueue } from '../../../src/store/database/write-queue.ts';

function openQueue() {
  const queue = createWriteQueue();
  const order: string[] = [];
  const write = (name: string, isLong = false, ends: Promise<void> = Promise.resolve()) =>
    queue.retryWhileBusy(() => ends.then(() => order.push(name)), { isBusy: () => false, timeoutMs: 0, isLong });
  return { order, write };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the queue of writes', () => {
  it('lets a short write wait for the long one that runs, and for no other', async () => {
    const { order, write } = openQueue();
    const { promise, resolve } = Promise.withResolvers<void>();
    const writes = [write('long 1', true, promise), write('long 2', true), write('long 3', true), write('short')];
    resolve();
    await Promise.all(writes);
    expect(order).toEqual(['long 1', 'short', 'long 2', 'long 3']);
  });

  it('lets a long write wait for a second of short ones at most', async () => {
    const { order, write } = openQueue();
    const begun = performance.now();
    let isOver = false;
    const client = async () => {
      for (let n = 0; !isOver; n += 1) await write(`short ${n}`, false, nextTurn());
    };
    const clients = [client(), client(), client()];
    await write('long', true);
    isOver = true;
    await Promise.all(clients);
    expect(order.indexOf('long')).toBeGreaterThan(3);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
