import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/base/clock.ts';
import type { Lease } from '../../src/core/base/lease.ts';
import { silentLog } from '../../src/core/base/log.ts';
import { ok } from '../../src/core/base/result.ts';
import { StateUnavailable } from '../../src/core/state-unavailable.ts';
import { bulkUpdateAnswer } from '../../src/core/writes/codec.ts';
import { createJobs } from '../../src/jobs/create-jobs.ts';
import { HEARTBEAT_LIFETIME_MS, LedgerSession } from '../../src/jobs/ledger-session.ts';
import { openLedger } from '../../src/jobs/state/open-ledger.ts';
import { openGateway, openJobScene, SETTINGS, stateUrl, submit, untilJob } from './harness.ts';

/** The session of a process over a real state, with clocks that the test sets. */
async function openSession() {
  const at = { wall: Date.UTC(2026, 0, 1), monotonic: 0 };
  let isReachable = true;
  let answerMs = 0;
  const ledger = await openLedger({ url: stateUrl(), setting: 'STATE_URL', now: () => at.wall });
  onTestFinished(() => ledger.close());
  const session = new LedgerSession({
    openLedger: async () => ({
      ...ledger,
      heartbeat: async (owner, forMs) => {
        if (!isReachable) throw new StateUnavailable('The state is away.');
        await ledger.heartbeat(owner, forMs);
        pass(answerMs);
      },
    }),
    clock: { now: () => at.wall, monotonic: () => at.monotonic, sleep: async () => {} },
    owner: 'process',
    log: silentLog,
  });
  const pass = (ms: number, wallMs = ms) => {
    at.wall += wallMs;
    at.monotonic += ms;
  };
  const cutOff = (isCutOff: boolean) => {
    isReachable = !isCutOff;
  };
  const answerAfter = (ms: number) => {
    answerMs = ms;
  };
  return { session, pass, cutOff, answerAfter };
}

async function openLeased() {
  const scene = await openSession();
  await scene.session.openWithHeartbeat();
  return { ...scene, lease: scene.session.lease() };
}

const statesOf = (...leases: readonly Lease[]) => leases.map((lease) => lease.isExpired());

describe('the lease of a process in the state', () => {
  it('stays open while the process tells that it lives', async () => {
    const { session, pass, lease } = await openLeased();
    for (let second = 0; second < 60; second += 1) {
      pass(1_000);
      await session.openWithHeartbeat();
      expect(lease.isExpired()).toBe(false);
    }
  });

  it('is late before others may take the process for dead, and for good', async () => {
    const { session, pass, cutOff, lease } = await openLeased();
    cutOff(true);
    pass(HEARTBEAT_LIFETIME_MS - 1_000);
    await expect(session.openWithHeartbeat()).rejects.toThrow(StateUnavailable);
    expect(lease.isExpired()).toBe(false);
    pass(900);
    expect(lease.isExpired()).toBe(true);
    cutOff(false);
    await session.openWithHeartbeat();
    expect(statesOf(lease, session.lease())).toEqual([true, false]);
  });

  it('counts from before a sign of life was sent, however late its answer comes', async () => {
    const { session, pass, answerAfter, lease } = await openLeased();
    answerAfter(3_000);
    pass(5_000);
    await session.openWithHeartbeat();
    expect(lease.isExpired()).toBe(false);
    pass(HEARTBEAT_LIFETIME_MS - 3_100);
    expect(statesOf(lease, session.lease())).toEqual([true, true]);
  });

  it('is late for good after the process was stopped, also where it tells that it lives before it asks', async () => {
    const { session, pass, lease } = await openLeased();
    pass(30_000);
    await session.openWithHeartbeat();
    expect(statesOf(lease, session.lease())).toEqual([true, false]);
  });

  it.each([
    ['the machine slept', 5, 30_000],
    ['the wall clock went back by an hour', 5, -3_600_000],
  ])('is late where %s, until the next sign of life, which is given at once', async (_case, ms, wallMs) => {
    const { session, pass, lease } = await openLeased();
    pass(ms, wallMs);
    expect(statesOf(lease, session.lease())).toEqual([true, true]);
    await session.openWithHeartbeat();
    expect(statesOf(lease, session.lease())).toEqual([true, false]);
  });
});

