import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { turnOfLargeStep } from '../../../src/domain/json/tick-queue.ts';

it('lets large bodies go in their order, one in each turn of the event loop', async () => {
  const gone: string[] = [];
  for (const name of ['first', 'second', 'third']) void turnOfLargeStep().then(() => gone.push(name));
  const seen = new Set<string>();
  while (gone.length < 3) {
    await turnOfEventLoop();
    seen.add(gone.join(' '));
  }
  seen.delete('');
  expect([...seen]).toEqual(['first', 'first second', 'first second third']);
});
