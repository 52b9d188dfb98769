import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
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

  it('reports characters in the log that control a terminal', async () => {
    const cost = { holdMs: 1, cpuMs: 1, peakMb: 1, growthMb: 0, end: 'answered' as const };
    const outcome = { cost, answers: [], isKnown: true };
    await sender.send(graphql('known', '{ __typename }'));
    expect(breachesOf({ ...outcome, rawInLog: await gateway.takeRawInLog() })).toEqual([]);
    const writer = "process.stdout.write('\\u202e\\u009b\\u2028')";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(writer)}`;
    const raw = await startMeasuredGateway(folder, { DATABASE_URL: 'sqlite::memory:', NODE_OPTIONS });
    onTestFinished(() => raw.stop());
    const rawInLog = await raw.takeRawInLog();
    expect(rawInLog.toSorted()).toEqual(['U+009B', 'U+2028', 'U+202E']);
    expect(breachesOf({ ...outcome, rawInLog })).toEqual(['wrote raw characters']);
  });

  it('reports a process that dies', async () => {
    const [cost, answer] = await gateway.measure(async (signal) => {
      process.kill(gateway.pid, 'SIGABRT');
      return sender.send(graphql('known', '{ __typename }'), signal);
    });
    expect([cost.end, answer]).toEqual(['died', null]);
    expect(breachesOf({ cost, answers: [], rawInLog: [], isKnown: true })).toEqual(['died']);
  });
});
