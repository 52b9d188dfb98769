import { setImmediate as nextEventLoopTick } from 'node:timers/promises';
import { vi } from 'vitest';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import type { Caller } from '../../../src/core/callers/caller.ts';
import { withPipeline } from '../../../src/core/writes/pipeline.ts';
import type { MergingOptions } from '../../../src/service/merging/merging.ts';
import { mergeWrites } from '../../../src/service/merging/merging.ts';
import { type BulkUpdateResult, callerOf, type SummedCaller } from './harness.ts';
import { createModelService, type Fault, type ModelService } from './model-service.ts';
import { createStubBackend } from './stub-backend.ts';

export type Event =
  | {
      readonly kind: 'request';
      readonly token: string | null;
      readonly items: readonly (readonly [articleId: string, behaviour: string])[];
      readonly waitMs: number;
    }
  /** Settles one of the in-flight calls. */
  | { readonly kind: 'result'; readonly which: number; readonly fault: Fault }
  | { readonly kind: 'pass'; readonly ms: number };

export interface ModelRequest {
  readonly id: number;
  readonly caller: SummedCaller;
  readonly updates: readonly ArticleUpdate[];
  /** True when a limit was reached, so that the request has to fail at once. */
  readonly exceedsLimit: boolean;
  /** The calls that contained it. */
  readonly calls: ModelCall[];
  end: { readonly result: BulkUpdateResult } | { readonly thrown: unknown } | null;
}

export interface ModelCall {
  readonly caller: Caller;
  readonly updates: readonly ArticleUpdate[];
  readonly members: readonly ModelRequest[];
  /** True when the call was not full. A retry has the value of the refused call. */
  hasRoom: boolean;
  /** Null while the call is in flight. */
  fault: Fault | null;
  result: BulkUpdateResult | null;
  readonly settled: PromiseWithResolvers<BulkUpdateResult>;
}

export interface WorldOptions {
  readonly limits: Required<MergingOptions>;
  readonly appliesBeforeRefusal: boolean;
  /** Checks the rules for a call before it is made. */
  readonly check: (call: ModelCall, world: World) => void;
}

export interface World {
  readonly limits: Required<MergingOptions>;
  readonly service: ModelService;
  readonly requests: readonly ModelRequest[];
  inFlightCalls(): readonly ModelCall[];
  handleEvent(event: Event): Promise<void>;
}

/** The time at which too little time is left for a write, on the clock of `performance.now()`. */
export const expiryOf = ({ caller }: ModelRequest, { limits }: World): number => caller.deadline - limits.minTimeLeftMs;

/** The pending requests of a token, in order. */
export const pendingOf = ({ requests }: World, token: string | null): readonly ModelRequest[] =>
  requests.filter(
    ({ caller, calls, end, exceedsLimit }) =>
      caller.apiToken === token && calls.length === 0 && end === null && !exceedsLimit,
  );

/** Coalesced writes between callers and a model of the service. Nothing happens except the events of the test. */
export function createWorld({ limits, appliesBeforeRefusal, check }: WorldOptions): World {
  const service = createModelService(appliesBeforeRefusal);
  const requests: ModelRequest[] = [];
  const inFlight: ModelCall[] = [];
  const world: World = { limits, service, requests, inFlightCalls: () => [...inFlight], handleEvent };

  const gateway = withPipeline(
    createStubBackend((caller, updates) => {
      const ids = new Set(updates.map(({ title }) => Number.parseInt(title ?? '', 10)));
      const members = requests.filter(({ id }) => ids.has(id));
      const settled = Promise.withResolvers<BulkUpdateResult>();
      const call: ModelCall = { caller, updates, members, hasRoom: true, fault: null, result: null, settled };
      check(call, world);
      inFlight.push(call);
      for (const member of members) member.calls.push(call);
      return settled.promise;
    }),
    { merging: mergeWrites(limits) },
  );

  const inFlightTokens = () => new Set(inFlight.map(({ caller }) => caller.apiToken));

  function submit({ token, items, waitMs }: Extract<Event, { kind: 'request' }>): void {
    const id = requests.length;
    const pendingItems = pendingOf(world, token).flatMap(({ updates }) => updates).length;
    const request: ModelRequest = {
      id,
      caller: callerOf(`request ${id}`, token, waitMs),
      updates: items.map(([articleId, source], index) => ({
        articleId,
        source,
        title: `${id}.${index}`,
        ...(source === 'deprecated' && { htmlContent: '<p>' }),
      })),
      exceedsLimit: inFlightTokens().has(token) && pendingItems >= limits.maxPendingItems,
      calls: [],
      end: null,
    };
    requests.push(request);
    gateway.bulkUpdateArticles(request.caller, request.updates).then(
      (result) => {
        request.end = { result };
      },
      (thrown: unknown) => {
        request.end = { thrown };
      },
    );
  }

  function result({ which, fault }: Extract<Event, { kind: 'result' }>): void {
    const [call] = inFlight.splice(which % Math.max(1, inFlight.length), 1);
    if (!call) return;
    call.fault = fault;
    try {
      call.result = service.serve(call.caller.apiToken, call.updates, fault);
      call.settled.resolve(call.result);
    } catch (thrown) {
      call.settled.reject(thrown);
    }
  }

  async function handleEvent(event: Event): Promise<void> {
    if (event.kind === 'request') submit(event);
    else if (event.kind === 'result') result(event);
    else vi.advanceTimersByTime(event.ms);
    await nextEventLoopTick();
  }

  return world;
}
