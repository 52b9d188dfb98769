import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import { cancelElsewhere, type LateWrite, writeLate } from './late-writes.ts';

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

describe('a job that is cancelled through another gateway than the one that runs it', () => {
  it('begins no write after the answer', async () => {
    const { url: stateUrl, drop } = await createPostgresDatabase(inject('postgresUrl') ?? '');
    onTestFinished(drop);
    expect(await cancelElsewhere(stateUrl)).toEqual(['late', 'answered']);
  });
});
