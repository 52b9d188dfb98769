import { expect } from 'vitest';
import { outcomesForAll } from '../../../src/core/articles/article-outcomes.ts';
import { ok } from '../../../src/core/base/result.ts';

import { isQuoting, type ModelService } from './model-service.ts';
import { expiryOf, type ModelCall, type ModelRequest, pendingOf, type World } from './model-world.ts';

/** Checks when a call may be sent, and what it may contain. */
export function checkCall(call: ModelCall, world: World): void {
  const { caller, members, updates } = call;
  const token = caller.apiToken;
  const now = performance.now();
  const [first] = members;
  if (!first) throw new Error('The call has no request.');

  const others = callsOf(token, world);
  const sameKind = others.filter((other) => isLarge(other, world) === isLarge(call, world));
  const firstCall = firstCallOf(call);
  const together = sameKind.filter((other) => firstCallOf(other) === firstCall);
  expect(firstCall === call ? firstCallsOf(sameKind).size : together.length).toBeLessThan(MAX_CONCURRENT_CALLS);
  expect(articlesOf(call).isDisjointFrom(articlesOf(...others))).toBe(true);
  expect(updates).toEqual(members.flatMap((member) => member.updates));
  expect(members.every((member) => member.caller.apiToken === token)).toBe(true);
  expect(members.every((member) => first.calls.length > 0 || expiryOf(member, world) > now)).toBe(true);
  if (members.length === 1) {
    if (first.calls.length === 0) expect(caller).toBe(first.caller);
    else expect(caller).toEqual({ ...first.caller, doesNotWait: true });
    expect(updates).toBe(first.updates);
  } else {
    expect(canMerge(members, world)).toBe(true);
    expect(caller.deadline).toBe(Math.min(...members.map((member) => member.caller.deadline)));
    expect(caller.isMerged).toBe(true);
    for (const member of members) expect(member.caller.summary.mergedCalls?.at(-1)).toBe(caller.request.id);
  }

  const awaitingRetry = world.requests.filter((one) => one.caller.apiToken === token && needsRetry(one, now));
  if (first.calls.length > 0) {
    expect(members).toEqual(awaitingRetry.filter(({ calls: [refused] }) => refused === first.calls[0]).slice(0, 1));
    call.hasRoom = first.calls[0]?.hasRoom ?? true;
    return;
  }
  const queue = pendingOf(world, token).filter((one) => expiryOf(one, world) > now);
  expect(members).toEqual(queue.slice(0, members.length));
  const next = queue[members.length];
  call.hasRoom = !isFull(members, next, world);
  if (call.hasRoom) expect([...sameKind, ...awaitingRetry]).toEqual([]);
  else if (!isLarge(call, world)) expect(sameKind.some(({ hasRoom }) => hasRoom)).toBe(false);
  expect(articlesOf(call).isDisjointFrom(articlesOf(...awaitingRetry))).toBe(true);
  if (!next || !call.hasRoom) return;
  const more = [...members, next];
  expect(canMerge(more, world) && articlesOf(...more).isDisjointFrom(articlesOf(...others))).toBe(false);
}

/** The limit for large calls, for merged calls, and for the retries of one merged call. */
const MAX_CONCURRENT_CALLS = 4;

/** For a retry, the refused call; else the call itself. */
const firstCallOf = (call: ModelCall): ModelCall => call.members[0]?.calls[0] ?? call;

const firstCallsOf = (calls: readonly ModelCall[]): ReadonlySet<ModelCall> => new Set(calls.map(firstCallOf));

const callsOf = (token: string | null, world: World): readonly ModelCall[] =>
  world.inFlightCalls().filter(({ caller }) => caller.apiToken === token);

/** True for a request that fills a call by itself. */
const isLarge = ({ members: [first] }: Pick<ModelCall, 'members'>, { limits }: World): boolean =>
  (first?.updates.length ?? 0) >= limits.maxItems;

/** True when the call has no room for the next request. */
function isFull(members: readonly ModelRequest[], next: ModelRequest | undefined, { limits }: World): boolean {
  const items = members.flatMap(({ updates }) => updates).length;
  return items >= limits.maxItems || items + (next?.updates.length ?? 0) > limits.maxItems;
}

const articlesOf = (...these: readonly Pick<ModelRequest, 'updates'>[]): ReadonlySet<string> =>
  new Set(these.flatMap(({ updates }) => updates.map(({ articleId }) => articleId.toLowerCase())));

/** True when the merged call was refused and the request has not yet been sent alone. */
const needsRetry = ({ calls: [call, ...more], caller }: ModelRequest, now: number): boolean =>
  call !== undefined && more.length === 0 && wasRefusedMerged(call) && caller.deadline > now;

const wasRefusedMerged = (call: ModelCall): boolean =>
  call.members.length > 1 && (hasStatus(call, NOTHING_APPLIED) || hasStatus(call, MAYBE_APPLIED));

/** The statuses after which nothing of the call has been applied, and those after which a part may have been. */
const [NOTHING_APPLIED, MAYBE_APPLIED] = [
  [403, 413],
  [400, 409, 422],
];

function hasStatus({ result }: ModelCall, statuses: readonly number[] = []): boolean {
  if (!result || result.ok) return false;
  const { error } = result;
  if (error.kind === 'forbidden') return statuses.includes(403);
  return error.kind === 'rejected' && error.httpStatus !== null && statuses.includes(error.httpStatus);
}

