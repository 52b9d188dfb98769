import { describe, expect, it, onTestFinished } from 'vitest';
import type { Fence } from '../../src/domain/fence.ts';
import { silentLog } from '../../src/domain/log.ts';
import { ALIVE_MS, LedgerSession } from '../../src/jobs/ledger-session.ts';
import { openLedger } from '../../src/state/open-ledger.ts';
import { StateUnavailable } from '../../src/state/state-unavailable.ts';
import { stateUrl } from './harness.ts';

/** The session of a process over a real state, with clocks that the test sets. */
async function openSession() {
  const at = { wall: Date.UTC(2026, 0, 1), monotonic: 0 };
  let isReachable = true;
  const ledger = await openLedger({ url: stateUrl(), setting: 'STATE_URL', now: () => at.wall });
  onTestFinished(() => ledger.close());
  const session = new LedgerSession({
    openLedger: async () => ({
      ...ledger,
      keepAlive: async (owner, forMs) => {
        if (!isReachable) throw new StateUnavailable('The state is away.');
        await ledger.keepAlive(owner, forMs);
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
  return { session, pass, cutOff };
}

async function openFenced() {
  const scene = await openSession();
  await scene.session.openAlive();
  return { ...scene, fence: scene.session.fence() };
}

const statesOf = (...fences: readonly Fence[]) => fences.map((fence) => fence.isLate());

describe('the fence of a process in the state', () => {
  it('stays open while the process tells that it lives', async () => {
    const { session, pass, fence } = await openFenced();
    for (let second = 0; second < 60; second += 1) {
      pass(1_000);
      await session.openAlive();
      expect(fence.isLate()).toBe(false);
    }
  });

  it('is late before others may take the process for dead, and for good', async () => {
    const { session, pass, cutOff, fence } = await openFenced();
    cutOff(true);
    pass(ALIVE_MS - 1_000);
    await expect(session.openAlive()).rejects.toThrow(StateUnavailable);
    expect(fence.isLate()).toBe(false);
    pass(900);
    expect(fence.isLate()).toBe(true);
    cutOff(false);
    await session.openAlive();
    expect(statesOf(fence, session.fence())).toEqual([true, false]);
  });

  it('is late for good after the process was stopped, also where it tells that it lives before it asks', async () => {
    const { session, pass, fence } = await openFenced();
    pass(30_000);
    await session.openAlive();
    expect(statesOf(fence, session.fence())).toEqual([true, false]);
  });

  it.each([
    ['the machine slept', 5, 30_000],
    ['the wall clock went back by an hour', 5, -3_600_000],
  ])('is late where %s, until the next sign of life, which is given at once', async (_case, ms, wallMs) => {
    const { session, pass, fence } = await openFenced();
    pass(ms, wallMs);
    expect(statesOf(fence, session.fence())).toEqual([true, true]);
    await session.openAlive();
    expect(statesOf(fence, session.fence())).toEqual([true, false]);
  });
});
