import { beforeAll, describe, expect, it } from 'vitest';
import { mostCallsOf } from './fault.ts';
import { OPERATION_NAMES } from './operations.ts';
import { FAULTS, runAll } from './run.ts';

describe('a fault of the service', () => {
  let runOf: Awaited<ReturnType<typeof runAll>>;
  beforeAll(async () => {
    runOf = await runAll();
  });

  it('has at least fifty kinds', () => {
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
    expect(FAULTS.length).toBeGreaterThanOrEqual(50);
  });

  describe.each(OPERATION_NAMES)('lets %s end', (operation) => {
    it.each(FAULTS)('in the expected outcome, with the expected calls and none to another origin: $name', (fault) => {
      const run = runOf(fault, operation);
      const expected = fault.expected[operation];
      expect(run).toMatchObject({ outcome: expected.outcome, otherOriginConnections: 0 });
      expect(run?.calls).toBeGreaterThanOrEqual(expected.calls);
      expect(run?.calls).toBeLessThanOrEqual(mostCallsOf(operation, expected));
    });
  });
});
