import { expect, it } from 'vitest';
import { caller, openStore } from './store.ts';

it('the calls of a thousand requests of one token wait for their turn', async () => {
  const { backend } = await openStore();
  const reads = Array.from({ length: 2_000 }, () => backend.projectVersions(caller));
  expect((await Promise.all(reads)).filter(({ ok }) => !ok)).toEqual([]);
});
