import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { turnOfLargeBody } from '../../src/http/large-bodies.ts';

it('lets large bodies go in their order, one in each turn of the event loop', async () => {
  const gone: string[] = [];
  for (const name of ['first', 'second', 'third']) void turnOfLargeBody().then(() => gone.push(name));
  const seen = new Set<string>();
  while (gone.length < 3) {
    await turnOfEventLoop();
    seen.add(gone.join(' '));
  }
  seen.delete('');
  expect([...seen]).toEqual(['first', 'first second', 'first second third']);
});
