import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../../src/core/base/log.ts';
import { noMetrics } from '../../../src/core/metrics.ts';
import { turnsBetweenCalls } from './harness.ts';
import { checkCall, checkSettled, checkWorld } from './model-rules.ts';
import { createModelService, type Fault, ITEM_BEHAVIOURS } from './model-service.ts';
import { createWorld, type Event, type World } from './model-world.ts';

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});

afterAll(() => {
  vi.useRealTimers();
});

/** IDs with a common beginning, and two that differ only in case. */
const articleId = fc.constantFrom('a1', 'a11', 'a-1', 'A1', 'b2', 'c3', 'd4', 'e5');

const item = fc.tuple(
  articleId,
  fc.oneof({ weight: 3, arbitrary: fc.constant('fine') }, fc.constantFrom(...ITEM_BEHAVIOURS)),
);

const items = fc.oneof(
  { weight: 4, arbitrary: fc.array(item, { minLength: 1, maxLength: 2 }) },
  fc.array(item, { minLength: 1, maxLength: 7 }),
);

const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 8, arbitrary: fc.constant('none' as const) },
  { weight: 2, arbitrary: fc.constantFrom('unavailable', 'rate-limited', 'unauthenticated') },
  { weight: 2, arbitrary: fc.constantFrom('blocked', 'too-large', 'conflict', 'unprocessable') },
  { weight: 2, arbitrary: fc.constantFrom('success-false', 'lost', 'applied-unseen', 'outcome-unknown', 'throws') },
  fc.record({ cutAt: fc.nat(4) }),
);

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('request'),
      token: fc.constantFrom('t1', 't1', 't2', null, 'made-up 1', 'made-up 2', 'made-up 3'),
      items,
      waitMs: fc.integer({ min: 5, max: 60 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('result'), which: fc.nat(4), fault }) },
  fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 1, max: 20 }) }),
);

const limits = fc.record({
  maxItems: fc.integer({ min: 2, max: 8 }),
  maxChars: fc.constantFrom(50, 1_000),
  maxPendingItems: fc.integer({ min: 2, max: 20 }),
  minTimeLeftMs: fc.constantFrom(0, 0, 10),
  delaysFirstCall: fc.boolean(),
});

/** Settles all calls in flight, and those that follow from them. */
async function finish(world: World): Promise<void> {
  while (world.inFlightCalls().length > 0) {
    await world.handleEvent({ kind: 'result', which: 0, fault: 'none' });
    await turnsBetweenCalls();
    checkWorld(world);
  }
}

describe('coalesced writes', () => {
  it('end for every caller, and leave every article, as if each had called alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 40, size: 'max' }),
        limits,
        fc.boolean(),
        async (events, bounds, appliesBeforeRefusal) => {
          const world = createWorld({
            limits: { ...bounds, log: silentLog, metrics: noMetrics },
            appliesBeforeRefusal,
            check: checkCall,
          });
          for (const next of events) {
            await world.handleEvent(next);
            await turnsBetweenCalls();
            checkWorld(world);
          }
          await finish(world);
          const alone = createModelService(appliesBeforeRefusal);
          for (const request of world.requests) checkSettled(request, alone, world);
          expect(world.service.titles).toEqual(alone.titles);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
