import { expect, it } from 'vitest';
import { soak } from './soak.ts';

it('a thousand calls over eight connections lose no byte of requests and responses', async () => {
  const { whole, faults } = await soak({ calls: 1_000, concurrency: 8 });
  expect(faults).toEqual([]);
  expect(whole).toBe(1_000);
});
