import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TickQueue } from '../../../src/core/base/tick-queue.ts';

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

it('resolves the steps of responses before those of requests', async () => {
  const ticks = new TickQueue();
  const resolved: string[] = [];
  const step = (name: string, kind: 'request' | 'response') => ticks.nextTick(kind).then(() => resolved.push(name));
  await Promise.all([step('request', 'request'), step('response', 'response'), step('later response', 'response')]);
  expect(resolved).toEqual(['response', 'later response', 'request']);
});
