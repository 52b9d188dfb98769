import { expect, inject, it, onTestFinished } from 'vitest';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import { runGateways } from './run-gateways.ts';

it('gateways that are killed, stopped and cut off from their state keep what they promise', async () => {
  const { url: stateUrl, drop } = await createPostgresDatabase(inject('postgresUrl') ?? '');
  onTestFinished(drop);
  const { findings, counts } = await runGateways({ seed: 1, stateUrl, gateways: 3, ms: 25_000 });
  expect(findings).toEqual([]);
  expect(counts.reads).toBeGreaterThan(0);
  expect(counts.hits).toBeGreaterThan(0);
  expect(counts.acknowledged).toBeGreaterThan(0);
});
