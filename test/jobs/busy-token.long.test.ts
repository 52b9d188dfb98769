import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/base/clock.ts';
import { withPipeline } from '../../src/core/writes/pipeline.ts';
import { mergeWrites } from '../../src/service/merging/merging.ts';
import { type Behaviour, forwardedTo, openFaultyService, type Received } from '../support/faulty-service.ts';
import { type Limit, limitedTo } from '../support/limited-service.ts';
import { callerWith, openBackendTo } from '../support/rest-scene.ts';
import { serveWritable } from '../support/writable-service.ts';
import { find, openGateway, outcomesOf, SETTINGS, stateUrl, unwrap } from './harness.ts';

const ids = (count: number) => Array.from({ length: count }, (_, n) => `a${n}`);

const BULK_SIZE = 100;

/** A gateway whose token has a small rate limit, of which others take a part in each window. */
async function openBusyScene(texts: number, limit: Limit, { readMs = 0, callsOfOthers = 0 } = {}) {
  const [service, front] = [await openFaultyService(), await openFaultyService()];
  const writable = serveWritable(service, ids(texts));
  const forward = forwardedTo(service.url);
  const slow: Behaviour = async (response, request) => {
    if (request.method === 'GET') await sleep(readMs);
    await forward(response, request);
  };
  const limited = limitedTo(limit, slow);
  const backend = withPipeline(openBackendTo(front, { bulkSize: BULK_SIZE }), {
    merging: mergeWrites({ maxItems: BULK_SIZE }),
  });
  // The service has accepted the token before, for a caller of whom nothing is known by now.
  front.onAny(forward);
  unwrap(await backend.projectVersions({ ...callerWith(), isBackground: true }));
  const { length: callsBefore } = front.received;
  front.onAny(limited.behaviour);
  const settings = { ...SETTINGS, bulkSize: BULK_SIZE };
  const credentials = { serviceUrl: front.url, ownToken: null };
  const jobs = openGateway({ url: stateUrl(), backend, credentials, clock: systemClock, settings });
  const ofOthers = new AbortController();
  const callAsOthers = async () => {
    while (!ofOthers.signal.aborted) {
      const headers = { api_token: 'token-1', 'x-other': '1' };
      for (let n = 0; n < callsOfOthers; n += 1) await fetch(`${front.url}/v2/ProjectVersions`, { headers });
      await sleep(limit.windowMs, undefined, { signal: ofOthers.signal }).catch(() => {});
    }
  };
  const others = callsOfOthers > 0 ? callAsOthers() : Promise.resolve();
  onTestFinished(async () => {
    ofOthers.abort();
    await others;
    await backend.close();
    await Promise.all([service.close(), front.close()]);
  });
  const scene = { jobs, caller: callerWith() };
  return {
    ...scene,
    writable,
    calls: () => front.received.slice(callsBefore).filter(({ headers }) => headers['x-other'] === undefined),
    async untilDone(jobId: string) {
      await expect
        .poll(async () => (await find(scene, jobId)).endedAt, { timeout: 60_000, interval: 50 })
        .not.toBeNull();
      return outcomesOf(scene, jobId);
    },
    async submit(more: object = {}) {
      const updates = ids(texts).map((articleId) => ({ articleId, content: `new ${articleId}` }));
      const part = { idempotencyKey: 'key', startIndex: 0, moreToCome: false, keepBefore: 'ALWAYS' as const, updates };
      return unwrap(await jobs.articleUpdateJobs.submit(scene.caller, { ...part, ...more })).job.jobId;
    },
  };
}

/**
 * All texts are read once, and each call has as many as a window has room for. One more call reads the languages. On a busy
 * machine, the second between a read and its call may pass, so the texts of one call may be read again.
 */
const fewCalls = (texts: number, perCall: number) => texts + Math.ceil(texts / perCall) + 1 + perCall;

/** Leaves out the reads of what the calls before have left, for which a busy token may have no room. */
function withoutNotes(calls: readonly Received[]): readonly Received[] {
  const isOf = (id: string, { method, body }: Received) => method === 'PUT' && JSON.stringify(body).includes(`"${id}"`);
  return calls.filter(({ url }, at) => {
    const id = /^\/v2\/Articles\/(?<id>a\d+)\//u.exec(url)?.groups?.['id'];
    return id === undefined || !calls.slice(0, at).some((call) => isOf(id, call));
  });
}

describe('a job that keeps what it changes, on a busy token', () => {
  it.each([
    { texts: 20, calls: 13, perCall: 10, others: {} },
    { texts: 12, calls: 13, perCall: 10, others: { readMs: 1_200 } },
    { texts: 8, calls: 7, perCall: 4, others: {} },
    { texts: 4, calls: 5, perCall: 2, others: {} },
    { texts: 3, calls: 3, perCall: 1, others: {} },
    { texts: 3, calls: 2, perCall: 1, others: {} },
  ])('updates $texts texts by few calls where a window has $calls: $others', async (busy) => {
    const scene = await openBusyScene(
      busy.texts,
      { calls: busy.calls, windowMs: 1_500, tellsAlways: true },
      busy.others,
    );
    const outcomes = await scene.untilDone(await scene.submit());
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(busy.texts).fill('updated'));
    expect(withoutNotes(scene.calls()).length).toBeLessThanOrEqual(fewCalls(busy.texts, busy.perCall));
  });
});

it('publishes as many texts at once as a window has room for, and tries more only where it has more', async () => {
  const scene = await openBusyScene(4, { calls: 4, windowMs: 1_500, tellsAlways: true });
  const publication = { userId: 'user' };
  const outcomes = await scene.untilDone(await scene.submit({ keepBefore: 'NEVER', publication }));
  expect(outcomes).toMatchObject(Array(4).fill({ kind: 'updated', publication: 'PUBLISHED' }));
  // An update, a call and a read for each text, and what the batches of four and of two have read that were too many.
  expect(scene.calls().length).toBeLessThanOrEqual(1 + 4 + 4 + 3);
});
