import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { TokenStates } from '../../../src/service/calls/token-states.ts';
import { openSlots, takeSlot } from '../../support/call-pipeline.ts';
import { createSharedWorld } from '../../support/memory-shared-state.ts';
import {
  describeSharedBudget,
  exhausted,
  openQueue,
  type Queue,
  rejected,
  remaining,
  response,
  within,
} from './shared-budget.ts';

describeSharedBudget('the model', async () => {
  const world = createSharedWorld();
  return { open: async () => world.gateway(), close: async () => {} };
});

function openGateways(count: number) {
  const world = createSharedWorld();
  const states = Array.from({ length: count }, () => world.gateway());
  const queues = states.map((state, index) => openQueue(state, `gateway-${index}`));
  return { world, states, queues };
}

/** One call whose response is told to the queue, and read by the time that this returns. */
async function call(queue: Queue | undefined, result: ReturnType<typeof response>): Promise<void> {
  expect(await queue?.acquire(within(10_000))).toBe(true);
  queue?.onResponse(result);
  await queue?.refresh();
}

describe('several gateways with one token', () => {
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

  it('have a budget for each service, where they stand in front of several', async () => {
    const world = createSharedWorld();
    const urls = ['http://one.example/v2', 'http://one.example/v2', 'http://other.example/v2'];
    const queues = urls.map((serviceUrl) => {
      const slots = openSlots();
      const tokenStates = new TokenStates({ slots, shared: world.gateway(), serviceUrl });
      const { key, budget } = tokenStates.acquire(tokenStates.keyOf('token'));
      budget.isShared = true;
      const acquire = (deadline: number) => takeSlot(slots, { key, deadline, gate: budget });
      return Object.assign(budget, { acquire });
    });
    await call(queues[0], rejected(30));
    expect(await queues[1]?.acquire(within(1_000))).toBe(false);
    expect(await queues[2]?.acquire(within(60_000))).toBe(true);
  });

  it('all stop at a 429 that one of them gets, and tell for how long', async () => {
    const { queues } = openGateways(3);
    await call(queues[0], rejected(30));
    expect(await queues[1]?.acquire(within(1_000))).toBe(false);
    expect(queues[1]?.retryAfterSeconds()).toBeGreaterThan(25);
    expect(await queues[2]?.acquireInBackground()).toBe(0);
    expect(queues[2]?.backgroundRetryAfterSeconds()).toBeGreaterThan(25);
  });

  it('stay stopped where a response to another comes late, and tells what was left before', async () => {
    const { queues } = openGateways(2);
    for (const queue of queues) expect(await queue.acquire(within(60_000))).toBe(true);
    queues[1]?.onResponse(exhausted(30));
    await queues[1]?.refresh();
    queues[0]?.onResponse(remaining(5));
    expect(await queues[0]?.acquire(within(1_000))).toBe(false);
  });

  it('count no call as left again where a response to another comes later than its successors', async () => {
    const { queues } = openGateways(3);
    await call(queues[0], remaining(4));
    for (const index of [0, 1, 2, 2]) expect(await queues[index]?.acquire(within(60_000))).toBe(true);
    queues[1]?.onResponse(remaining(2));
    await queues[1]?.refresh();
    queues[0]?.onResponse(remaining(3));
    await queues[0]?.refresh();
    expect(await queues[0]?.acquire(within(0))).toBe(false);
  });

  it('take calls in flight for counted when the first response tells what is left', async () => {
    const { queues } = openGateways(3);
    for (const queue of queues) expect(await queue.acquire(within(60_000))).toBe(true);
    queues[0]?.onResponse(remaining(2));
    await queues[0]?.refresh();
    expect(await queues[1]?.acquire(within(0))).toBe(false);
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
    while (sent < 100 && (await queues[1]?.acquireInBackground())) {
      sent += 1;
      queues[1]?.onResponse(remaining(40 - sent));
    }
    expect(sent).toBe(20);
  });

  it('keep each the distance of all of them between partial batches', async () => {
    const { queues } = openGateways(4);
    await call(queues[0], remaining(30));
    await Promise.all(queues.map((queue) => queue.refresh()));
    for (const queue of queues) expect(queue.delayMs()).toBeGreaterThan(100);
    expect(openGateways(1).queues[0]?.delayMs()).toBe(0);
  });

  it('go on without one that died while it had a call in flight and another waiting', { tags: 'long' }, async () => {
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
  expect(await queues[1]?.acquire(within(60_000))).toBe(true);
});
