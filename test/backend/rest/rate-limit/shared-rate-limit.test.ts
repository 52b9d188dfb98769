import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RateLimitQueue } from '../../../../src/backend/rest/rate-limit/rate-limit-queue.ts';
import { ok } from '../../../../src/domain/result.ts';
import type { SharedState } from '../../../../src/state/shared/shared-state.ts';
import { createSharedWorld } from '../../../support/memory-shared-state.ts';

const response = (httpStatus: number, headers: Record<string, string>) => ok({ httpStatus, headers, body: {} });
const remaining = (count: number) => response(200, { 'x-ratelimit-remaining': `${count}` });
const rejected = (seconds: number) => response(429, { 'x-ratelimit-limit': '60', 'retry-after': `${seconds}` });
const exhausted = (seconds: number) =>
  response(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-limit': '60', 'x-ratelimit-reset': `${seconds}` });

/** The token's queue of a gateway. */
function openQueue(shared: SharedState, gateway: string): RateLimitQueue {
  const capacity = { waiting: 0, max: 1_000, maxPerQueue: 1_000 };
  const queue = new RateLimitQueue(capacity, { shared, gateway, tokenKey: 'token' });
  queue.isShared = true;
  return queue;
}

function openGateways(count: number) {
  const world = createSharedWorld();
  const states = Array.from({ length: count }, () => world.gateway());
  const queues = states.map((state, index) => openQueue(state, `gateway-${index}`));
  return { world, states, queues };
}

const within = (ms: number) => performance.now() + ms;

/** One call whose response is told to the queue, and read by the time that this returns. */
async function call(queue: RateLimitQueue | undefined, result: ReturnType<typeof response>): Promise<void> {
  expect(await queue?.acquire(within(10_000))).toBe(true);
  queue?.onResponse(result);
  await queue?.refresh();
}

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

describe('several gateways with one token', () => {
  it('take the calls of a window together, and run into one 429 at most', async () => {
    const { queues } = openGateways(4);
    const service = createService(10, 700);
    const send = async (queue: RateLimitQueue | undefined) => {
      const isGranted = await queue?.acquire(within(30_000));
      await sleep(2);
      queue?.onResponse(service.answer());
      return isGranted;
    };
    await send(queues[0]);
    const sent = await Promise.all(Array.from({ length: 32 }, (_, index) => send(queues[index % 4])));
    expect(sent).toEqual(Array(32).fill(true));
    expect(service.rejections()).toBeLessThanOrEqual(1);
  });

  it('send waiting calls in the order they came', async () => {
    const { queues } = openGateways(3);
    await call(queues[0], exhausted(1));
    const order: number[] = [];
    const calls: Promise<void>[] = [];
    for (const index of [2, 0, 1, 1, 2, 0]) {
      const number = calls.length;
      const wait = async () => {
        if (await queues[index]?.acquire(within(30_000))) order.push(number);
      };
      calls.push(wait());
      await sleep(20);
    }
    await Promise.all(calls);
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('all stop at a 429 that one of them gets, and tell for how long', async () => {
    const { queues } = openGateways(3);
    await call(queues[0], rejected(30));
    expect(await queues[1]?.acquire(within(1_000))).toBe(false);
    expect(queues[1]?.retryAfterSeconds()).toBeGreaterThan(25);
    expect(await queues[2]?.tryAcquireInBackground()).toBe(false);
    expect(queues[2]?.backgroundRetryAfterSeconds()).toBeGreaterThan(25);
  });

  it('stay stopped where a response to another comes late, and tells what was left before', async () => {
    const { queues } = openGateways(2);
    for (const queue of queues) expect(await queue.acquire(within(1_000))).toBe(true);
    queues[1]?.onResponse(exhausted(30));
    await queues[1]?.refresh();
    queues[0]?.onResponse(remaining(5));
    expect(await queues[0]?.acquire(within(1_000))).toBe(false);
  });

  it('try a call that does not wait, and leave nothing behind where it is refused', async () => {
    const { queues } = openGateways(2);
    await call(queues[0], remaining(5));
    expect(await queues[1]?.acquire(within(0))).toBe(true);
    queues[1]?.onResponse(exhausted(30));
    await queues[1]?.refresh();
    expect(await queues[0]?.acquire(within(0))).toBe(false);
  });

  it('leave room for interactive calls of another gateway', async () => {
    const { queues } = openGateways(2);
    await call(queues[0], remaining(41));
    await call(queues[0], remaining(40));
    let sent = 0;
    while (sent < 100 && (await queues[1]?.tryAcquireInBackground())) {
      sent += 1;
      queues[1]?.onResponse(remaining(40 - sent));
    }
    expect(sent).toBe(20);
  });

  it('keep the distance of partial batches together', async () => {
    const { queues } = openGateways(4);
    await call(queues[0], remaining(30));
    const delays = await Promise.all(queues.map(async (queue) => queue.delayMs()));
    const sorted = delays.toSorted((a, b) => a - b);
    for (const [index, delayMs] of sorted.entries())
      if (index > 0) expect(delayMs - (sorted[index - 1] ?? 0)).toBeGreaterThan(350);
  });

  it('go on without one that died while it had a call in flight and another waiting', async () => {
    const { world, states, queues } = openGateways(2);
    await call(queues[0], response(200, { 'x-ratelimit-remaining': '0' }));
    expect(await queues[0]?.acquire(within(30_000))).toBe(true);
    const waiting = queues[0]?.acquire(within(200));
    await queues[0]?.refresh();
    const next = queues[1]?.acquire(within(20_000));
    if (states[0]) world.kill(states[0]);
    expect(await next).toBe(true);
    expect(await waiting).toBe(false);
  });
});

describe('a gateway that can not reach the state', () => {
  it('keeps to its share of what was last known, and comes back', async () => {
    const { world, states, queues } = openGateways(2);
    await call(queues[1], remaining(40));
    await queues[0]?.refresh();
    if (states[0]) world.partition(states[0], true);
    await queues[0]?.refresh();
    expect(queues[0]?.current()).toMatchObject({ remaining: 20 });
    await call(queues[0], remaining(38));
    expect(queues[0]?.current()).toMatchObject({ remaining: 19 });
    if (states[0]) world.partition(states[0], false);
    await queues[0]?.refresh();
    expect(queues[0]?.current()).toMatchObject({ remaining: 40 });
  });

  it('ends every call that waited for the state when it was lost', async () => {
    const { world, states, queues } = openGateways(2);
    await call(queues[0], exhausted(1));
    const waiting = [
      queues[0]?.acquire(within(10_000)),
      queues[0]?.acquire(within(100)),
      queues[0]?.acquire(within(0)),
    ];
    if (states[0]) world.partition(states[0], true);
    expect(await Promise.all(waiting)).toEqual([true, false, false]);
  });
});

it('a token that the service has not accepted has no row', async () => {
  const { queues } = openGateways(2);
  if (queues[0]) queues[0].isShared = false;
  await call(queues[0], rejected(30));
  expect(queues[0]?.retryAfterSeconds()).toBeGreaterThan(25);
  expect(await queues[1]?.acquire(within(1_000))).toBe(true);
});
