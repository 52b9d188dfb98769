import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATION_NAMES } from './operations.ts';
import { FAULTS, REQUEST_MS, runAll } from './run.ts';

describe('a fault of the service', () => {
  let runOf: Awaited<ReturnType<typeof runAll>>;
  beforeAll(async () => {
    runOf = await runAll();
  }, 120_000);

  it('is one of at least fifty kinds', () => {
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
    expect(FAULTS.length).toBeGreaterThanOrEqual(50);
  });

  describe.each(OPERATION_NAMES)('ends %s', (operation) => {
    it.each(FAULTS)('as it must, with the calls it may cost and none elsewhere: $name', (fault) => {
      const { ms, ...run } = runOf(fault, operation) ?? { ms: Number.POSITIVE_INFINITY };
      expect(run).toEqual({ ...fault.expected[operation], strayed: 0 });
      expect(ms).toBeLessThan(REQUEST_MS);
    });
  });
});
