import { describe, expect, it } from 'vitest';
import { openFixtureStore } from '../support/fixture-store.ts';
import { startGateway } from '../support/gateway.ts';
import { createMutant, createRandom } from './mutants.ts';
import { sendMutants } from './send-mutants.ts';

describe('a request with some bytes wrong', () => {
  it('never causes an internal error', async () => {
    const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: 'token' });
    const { statuses, faults } = await sendMutants(gateway.url, 400);
    await gateway.close();
    expect(faults).toEqual([]);
    expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(400);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400]));
  });

  it('is the same for the same seed', () => {
    expect(createMutant(createRandom(7))).toEqual(createMutant(createRandom(7)));
    expect(createMutant(createRandom(7))).not.toEqual(createMutant(createRandom(8)));
  });
});
