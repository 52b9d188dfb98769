import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/core/base/result.ts';
import { mostOf, Semaphore } from '../../../src/core/base/semaphore.ts';
import type { SendHttp } from '../../../src/service/calls/service-client.ts';
import { openPipeline } from '../../support/call-pipeline.ts';
import { createSharedWorld } from '../../support/memory-shared-state.ts';
import { callerWith } from '../../support/rest-scene.ts';
import { exhausted, openQueue, remaining, within } from './shared-budget.ts';

const READ = { kind: 'read', path: ['Teams'] } as const;

/** A service whose responses are held, with the tokens of the calls that it has. */
function openHeldService(left: number, more = {}) {
  const tokens: (string | undefined)[] = [];
  const answers: (() => void)[] = [];
  const sendHttp: SendHttp = (request) => {
    tokens.push(request.headers['api_token']);
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<SendHttp>>>();
    const headers = { 'x-ratelimit-remaining': `${left}`, ...more };
    answers.push(() => resolve(ok({ httpStatus: 200, headers, body: {} })));
    return promise;
  };
  return { tokens, sendHttp, answerFirst: () => answers.shift()?.() };
}

const lent = (apiToken: string, ms = 20_000) => ({ ...callerWith(apiToken, ms), sentToken: null });

describe('the waiting room of a token', () => {
  it('takes a call of the budget only together with a slot', async () => {
    const service = openHeldService(1);
    const pipeline = openPipeline({ baseUrl: 'http://service.test', maxSockets: 1, sendHttp: service.sendHttp });
    const [own, other] = [lent('own'), lent('other')];
    void pipeline.send(own, READ);
    await expect.poll(() => service.tokens).toEqual(['own']);
    service.answerFirst();
    await expect.poll(() => pipeline.tokenStateOf(own)?.budget.current()?.remaining).toBe(1);
    const held = pipeline.send(other, READ);
    await expect.poll(() => service.tokens).toEqual(['own', 'other']);
    const waiting = pipeline.send(own, READ);
    expect(pipeline.tokenStateOf(own)?.budget.current()?.remaining).toBe(1);
    service.answerFirst();
    expect(await held).toMatchObject({ ok: true });
    await expect.poll(() => service.tokens).toEqual(['own', 'other', 'own']);
    expect(pipeline.tokenStateOf(own)?.budget.current()?.remaining).toBe(0);
    service.answerFirst();
    expect(await waiting).toMatchObject({ ok: true });
  });

  it('gives slots to tokens in turn', async () => {
    const service = openHeldService(50);
    const pipeline = openPipeline({
      baseUrl: 'http://service.test',
      maxSockets: 1,
      maxWaiting: 16,
      sendHttp: service.sendHttp,
    });
    const firstCalls = ['a', 'b'].map((token) => pipeline.send(lent(token), READ));
    for (let index = 1; index <= firstCalls.length; index += 1) {
      await expect.poll(() => service.tokens).toHaveLength(index);
      service.answerFirst();
    }
    await Promise.all(firstCalls);
    const calls = ['a', 'a', 'a', 'a', 'b', 'b'].map((token) => pipeline.send(lent(token), READ));
    for (let index = 1; index <= calls.length; index += 1) {
      await expect.poll(() => service.tokens).toHaveLength(firstCalls.length + index);
      service.answerFirst();
    }
    expect(service.tokens.slice(firstCalls.length)).toEqual(['a', 'a', 'b', 'a', 'b', 'a']);
    await Promise.all(calls);
  });

  it('tells a call that had no slot in time from one that the budget has kept back', async () => {
    const service = openHeldService(0, { 'x-ratelimit-reset': '30' });
    const pipeline = openPipeline({ baseUrl: 'http://service.test', maxSockets: 1, sendHttp: service.sendHttp });
    const first = pipeline.send(lent('own'), READ);
    expect(await pipeline.send(lent('other', 200), READ)).toMatchObject({
      error: { kind: 'not-begun', error: { kind: 'unavailable', isOutOfTime: true } },
    });
    service.answerFirst();
    await first;
    expect(await pipeline.send(lent('own'), READ)).toMatchObject({
      error: { kind: 'not-begun', error: { kind: 'rate-limited', retryAfterSeconds: 30 } },
    });
    expect(await pipeline.send({ ...lent('own'), doesNotWait: true }, READ)).toMatchObject({
      error: { kind: 'not-begun', error: { kind: 'unavailable' } },
    });
    expect(service.tokens).toEqual(['own']);
  });
});

describe('the waiting room of a token whose budget is shared', () => {
  it('asks for no more calls than it has slots, and leaves the others to other gateways', async () => {
    const world = createSharedWorld();
    const slots = new Semaphore({ slots: { total: 1, perKey: 1 }, waiting: mostOf(10) });
    const one = openQueue(world.gateway(), 'one', slots);
    const other = openQueue(world.gateway(), 'other');
    expect(await other.acquire(within(10_000))).toBe(true);
    other.onResponse(remaining(2));
    await other.refresh();
    expect(await one.acquire(within(10_000))).toBe(true);
    void one.acquire(within(10_000));
    await one.refresh();
    expect(await other.acquire(within(0))).toBe(true);
    other.onResponse(exhausted(30));
    await other.refresh();
    expect(await other.acquire(within(0))).toBe(false);
  });
});
