import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphql } from '../attacks/attack.ts';
import { breachesOf } from './bounds.ts';
import { type MeasuredGateway, startMeasuredGateway } from './measured-gateway.ts';
import { createSender, type Sender } from './request.ts';

describe('a measured gateway', () => {
  let folder: string;
  let gateway: MeasuredGateway;
  let sender: Sender;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-gateway-measured-'));
    gateway = await startMeasuredGateway(folder, { DATABASE_URL: 'sqlite::memory:', API_TOKEN: 'abuse-token' });
    sender = createSender(gateway.origin);
  });
  afterAll(async () => {
    sender.close();
    await gateway.stop();
    await rm(folder, { recursive: true });
  });

  it('reports the cost of a request', async () => {
    const [cost, answer] = await gateway.measure((signal) => sender.send(graphql('known', '{ __typename }'), signal));
    expect(answer?.status).toBe(200);
    expect(cost).toMatchObject({ end: 'answered' });
    expect(cost.cpuMs).toBeGreaterThan(0);
    expect(cost.holdMs).toBeGreaterThan(0);
    expect(cost.holdMs).toBeLessThanOrEqual(cost.cpuMs + 1);
  });

  it('reports a process that dies', async () => {
    const [cost, answer] = await gateway.measure(async (signal) => {
      process.kill(gateway.pid, 'SIGABRT');
      return sender.send(graphql('known', '{ __typename }'), signal);
    });
    expect([cost.end, answer]).toEqual(['died', null]);
    expect(breachesOf({ cost, answers: [], isKnown: true })).toEqual(['died']);
  });
});