function canMerge(members: readonly ModelRequest[], { limits }: World): boolean {
  const updates = members.flatMap((member) => member.updates);
  const chars = updates.flatMap(({ articleId, source, title, htmlContent = '' }) => [
    articleId,
    source,
    title,
    htmlContent,
  ]);
  const waits = members.map(({ caller }) => caller.deadline - performance.now());
  return (
    updates.length <= limits.maxItems &&
    chars.join('').length <= limits.maxChars &&
    new Set(updates.map(({ articleId }) => articleId.toLowerCase())).size === updates.length &&
    Math.max(...waits) <= 2 * Math.min(...waits)
  );
}

/** No request is pending without need: without a call in flight, after it has expired, or above a limit. */
export function checkWorld(world: World): void {
  const busy = new Set(world.inFlightCalls().map(({ caller }) => caller.apiToken));
  for (const request of world.requests) {
    const { caller, calls, end, exceedsLimit } = request;
    if (calls.length > 0 || end !== null) continue;
    expect(busy).toContain(caller.apiToken);
    expect(expiryOf(request, world)).toBeGreaterThan(performance.now());
    expect(exceedsLimit).toBe(false);
  }
  for (const token of new Set(world.requests.map(({ caller }) => caller.apiToken))) checkFirstPending(token, world);
}

/**
 * The first pending request waits for an article, or for calls in flight: for one if its batch is full, else for all.
 */
function checkFirstPending(token: string | null, world: World): void {
  const queue = pendingOf(world, token);
  const [front] = queue;
  if (!front) return;
  const others = callsOf(token, world);
  // The articles of a refused call are in flight until each of its requests has been sent alone.
  const taken = articlesOf(
    ...others.flatMap(({ members }) => members.flatMap(({ calls: [call] }) => call?.members ?? [])),
  );
  if (!articlesOf(front).isDisjointFrom(taken)) return;
  const sameKind = others.filter((other) => isLarge(other, world) === isLarge({ members: [front] }, world));
  const end = queue.findIndex((_, index) => {
    const members = queue.slice(0, index + 1);
    return index > 0 && !(canMerge(members, world) && articlesOf(...members).isDisjointFrom(taken));
  });
  const members = end === -1 ? queue : queue.slice(0, end);
  const mayStart = firstCallsOf(sameKind).size < MAX_CONCURRENT_CALLS && sameKind.every(({ hasRoom }) => !hasRoom);
  expect(sameKind.length === 0 || (mayStart && isFull(members, queue[members.length], world))).toBe(false);
}

/** Checks how a request has ended against `alone`: the same service, which receives every request alone. */
export function checkSettled(request: ModelRequest, alone: ModelService, world: World): void {
  const { caller, calls, end, exceedsLimit } = request;
  const [first, second] = calls;
  if (!first) {
    expect(end).toMatchObject({ result: { ok: false, error: { kind: 'unavailable' } } });
    expect(exceedsLimit || expiryOf(request, world) <= performance.now()).toBe(true);
    return;
  }
  expect(exceedsLimit).toBe(false);
  expect(calls.length).toBeLessThanOrEqual(wasRefusedMerged(first) ? 2 : 1);
  if (!wasRefusedMerged(first)) {
    expect(end).toEqual(settledAlone(request, first, alone));
    return;
  }
  const applied = alone.appliedBeforeRefusal(first.updates, first.fault);
  alone.apply(
    caller.apiToken,
    applied.filter((update) => request.updates.includes(update)),
  );
  const ended = second ? settledAlone(request, second, alone) : null;
  expect(end).toEqual(
    hasStatus(first, MAYBE_APPLIED) ? unlessConfirmedUnknown(request, ended) : notAttemptedIfUnsent(request, ended),
  );
}

/** The same result as alone, but without the notices that cannot be attributed if several callers share the call. */
function settledAlone({ caller, updates }: ModelRequest, call: ModelCall, alone: ModelService): ModelRequest['end'] {
  const before = call.updates.findIndex((update) => updates.includes(update));
  const fault =
    typeof call.fault === 'object' && call.fault !== null
      ? { cutAt: Math.max(0, call.fault.cutAt - before) }
      : (call.fault ?? 'none');
  try {
    const result = alone.serve(caller.apiToken, updates, fault);
    if (!result.ok || call.members.length === 1) return { result };
    const warnings = result.value.warnings.filter((warning) => !isQuoting(warning));
    return { result: ok({ ...result.value, warnings, extensionData: null }) };
  } catch (thrown) {
    return { thrown };
  }
}

/** After a refusal that applied nothing: the result of the retry, or not attempted if there was none. */
function notAttemptedIfUnsent(request: ModelRequest, ended: ModelRequest['end']): ModelRequest['end'] {
  const isUnsent =
    ended === null || ('result' in ended && !ended.result.ok && ended.result.error.kind === 'unavailable');
  return isUnsent ? allOf(request, 'not-attempted') : ended;
}

/** After a refusal that may have applied a part: only confirmed updates are known. */
function unlessConfirmedUnknown(request: ModelRequest, ended: ModelRequest['end']): ModelRequest['end'] {
  if (ended !== null && 'thrown' in ended) return ended;
  if (!ended?.result.ok) return allOf(request, 'unknown');
  const { value } = ended.result;
  const outcomes = value.outcomes.map((outcome) =>
    outcome.kind === 'updated'
      ? outcome
      : { kind: 'unknown' as const, articleId: outcome.articleId, details: expect.any(String) },
  );
  return { result: ok({ ...value, outcomes }) };
}

const allOf = ({ updates }: ModelRequest, kind: 'unknown' | 'not-attempted'): ModelRequest['end'] => ({
  result: ok({
    outcomes: outcomesForAll(
      updates,
      kind === 'unknown'
        ? { kind, details: expect.any(String) }
        : { kind, details: expect.any(String), reason: 'REJECTED', retryAfterSeconds: null },
    ),
    serviceErrors: expect.any(Array),
    warnings: expect.any(Array),
    information: [],
    extensionData: null,
  }),
});
