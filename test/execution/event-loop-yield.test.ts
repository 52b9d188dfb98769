import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type EventLoopShare, EventLoopYield } from '../../src/execution/event-loop-yield.ts';

/** Does five units of work after it has given way, and writes its name down. */
const work = (share: EventLoopShare, log: string[]) => async (name: string) => {
  await share.yielded();
  share.charge(5);
  log.push(name);
};

async function ticks(count: number, log: string[]): Promise<void> {
  for (let tick = 0; tick < count; tick++) {
    await nextTick();
    log.push('-');
  }
}

describe('executions that give way', () => {
  it('go on in their order, as many parts in a tick as there is room for', async () => {
    const share = new EventLoopYield(10).share();
    const log: string[] = [];
    share.charge(10);
    expect(share.isDue).toBe(true);
    await Promise.all([...['a', 'b', 'c', 'd', 'e'].map(work(share, log)), ticks(4, log)]);
    expect(log.filter((entry) => entry !== '-').join('')).toBe('abcde');
    expect(log.join('')).not.toMatch(/[a-e]{3}/u);
  });

  it('take turns, so that one with many parts does not keep one with few waiting', async () => {
    const eventLoop = new EventLoopYield(10);
    const [many, few] = [eventLoop.share(), eventLoop.share()];
    const log: string[] = [];
    const all = Array.from({ length: 20 }, () => 'm').map(work(many, log));
    await Promise.all([...all, work(few, log)('f'), ticks(8, log)]);
    expect(log.filter((entry) => entry !== '-').indexOf('f')).toBeLessThan(4);
  });

  it('wait for nothing where little was done, whatever others did', () => {
    const eventLoop = new EventLoopYield(1_000);
    const [large, small] = [eventLoop.share(), eventLoop.share()];
    large.charge(999);
    expect(large.isDue).toBe(false);
    small.charge(100);
    expect([large.isDue, small.isDue]).toEqual([true, false]);
  });

  it('wait for nothing once others were let in', async () => {
    const share = new EventLoopYield(10).share();
    share.charge(10);
    await share.yielded();
    expect(share.isDue).toBe(false);
  });
});
