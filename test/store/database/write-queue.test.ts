import { describe, expect, it } from 'vitest';
import { createWriteQueue } from '../../../src/store/database/write-queue.ts';

describe('the queue of writes', () => {
  it('runs writes in their order, and urgent ones before all others that wait', async () => {
    const queue = createWriteQueue();
    const order: string[] = [];
    const write = (name: string, isUrgent: boolean, ends: Promise<void> = Promise.resolve()) =>
      queue.retryWhileBusy(() => ends.then(() => order.push(name)), { isBusy: () => false, timeoutMs: 0, isUrgent });
    const { promise, resolve } = Promise.withResolvers<void>();
    const writes = [
      write('first', false, promise),
      write('second', false),
      write('third', false),
      write('urgent', true),
    ];
    resolve();
    await Promise.all(writes);
    expect(order).toEqual(['first', 'urgent', 'second', 'third']);
  });
});
