import { describe, expect, it } from 'vitest';
import { lazily } from '../../../src/core/base/lazily.ts';

/** Fails at its first call. */
function createFlaky() {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls === 1) throw new Error('The first attempt fails.');
    return { calls };
  };
}

describe('lazily', () => {
  it('creates a value once, and not before it is used', () => {
    let calls = 0;
    const use = lazily(() => {
      calls += 1;
      return null;
    });
    expect(calls).toBe(0);
    expect([use(), use(), calls]).toEqual([null, null, 1]);
  });

  it('creates a promise once for uses at the same time', async () => {
    const use = lazily(async () => ({}));
    const [one, other] = [use(), use()];
    expect(await one).toBe(await other);
    expect(await use()).toBe(await one);
  });

  it('tries again after an error', () => {
    const use = lazily(createFlaky());
    expect(use).toThrow('The first attempt fails.');
    expect([use(), use()]).toEqual([{ calls: 2 }, { calls: 2 }]);
  });

  it('tries again after a rejection', async () => {
    const create = createFlaky();
    const use = lazily(async () => create());
    await expect(use()).rejects.toThrow('The first attempt fails.');
    expect([await use(), await use()]).toEqual([{ calls: 2 }, { calls: 2 }]);
  });
});
