import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../../src/core/base/result.ts';
import type { SharedState } from '../../../src/core/shared-state.ts';
import type { CallBudget } from '../../../src/service/calls/call-budget.ts';
import { SharedCallBudget } from '../../../src/service/calls/shared-budget.ts';
import type { SharedScene } from '../../jobs/state/shared/contract.ts';
import { openSlots, takeSlot } from '../../support/call-pipeline.ts';

export const response = (httpStatus: number, headers: Record<string, string>) => ok({ httpStatus, headers, body: {} });
export const remaining = (count: number) => response(200, { 'x-ratelimit-remaining': `${count}` });
export const rejected = (seconds: number) => response(429, { 'x-ratelimit-limit': '60', 'retry-after': `${seconds}` });
export const exhausted = (seconds: number) =>
  response(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-limit': '60', 'x-ratelimit-reset': `${seconds}` });

/** The token's queue of a gateway. */
export function openQueue(shared: SharedState, gateway: string, slots = openSlots()) {
  const key = 'token';
  const budget: CallBudget = new SharedCallBudget(slots, key, { shared, gateway });
  budget.isShared = true;
  /** True once the call may be sent. */
  const acquire = (latestStart: number) =>
    takeSlot(slots, { key, deadline: budget.deadlineOf(latestStart, false), gate: budget });
  return Object.assign(budget, { acquire });
}

export type Queue = ReturnType<typeof openQueue>;

export const within = (ms: number) => performance.now() + ms;

/** The service: so many calls in each window, of which it tells what remains, and the reset with the last. */
function createService(calls: number, windowMs: number) {
  let [used, endsAt, rejections] = [0, 0, 0];
  return {
    rejections: () => rejections,
    answer() {
      const now = performance.now();
      if (now >= endsAt) [used, endsAt] = [0, now + windowMs];
      used += 1;
      const reset = { 'x-ratelimit-limit': `${calls}`, 'x-ratelimit-reset': `${(endsAt - now) / 1_000}` };
      if (used > calls) rejections += 1;
      if (used > calls) return response(429, reset);
      return response(200, { 'x-ratelimit-remaining': `${calls - used}`, ...(used === calls ? reset : {}) });
    },
  };
}

/** The budget that four gateways share: over PostgreSQL, and over the model of other tests. */
export function describeSharedBudget(name: string, openScene: () => Promise<SharedScene>): void {
  describe(`the budget of a token over ${name}`, () => {
    let scene: SharedScene;
    let states: SharedState[];
    let queues: readonly Queue[];

    beforeEach(async () => {
      scene = await openScene();
      states = [];
      for (let gateway = 0; gateway < 4; gateway += 1) states.push(await scene.open());
      queues = states.map((state, index) => openQueue(state, `gateway-${index}`));
    });
    afterEach(async () => {
      await Promise.all(states.map((state) => state.close()));
      await scene.close();
    });

    it('is taken by all together, who run into one 429 at most', { tags: 'long' }, async () => {
      const service = createService(10, 700);
      const send = async (queue: Queue | undefined) => {
        const isGranted = await queue?.acquire(within(30_000));
        await sleep(2);
        queue?.onResponse(service.answer());
        return isGranted;
      };
      await send(queues[0]);
      await queues[0]?.refresh();
      const sent = await Promise.all(Array.from({ length: 32 }, (_, index) => send(queues[index % 4])));
      expect(sent).toEqual(Array(32).fill(true));
      expect(service.rejections()).toBeLessThanOrEqual(1);
    });

    it('is closed for all by a 429 that one of them gets', async () => {
      expect(await queues[0]?.acquire(within(10_000))).toBe(true);
      queues[0]?.onResponse(rejected(30));
      await queues[0]?.refresh();
      const others = await Promise.all(queues.slice(1).map((queue) => queue.acquire(within(10_000))));
      expect(others).toEqual([false, false, false]);
      expect(queues[3]?.retryAfterSeconds()).toBeGreaterThan(15);
    });
  });
}
