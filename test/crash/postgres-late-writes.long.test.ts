import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import { type LateWrite, writeLate } from './late-writes.ts';

const LATE_WRITES: readonly LateWrite[] = [
  { by: 'job', gatewayIs: 'stopped' },
  { by: 'job', gatewayIs: 'cut off from the state' },
  { by: 'key', gatewayIs: 'stopped' },
  { by: 'key', gatewayIs: 'cut off from the state' },
];

describe('a write that waits for its connection while another gateway tells its outcome', () => {
  it.each(LATE_WRITES)('is never sent (by $by, $gatewayIs)', async (lateWrite) => {
    const { url: stateUrl, drop } = await createPostgresDatabase(inject('postgresUrl') ?? '');
    onTestFinished(drop);
    expect(await writeLate(lateWrite, stateUrl)).toEqual({
      told: 'ArticleUpdateUnknown',
      nextEdit: ['ArticleUpdated'],
      received: ['newer'],
    });
  });
});
