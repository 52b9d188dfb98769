import { expect, it } from 'vitest';
import { callContextOf, waiterOf } from '../../src/store/database/call-context.ts';
import { caller, openStore } from './store.ts';

it('the calls of a thousand requests of one token wait for their turn', async () => {
  const { backend } = await openStore();
  const reads = Array.from({ length: 2_000 }, () => backend.projectVersions(caller));
  expect((await Promise.all(reads)).filter(({ ok }) => !ok)).toEqual([]);
});

it('a call waits for its turn as long as its request has time', () => {
  const deadline = performance.now() + 60_000;
  expect(waiterOf(callContextOf({ ...caller, deadline }, 'read'))).toMatchObject({ deadline });
});
