import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { EventLoopYield } from '../../src/execution/event-loop-yield.ts';

describe('executions that give way', () => {
  it('go on in their order, as many in a tick as there is room for', async () => {
    const eventLoop = new EventLoopYield(10);
    const log: string[] = [];
    const work = async (name: string) => {
      await eventLoop.yielded();
      eventLoop.charge(5);
      log.push(name);
    };
    eventLoop.charge(10);
    expect(eventLoop.isDue).toBe(true);
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map(work));
    for (let tick = 0; tick < 3; tick++) {
      await nextTick();
      log.push('tick');
    }
    await all;
    expect(log.filter((entry) => entry !== 'tick')).toEqual(['a', 'b', 'c', 'd', 'e']);
    // No tick has more than two of them.
    expect(log.join('')).not.toMatch(/[a-e]{3}/u);
  });

  it('wait for nothing where little was done', async () => {
    const eventLoop = new EventLoopYield(10);
    eventLoop.charge(9);
    expect(eventLoop.isDue).toBe(false);
    eventLoop.charge(1);
    expect(eventLoop.isDue).toBe(true);
    await eventLoop.yielded();
    expect(eventLoop.isDue).toBe(false);
  });
});