const EMPTY = { serviceErrors: [], warnings: [], information: [], extensionData: null, outcomes: [] };

/** A write with a key that is made without the service. */
const keyedWrite = (idempotencyKey: string) => ({
  ...{ operation: 'write', idempotencyKey, input: null, answer: bulkUpdateAnswer },
  send: async () => ok(EMPTY),
  outcomeUnknown: () => ok(EMPTY),
});

/**
 * A gateway that is stopped for half a minute right after the state has recorded what it begins, and that tells that it
 * lives before it goes on.
 */
async function openStopped() {
  let sleptMs = 0;
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + sleptMs,
    monotonic: () => systemClock.monotonic() + sleptMs,
  };
  const scene = await openJobScene(['a0'], { clock });
  const { caller } = scene;
  const lateness: (boolean | undefined)[] = [];
  const note = (lease: Lease | undefined) => {
    lateness.push(lease?.isExpired());
  };
  const stopOnce = async <T>(begun: T): Promise<T> => {
    if (sleptMs === 0) {
      sleptMs += 30_000;
      await jobs.idempotencyKeys.run(caller, keyedWrite('a sign of life'));
    }
    return begun;
  };
  const jobs = createJobs({
    settings: SETTINGS,
    clock,
    log: silentLog,
    credentials: { serviceUrl: scene.service.url, ownToken: null },
    backend: {
      ...scene.backend,
      bulkUpdateArticles: (sender, updates) => {
        note(sender.lease);
        return scene.backend.bulkUpdateArticles(sender, updates);
      },
    },
    openLedger: async () => {
      const ledger = await openLedger({ url: scene.url, setting: 'STATE_URL', now: clock.now });
      return {
        ...ledger,
        beginKey: (key) => ledger.beginKey(key).then(stopOnce),
        beginItems: (run, indexes) => ledger.beginItems(run, indexes).then(stopOnce),
      };
    },
  });
  onTestFinished(() => jobs.close());
  return { ...scene, jobs, note, lateness };
}

describe('the lease of a write that is begun in the state while its gateway is stopped', () => {
  it('is late where it has a key', async () => {
    const { jobs, caller, note, lateness } = await openStopped();
    const send = async ({ lease }: { readonly lease?: Lease | undefined }) => {
      note(lease);
      return ok(EMPTY);
    };
    await jobs.idempotencyKeys.run(caller, { ...keyedWrite('late'), send });
    expect(lateness).toEqual([true]);
  });

  it('is late where it is that of a job, which sends it again with another one', async () => {
    const { jobs, caller, writable, lateness } = await openStopped();
    const { jobId } = await submit({ jobs, caller }, [{ articleId: 'a0', title: 'New' }]);
    await untilJob({ jobs, caller }, jobId, { state: 'COMPLETED' });
    expect([lateness[0], lateness.at(-1), writable.calls.length]).toEqual([true, false, 1]);
  });
});

it('the lease of a call of a job is late once the job is cancelled', async () => {
  const scene = await openJobScene(['a0']);
  const sent = Promise.withResolvers<Lease | undefined>();
  const connected = Promise.withResolvers<void>();
  const jobs = openGateway({
    url: scene.url,
    credentials: { serviceUrl: scene.service.url, ownToken: null },
    backend: {
      ...scene.backend,
      bulkUpdateArticles: async (sender, updates) => {
        sent.resolve(sender.lease);
        await connected.promise;
        return scene.backend.bulkUpdateArticles(sender, updates);
      },
    },
  });
  const own = { ...scene, jobs };
  const { jobId } = await submit(own, [{ articleId: 'a0', title: 'New' }]);
  const lease = await sent.promise;
  expect(lease?.isExpired()).toBe(false);
  await jobs.articleUpdateJobs.cancel(scene.caller, jobId);
  expect(lease?.isExpired()).toBe(true);
  connected.resolve();
  await untilJob(own, jobId, { state: 'CANCELLED', counts: { pending: 0, notAttempted: 1 } });
  expect(scene.writable.calls).toEqual([]);
});
