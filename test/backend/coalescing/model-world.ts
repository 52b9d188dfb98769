import { setImmediate as nextTurn } from 'node:timers/promises';
import { vi } from 'vitest';
import { type CoalescingOptions, coalesceWrites } from '../../../src/backend/coalescing/coalesce-writes.ts';
import type { ArticleUpdate } from '../../../src/domain/articles/bulk-updates.ts';
import type { Caller } from '../../../src/domain/callers/caller.ts';
import { strangersPart } from '../../../src/domain/callers/quota.ts';
import { type Answered, callerOf } from './harness.ts';
import { createModelService, type ModelService, type Weather } from './model-service.ts';
import { StubBackend } from './stub-backend.ts';

export type Event =
  | {
      readonly kind: 'submit';
      readonly token: string | null;
      readonly items: readonly (readonly [articleId: string, fate: string])[];
      readonly waitMs: number;
    }
  /** Answers one of the calls under way. */
  | { readonly kind: 'answer'; readonly which: number; readonly weather: Weather }
  | { readonly kind: 'pass'; readonly ms: number };

export interface Submitted {
  readonly id: number;
  readonly caller: Caller;
  readonly updates: readonly ArticleUpdate[];
  /** Whether there was no room for it, so that it has to fail at once. */
  readonly findsNoRoom: boolean;
  /** The calls that it was part of. */
  readonly calls: ModelCall[];
  end: { readonly answer: Answered } | { readonly thrown: unknown } | null;
}

export interface ModelCall {
  readonly caller: Caller;
  readonly updates: readonly ArticleUpdate[];
  readonly members: readonly Submitted[];
  /** Whether more could have been sent with it, or with the one that was refused before it. */
  hasRoom: boolean;
  /** Null as long as it is under way. */
  weather: Weather | null;
  answer: Answered | null;
  readonly settled: PromiseWithResolvers<Answered>;
}

export interface WorldOptions {
  readonly limits: Required<CoalescingOptions>;
  readonly isHasty: boolean;
  /** Holds the rules against a call before it is made. */
  readonly check: (call: ModelCall, world: World) => void;
}

export interface World {
  readonly limits: Required<CoalescingOptions>;
  readonly service: ModelService;
  readonly submitted: readonly Submitted[];
  callsUnderWay(): readonly ModelCall[];
  happen(event: Event): Promise<void>;
}

/** As the stub of the backend has it. */
const isMadeUp = (token: string | null): boolean => token?.startsWith('made-up') ?? false;

/** Those of one address are told by their last character. */
const addressOf = (token: string | null): string => `192.0.2.${token?.at(-1) === '3' ? 1 : 2}`;

/** `performance.now()` at which there is too little time left for a write to begin. */
export const endOf = ({ caller }: Submitted, { limits }: World): number => caller.deadline - limits.leastMs;

/** Those of a token that may still be sent, in their order. */
export const waitingFor = ({ submitted }: World, token: string | null): readonly Submitted[] =>
  submitted.filter(
    ({ caller, calls, end, findsNoRoom }) =>
      caller.apiToken === token && calls.length === 0 && end === null && !findsNoRoom,
  );

/** Coalesced writes between callers and a model of the service, where nothing happens but what the test says. */
export function createWorld({ limits, isHasty, check }: WorldOptions): World {
  const service = createModelService(isHasty);
  const submitted: Submitted[] = [];
  const underWay: ModelCall[] = [];
  const world: World = { limits, service, submitted, callsUnderWay: () => [...underWay], happen };

  const gateway = coalesceWrites(
    new StubBackend((caller, updates) => {
      const ids = new Set(updates.map(({ title }) => Number.parseInt(title ?? '', 10)));
      const members = submitted.filter(({ id }) => ids.has(id));
      const settled = Promise.withResolvers<Answered>();
      const call: ModelCall = { caller, updates, members, hasRoom: true, weather: null, answer: null, settled };
      check(call, world);
      underWay.push(call);
      for (const member of members) member.calls.push(call);
      return settled.promise;
    }),
    limits,
  );

  const tokensUnderWay = () => new Set(underWay.map(({ caller }) => caller.apiToken));

  function findsNoLane(token: string | null): boolean {
    const tokens = tokensUnderWay();
    const strangers = [...tokens].filter(isMadeUp);
    const ofNetwork = strangers.filter((other) => addressOf(other) === addressOf(token));
    const { all, each } = strangersPart(limits.maxTokens);
    return (
      tokens.size >= limits.maxTokens || (isMadeUp(token) && (strangers.length >= all || ofNetwork.length >= each))
    );
  }

  function submit({ token, items, waitMs }: Extract<Event, { kind: 'submit' }>): void {
    const id = submitted.length;
    const waitingItems = waitingFor(world, token).flatMap(({ updates }) => updates).length;
    const submission: Submitted = {
      id,
      caller: { ...callerOf(`request ${id}`, token, waitMs), address: addressOf(token) },
      updates: items.map(([articleId, source], index) => ({
        articleId,
        source,
        title: `${id}.${index}`,
        ...(source === 'deprecated' && { htmlContent: '<p>' }),
      })),
      findsNoRoom: tokensUnderWay().has(token) ? waitingItems >= limits.maxWaitingItems : findsNoLane(token),
      calls: [],
      end: null,
    };
    submitted.push(submission);
    gateway.bulkUpdateArticles(submission.caller, submission.updates).then(
      (answer) => {
        submission.end = { answer };
      },
      (thrown: unknown) => {
        submission.end = { thrown };
      },
    );
  }

  function answer({ which, weather }: Extract<Event, { kind: 'answer' }>): void {
    const [call] = underWay.splice(which % Math.max(1, underWay.length), 1);
    if (!call) return;
    call.weather = weather;
    try {
      call.answer = service.serve(call.caller.apiToken, call.updates, weather);
      call.settled.resolve(call.answer);
    } catch (thrown) {
      call.settled.reject(thrown);
    }
  }

  async function happen(event: Event): Promise<void> {
    if (event.kind === 'submit') submit(event);
    else if (event.kind === 'answer') answer(event);
    else vi.advanceTimersByTime(event.ms);
    await nextTurn();
  }

  return world;
}
