import { expect } from 'vitest';
import { ok } from '../../../src/domain/result.ts';

import { isQuoting, type ModelService } from './model-service.ts';
import { endOf, type ModelCall, type Submitted, type World, waitingFor } from './model-world.ts';

/** Holds against a call what may be sent when, and together with what. */
export function checkCall(call: ModelCall, world: World): void {
  const { caller, members, updates } = call;
  const token = caller.apiToken;
  const now = performance.now();
  const [first] = members;
  if (!first) throw new Error('The call is nobody’s.');

  const others = callsOf(token, world);
  const alike = others.filter((other) => isList(other, world) === isList(call, world));
  const origin = originOf(call);
  const together = alike.filter((other) => originOf(other) === origin);
  expect(origin === call ? originsOf(alike).size : together.length).toBeLessThan(MOST_BESIDE);
  expect(articlesOf(call).isDisjointFrom(articlesOf(...others))).toBe(true);
  expect(updates).toEqual(members.flatMap((member) => member.updates));
  expect(members.every((member) => member.caller.apiToken === token)).toBe(true);
  expect(members.every((member) => first.calls.length > 0 || endOf(member, world) > now)).toBe(true);
  if (members.length === 1) {
    if (first.calls.length === 0) expect(caller).toBe(first.caller);
    else expect(caller).toEqual({ ...first.caller, doesNotWait: true });
    expect(updates).toBe(first.updates);
  } else {
    expect(goTogether(members, world)).toBe(true);
    expect(caller.deadline).toBe(Math.min(...members.map((member) => member.caller.deadline)));
    expect(caller.requestId).toBe(members.map((member) => member.caller.requestId).join(' '));
  }

  const owing = world.submitted.filter((one) => one.caller.apiToken === token && owesAnotherCall(one, now));
  if (first.calls.length > 0) {
    expect(members).toEqual(owing.filter(({ calls: [refused] }) => refused === first.calls[0]).slice(0, 1));
    call.hasRoom = first.calls[0]?.hasRoom ?? true;
    return;
  }
  const queue = waitingFor(world, token).filter((one) => endOf(one, world) > now);
  expect(members).toEqual(queue.slice(0, members.length));
  const next = queue[members.length];
  call.hasRoom = !isFull(members, next, world);
  if (call.hasRoom) expect([...alike, ...owing]).toEqual([]);
  else if (!isList(call, world)) expect(alike.some(({ hasRoom }) => hasRoom)).toBe(false);
  expect(articlesOf(call).isDisjointFrom(articlesOf(...owing))).toBe(true);
  if (!next || !call.hasRoom) return;
  const more = [...members, next];
  expect(goTogether(more, world) && articlesOf(...more).isDisjointFrom(articlesOf(...others))).toBe(false);
}

/** Of lists, of merged calls, and of what is sent again after one of these. */
const MOST_BESIDE = 4;

/** The call after whose refusal it is sent, or itself. */
const originOf = (call: ModelCall): ModelCall => call.members[0]?.calls[0] ?? call;

const originsOf = (calls: readonly ModelCall[]): ReadonlySet<ModelCall> => new Set(calls.map(originOf));

const callsOf = (token: string | null, world: World): readonly ModelCall[] =>
  world.callsUnderWay().filter(({ caller }) => caller.apiToken === token);

/** What fills a call by itself goes beside the others. */
const isList = ({ members: [first] }: Pick<ModelCall, 'members'>, { limits }: World): boolean =>
  (first?.updates.length ?? 0) >= limits.maxItems;

/** Whether a call of these holds as much as it can, or has no room for who is next. */
function isFull(members: readonly Submitted[], next: Submitted | undefined, { limits }: World): boolean {
  const items = members.flatMap(({ updates }) => updates).length;
  return items >= limits.maxItems || items + (next?.updates.length ?? 0) > limits.maxItems;
}

const articlesOf = (...these: readonly Pick<Submitted, 'updates'>[]): ReadonlySet<string> =>
  new Set(these.flatMap(({ updates }) => updates.map(({ articleId }) => articleId.toLowerCase())));

/** Whether it was refused in company, and has not yet been sent alone. */
const owesAnotherCall = ({ calls: [call, ...more], caller }: Submitted, now: number): boolean =>
  call !== undefined && more.length === 0 && wasRefusedInCompany(call) && caller.deadline > now;

const wasRefusedInCompany = (call: ModelCall): boolean =>
  call.members.length > 1 && (isOneOf(call, UNTOUCHED) || isOneOf(call, MAYBE_APPLIED));

/** The statuses after which nothing, or maybe a part, of the call has been applied. */
const [UNTOUCHED, MAYBE_APPLIED] = [
  [403, 413],
  [400, 409, 422],
];

function isOneOf({ answer }: ModelCall, statuses: readonly number[] = []): boolean {
  if (!answer || answer.ok) return false;
  const { error } = answer;
  if (error.kind === 'forbidden') return statuses.includes(403);
  return error.kind === 'rejected' && error.httpStatus !== null && statuses.includes(error.httpStatus);
}

