import { describe, expect, it, onTestFinished } from 'vitest';
import { openFaultyService } from '../support/faulty-service.ts';
import { limitedTo } from '../support/limited-service.ts';
import { good } from './good-service.ts';
import { openGateway } from './run.ts';
import { rush } from './rush.ts';

describe('many clients against a service that allows few calls', () => {
  it('all succeed, each write once, in calls of many writes, of which none is rejected', async () => {
    const service = await openFaultyService();
    const gateway = await openGateway(service.url, { bulkSize: 100, callMs: 10_000, requestMs: 20_000 });
    onTestFinished(async () => {
      await Promise.all([gateway.close(), service.close()]);
    });
    const limited = limitedTo({ calls: 15, windowMs: 4_000 }, good());
    service.onAny(limited.behaviour);
    const { updated, others } = await rush(() => gateway, { clients: 200, each: 10 });
    expect({ updated, others }).toEqual({ updated: 2_000, others: [] });
    const written = service.received.flatMap(({ body }) => (Array.isArray(body) ? body : [])).length;
    expect([written, limited.refused()]).toEqual([2_000, 0]);
    // About a hundred writes share a call. Where the machine is busy they arrive more slowly, and fewer do.
    expect(limited.accepted()).toBeLessThanOrEqual(100);
    expect(Math.max(...limited.windows)).toBeLessThanOrEqual(15);
  });
});
