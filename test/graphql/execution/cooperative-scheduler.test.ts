import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createScheduler } from '../../../src/graphql/execution/execution.ts';

describe('the scheduler of operations', () => {
  it('resumes operations in their order, as many in a tick as its units allow', async () => {
    const startTask = createScheduler(10);
    const log: string[] = [];
    const work = async (name: string) => {
      const task = startTask();
      await task.yieldToOthers();
      task.charge(5);
      log.push(name);
    };
    const other = startTask();
    other.charge(10);
    expect(other.shouldYield()).toBe(true);
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map(work));
    for (let tick = 0; tick < 3; tick++) {
      await nextTick();
      log.push('tick');
    }
    await all;
    expect(log.filter((entry) => entry !== 'tick')).toEqual(['a', 'b', 'c', 'd', 'e']);
    // No tick resumes more than two of them.
    expect(log.join('')).not.toMatch(/[a-e]{3}/u);
  });

  it('asks for no yield below its units', async () => {
    const task = createScheduler(10)();
    task.charge(9);
    expect(task.shouldYield()).toBe(false);
    task.charge(1);
    expect(task.shouldYield()).toBe(true);
    await task.yieldToOthers();
    expect(task.shouldYield()).toBe(false);
  });

  it('asks small operations for no yield, whatever others did', () => {
    const startTask = createScheduler(1_000);
    const [large, small] = [startTask(), startTask()];
    large.charge(1_000);
    small.charge(100);
    expect([large.shouldYield(), small.shouldYield()]).toEqual([true, false]);
  });

  it('completes long operations one after another, and short ones before them', async () => {
    const startTask = createScheduler(10);
    const ended: string[] = [];
    const work = async (name: string, steps: number) => {
      const task = startTask();
      for (let step = 0; step < steps; step++) {
        task.charge(10);
        await task.yieldToOthers();
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

  it('lets no operation wait for an older one that does nothing', async () => {
    const startTask = createScheduler(10);
    const older = startTask();
    older.charge(1_000);
    const task = startTask();
    task.charge(1_000);
    await task.yieldToOthers();
    expect(task.shouldYield()).toBe(false);
  });
});