function goTogether(members: readonly Submitted[], { limits }: World): boolean {
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

/** Nobody waits without need: not where nothing is under way, not past their time, and not where there is no room. */
export function checkWorld(world: World): void {
  const busy = new Set(world.callsUnderWay().map(({ caller }) => caller.apiToken));
  for (const submission of world.submitted) {
    const { caller, calls, end, findsNoRoom } = submission;
    if (calls.length > 0 || end !== null) continue;
    expect(busy).toContain(caller.apiToken);
    expect(endOf(submission, world)).toBeGreaterThan(performance.now());
    expect(findsNoRoom).toBe(false);
  }
  for (const token of new Set(world.submitted.map(({ caller }) => caller.apiToken))) checkFront(token, world);
}

/** Who is in front waits for an article, or for those who went before: each of them to go, or all where more may join. */
function checkFront(token: string | null, world: World): void {
  const queue = waitingFor(world, token);
  const [front] = queue;
  if (!front) return;
  const others = callsOf(token, world);
  // Those who were refused together keep their articles until each has been sent alone.
  const taken = articlesOf(
    ...others.flatMap(({ members }) => members.flatMap(({ calls: [call] }) => call?.members ?? [])),
  );
  if (!articlesOf(front).isDisjointFrom(taken)) return;
  const alike = others.filter((other) => isList(other, world) === isList({ members: [front] }, world));
  const end = queue.findIndex((_, index) => {
    const members = queue.slice(0, index + 1);
    return index > 0 && !(goTogether(members, world) && articlesOf(...members).isDisjointFrom(taken));
  });
  const members = end === -1 ? queue : queue.slice(0, end);
  const hasWay = originsOf(alike).size < MOST_BESIDE && alike.every(({ hasRoom }) => !hasRoom);
  expect(alike.length === 0 || (hasWay && isFull(members, queue[members.length], world))).toBe(false);
}

/** How a submission has to end, by what `alone` makes of it: the same service, where everybody calls alone. */
export function checkEnd(submission: Submitted, alone: ModelService, world: World): void {
  const { caller, calls, end, findsNoRoom } = submission;
  const [first, second] = calls;
  if (!first) {
    expect(end).toMatchObject({ answer: { ok: false, error: { kind: 'unavailable' } } });
    expect(findsNoRoom || endOf(submission, world) <= performance.now()).toBe(true);
    return;
  }
  expect(findsNoRoom).toBe(false);
  expect(calls.length).toBeLessThanOrEqual(wasRefusedInCompany(first) ? 2 : 1);
  if (!wasRefusedInCompany(first)) {
    expect(end).toEqual(endAlone(submission, first, alone));
    return;
  }
  const applied = alone.appliedBeforeRefusal(first.updates, first.weather);
  alone.apply(
    caller.apiToken,
    applied.filter((update) => submission.updates.includes(update)),
  );
  const ended = second ? endAlone(submission, second, alone) : null;
  expect(end).toEqual(isOneOf(first, MAYBE_APPLIED) ? inDoubt(submission, ended) : unlessUnsent(submission, ended));
}

/** The same list made alone ends in the same, but what is said of no item in particular is for nobody of several callers. */
function endAlone({ caller, updates }: Submitted, call: ModelCall, alone: ModelService): Submitted['end'] {
  const before = call.updates.findIndex((update) => updates.includes(update));
  const weather =
    typeof call.weather === 'object' && call.weather !== null
      ? { cutAt: Math.max(0, call.weather.cutAt - before) }
      : (call.weather ?? 'fair');
  try {
    const answer = alone.serve(caller.apiToken, updates, weather);
    if (!answer.ok || call.members.length === 1) return { answer };
    const warnings = answer.value.warnings.filter((warning) => !isQuoting(warning));
    return { answer: ok({ ...answer.value, warnings, extensionData: null }) };
  } catch (thrown) {
    return { thrown };
  }
}

/** Sent again after nothing of the call was applied: as it ended alone, and without a call not attempted. */
function unlessUnsent(submission: Submitted, ended: Submitted['end']): Submitted['end'] {
  const isUnsent =
    ended === null || ('answer' in ended && !ended.answer.ok && ended.answer.error.kind === 'unavailable');
  return isUnsent ? allOf(submission, 'not-attempted') : ended;
}

/** Sent again after some of the call may have been applied: only what is confirmed is known. */
function inDoubt(submission: Submitted, ended: Submitted['end']): Submitted['end'] {
  if (ended !== null && 'thrown' in ended) return ended;
  if (!ended?.answer.ok) return allOf(submission, 'unknown');
  const { value } = ended.answer;
  const outcomes = value.outcomes.map((outcome) =>
    outcome.kind === 'updated' ? outcome : { ...outcome, kind: 'unknown' as const, details: expect.any(String) },
  );
  return { answer: ok({ ...value, outcomes }) };
}

const allOf = ({ updates }: Submitted, kind: 'unknown' | 'not-attempted'): Submitted['end'] => ({
  answer: ok({
    outcomes: updates.map(({ articleId }) => ({ kind, articleId, details: expect.any(String) })),
    serviceErrors: expect.any(Array),
    warnings: expect.any(Array),
    information: [],
    extensionData: null,
  }),
});
