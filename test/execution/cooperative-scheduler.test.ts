import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { EventLoopYield } from '../../src/execution/cooperative-scheduler.ts';

describe('operations that give way', () => {
  it('go on in their order, as many in a tick as there is room for', async () => {
    const eventLoop = new EventLoopYield(10);
    const log: string[] = [];
    const work = async (name: string) => {
      const turns = eventLoop.forOperation();
      await turns.yielded();
      turns.charge(5);
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
    const turns = new EventLoopYield(10).forOperation();
    turns.charge(9);
    expect(turns.isDue).toBe(false);
    turns.charge(1);
    expect(turns.isDue).toBe(true);
    await turns.yielded();
    expect(turns.isDue).toBe(false);
  });

  it('wait for nothing while they are small, whatever others did', () => {
    const eventLoop = new EventLoopYield(1_000);
    const [large, small] = [eventLoop.forOperation(), eventLoop.forOperation()];
    large.charge(1_000);
    small.charge(100);
    expect([large.isDue, small.isDue]).toEqual([true, false]);
  });

  it('end one after another where they are long, and let short ones by', async () => {
    const eventLoop = new EventLoopYield(10);
    const ended: string[] = [];
    const work = async (name: string, steps: number) => {
      const turns = eventLoop.forOperation();
      for (let step = 0; step < steps; step++) {
        turns.charge(10);
        await turns.yielded();
      }
      ended.push(name);
    };
    const all = Promise.all(['a', 'b', 'c'].map((name) => work(name, 100)));
    for (let tick = 0; tick < 60; tick++) await nextTick();
    await Promise.all([work('short', 3), work('short', 3)]);
    expect(ended).toEqual(['short', 'short']);
    await all;
    expect(ended).toEqual(['short', 'short', 'a', 'b', 'c']);
  });

  it('do not wait for an older one that has nothing to do', async () => {
    const eventLoop = new EventLoopYield(10);
    const older = eventLoop.forOperation();
    older.charge(1_000);
    const turns = eventLoop.forOperation();
    turns.charge(1_000);
    await turns.yielded();
    expect(turns.isDue).toBe(false);
  });
});
