import { expect, it } from 'vitest';
import { runGateways } from './run-gateways.ts';

it('a gateway alone serves no read from its cache while a write is under way, however late that begins', async () => {
  const { findings, counts } = await runGateways({ seed: 1, stateUrl: null, gateways: 1, ms: 36_000 });
  expect(findings).toEqual([]);
  expect(counts.hits).toBeGreaterThan(0);
  expect(counts.acknowledged).toBeGreaterThan(0);
});
