import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TickQueue } from '../../../src/domain/json/tick-queue.ts';

it('resolves one step in each tick of the event loop, in order', async () => {
  const ticks = new TickQueue();
  const resolved: string[] = [];
  for (const name of ['first', 'second', 'third']) void ticks.nextTick().then(() => resolved.push(name));
  const seen = new Set<string>();
  while (resolved.length < 3) {
    await nextTick();
    seen.add(resolved.join(' '));
  }
  seen.delete('');
  expect([...seen]).toEqual(['first', 'first second', 'first second third']);
});
