import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../../src/store/database/sqlite/driver.ts';

/** Blocks the event loop for some milliseconds. */
const SLOW = CompiledQuery.raw(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers limit 30000)
  select max(n) from numbers`);

it('lets the event loop run between the statements of one request, such as fifty searches', async () => {
  const driver = openSqlite(':memory:').kyselyDialect.createDriver();
  await driver.init();
  const connection = await driver.acquireConnection();
  let ticks = 0;
  let isDone = false;
  const count = () => {
    if (isDone) return;
    ticks += 1;
    setImmediate(count);
  };
  setImmediate(count);
  for (let n = 0; n < 50; n += 1) await connection.executeQuery(SLOW);
  isDone = true;
  await driver.destroy();
  expect(ticks).toBeGreaterThanOrEqual(5);
});
