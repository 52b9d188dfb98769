import { CompiledQuery, type DatabaseConnection } from 'kysely';
import { expect, it } from 'vitest';
import { BusyRetryConnection } from '../../../src/database/sqlite/driver.ts';

const STATEMENT_MS = 11;

/** A connection whose statements block the event loop for STATEMENT_MS each, as those of SQLite do. */
const blockingConnection: DatabaseConnection = {
  executeQuery: async () => {
    const startedAt = performance.now();
    while (performance.now() - startedAt < STATEMENT_MS);
    return { rows: [] };
  },
  streamQuery: () => {
    throw new Error('No test streams.');
  },
};

/** Executes the statements without a pause, and returns how often the event loop ran meanwhile. */
async function countTicks(statements: readonly ('read' | 'write')[]): Promise<number> {
  let statement: 'read' | 'write' = 'read';
  const connection = new BusyRetryConnection(blockingConnection, () => statement === 'write');
  let ticks = 0;
  let isDone = false;
  const count = () => {
    if (isDone) return;
    ticks += 1;
    setImmediate(count);
  };
  setImmediate(count);
  for (statement of statements) await connection.executeQuery(CompiledQuery.raw('select 1'));
  isDone = true;
  return ticks;
}

it('lets the event loop run between the writes of one request that reads after each of them', async () => {
  const mutations = Array.from({ length: 10 }, () => ['write', 'read'] as const).flat();
  expect(await countTicks(mutations)).toBeGreaterThanOrEqual(9);
});

it('lets it run between the reads of one request, such as fifty searches', async () => {
  expect(await countTicks(Array.from({ length: 6 }, () => 'read'))).toBeGreaterThanOrEqual(2);
});
