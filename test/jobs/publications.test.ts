import { describe, expect, it } from 'vitest';
import type { Backend } from '../../src/core/backend.ts';
import { err } from '../../src/core/base/result.ts';
import { readsTooCostly } from '../../src/core/errors.ts';
import { callsOfJob } from '../../src/jobs/kinds/kinds-of-job.ts';
import { hang, held, json, reset, status } from '../support/faulty-service.ts';
import { applyThen, healthyWrite, unapplied } from '../support/writable-service.ts';
import { find, type JobScene, openGateway, openJobScene, outcomesOf, stateUrl, untilJob, unwrap } from './harness.ts';

const ids = (count: number) => Array.from({ length: count }, (_, n) => `a${n}`);

const PUBLICATION = { userId: 'user-1', message: 'From a job.' };

async function submitPublishing(
  { jobs, caller }: Pick<JobScene, 'jobs' | 'caller'>,
  articleIds: readonly string[],
  more: object = {},
): Promise<string> {
  const updates = articleIds.map((articleId) => ({ articleId, title: 'New', ...more }));
  const part = { idempotencyKey: 'key', startIndex: 0, moreToCome: false, publication: PUBLICATION, updates };
  return unwrap(await jobs.articleUpdateJobs.submit(caller, part)).job.jobId;
}

/** What became of the publications of a job, by index; null for an item that was not updated. */
const publicationsOf = async (scene: Pick<JobScene, 'jobs' | 'caller'>, jobId: string) =>
  (await outcomesOf(scene, jobId)).map((outcome) => (outcome.kind === 'updated' ? outcome.publication : null));

const published = ({ writable }: JobScene) =>
  writable.publications.map(({ items }) => items.map(({ article_id }) => article_id));

describe('a job that publishes', () => {
  it('publishes the items of each call once they are updated, in the version that the update wrote', async () => {
    const scene = await openJobScene(ids(4));
    const jobId = await submitPublishing(scene, ['a0', 'a1', 'missing', 'a2', 'a3', 'a0']);
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 5, failed: 1, pending: 0 } });
    expect(await publicationsOf(scene, jobId)).toEqual([
      'PUBLISHED',
      'PUBLISHED',
      null,
      'PUBLISHED',
      'PUBLISHED',
      'PUBLISHED',
    ]);
    expect(scene.writable.publications[0]).toEqual({
      languageCode: 'en',
      items: ['a0', 'a1'].map((article_id) => ({
        article_id,
        version_number: 3,
        user_id: 'user-1',
        publish_message: 'From a job.',
      })),
    });
    // The second publication of a0 is nothing to do.
    expect(published(scene)).toEqual([
      ['a0', 'a1'],
      ['a2', 'a3'],
    ]);
    const order = scene.service.received.flatMap(({ method }) => (method === 'GET' ? [] : [method]));
    expect(order).toEqual(['PUT', 'POST', 'PUT', 'POST']);
  });

  it('publishes the version that an item names', async () => {
    const scene = await openJobScene(ids(1));
    const jobId = await submitPublishing(scene, ['a0'], { versionNumber: 1 });
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 1 } });
    expect(scene.writable.publications[0]?.items).toMatchObject([{ version_number: 1 }]);
  });

  it('waits for the rate limit, and sends nothing twice', { tags: 'long' }, async () => {
    const scene = await openJobScene(ids(3));
    scene.writable.onNextPublications(unapplied(status(429, '', { 'retry-after': '3' })), healthyWrite);
    const jobId = await submitPublishing(scene, ids(3));
    await untilJob(scene, jobId, { waitingFor: 'RATE_LIMIT', counts: { pending: 3, updated: 0 } });
    await untilJob(scene, jobId, { state: 'COMPLETED', waitingFor: null, counts: { updated: 3 } });
    expect(await publicationsOf(scene, jobId)).toEqual(['PUBLISHED', 'PUBLISHED', 'PUBLISHED']);
    expect(scene.writable.calls).toHaveLength(1);
    const [refused, ...others] = published(scene);
    expect([refused, others.flat()]).toEqual([ids(3), ids(3)]);
  });

  it('publishes fewer items at a time after the rate limit has refused them, and then all again', {
    tags: 'long',
  }, async () => {
    const scene = await openJobScene(ids(6));
    const limited = unapplied(status(429, '', { 'retry-after': '1' }));
    scene.writable.onNextPublications(limited, limited, healthyWrite);
    const jobId = await submitPublishing(scene, ids(6));
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 6 } });
    const sizes = published(scene).map(({ length }) => length);
    expect([sizes[0], sizes.at(-1)]).toEqual([3, 3]);
    expect(sizes.slice(1, -1)).toSatisfy((between: readonly number[]) => between.every((size) => size < 3));
    expect(await publicationsOf(scene, jobId)).toEqual(ids(6).map(() => 'PUBLISHED'));
  });

  it('waits for a service that does not tell the versions of articles', async () => {
    const scene = await openJobScene(ids(3));
    scene.writable.onNextWrites((apply) => {
      scene.writable.onReads(status(503));
      return apply();
    });
    const jobId = await submitPublishing(scene, ids(3));
    await expect.poll(() => scene.writable.calls.length).toBe(1);
    await untilJob(scene, jobId, { waitingFor: 'SERVICE', counts: { pending: 3 } });
    scene.writable.onReads(null);
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 3 } });
    expect(await publicationsOf(scene, jobId)).toEqual(['PUBLISHED', 'PUBLISHED', 'PUBLISHED']);
    expect(published(scene)).toEqual([ids(3)]);
  });

  it('reads back what was published without an answer', async () => {
    const scene = await openJobScene(ids(6));
    scene.writable.onNextPublications(applyThen(reset()), unapplied(reset()));
    const jobId = await submitPublishing(scene, ids(6));
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 6 } });
    await expect.poll(async () => (await find(scene, jobId)).endedAt).not.toBeNull();
    expect(await publicationsOf(scene, jobId)).toEqual([
      ...ids(3).map(() => 'PUBLISHED'),
      ...ids(3).map(() => 'UNKNOWN'),
    ]);
    const outcomes = await outcomesOf(scene, jobId);
    expect(outcomes[0]?.details).toContain('its version was public when it was read');
    expect(outcomes[3]?.details).toContain('another version or none was public');
    expect(published(scene)).toEqual([ids(3), ids(6).slice(3)]);
  });

  it('publishes what is read back as updated', async () => {
    const scene = await openJobScene(ids(4));
    scene.writable.onNextWrites(applyThen(reset()));
    const jobId = await submitPublishing(scene, ids(4));
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 4 } });
    expect(await outcomesOf(scene, jobId)).toMatchObject([
      ...ids(3).map(() => ({ evidence: 'READ_BACK', publication: 'PUBLISHED' })),
      { publication: 'PUBLISHED' },
    ]);
    expect(published(scene)).toEqual([['a3'], ids(3)]);
  });

  it('publishes nothing of what is unknown or was refused', async () => {
    const scene = await openJobScene(ids(1));
    scene.writable.onNextWrites(unapplied(reset()));
    const jobId = await submitPublishing(scene, ['a0', 'missing']);
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { unknown: 2 } });
    expect(await publicationsOf(scene, jobId)).toEqual([null, null]);
    expect(scene.writable.publications).toEqual([]);
  });

  it('tells which publications were refused', async () => {
    const scene = await openJobScene(ids(1));
    const errors = [{ description: "The user with id 'user-1' does not exist in your project." }];
    scene.writable.onNextPublications(unapplied(json(400, { success: false, errors })));
    const jobId = await submitPublishing(scene, ['a0']);
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 1 } });
    expect(await outcomesOf(scene, jobId)).toMatchObject([
      { kind: 'updated', publication: 'FAILED', details: expect.stringContaining('does not exist in your project') },
    ]);
  });

  it('says of an article whose publication is unknown that it was updated', async () => {
    const scene = await openJobScene(ids(2));
    scene.writable.onNextPublications(unapplied(json(400, { success: false, errors: [{ description: 'No.' }] })));
    const jobId = await submitPublishing(scene, ids(2));
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 2 } });
    const details = expect.stringMatching(/^The article was updated\. Its publication: The outcome is unknown: /u);
    const unknown = { kind: 'updated', publication: 'UNKNOWN', details };
    expect(await outcomesOf(scene, jobId)).toMatchObject([unknown, unknown]);
  });

  it('ends with its rest forbidden after a 403 on publishing', async () => {
    const scene = await openJobScene(ids(9));
    const forbidden = unapplied(json(403, { success: false, errors: [] }));
    scene.writable.onNextPublications(healthyWrite, forbidden);
    const jobId = await submitPublishing(scene, ids(9));
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 6, notAttempted: 3 } });
    expect(await publicationsOf(scene, jobId)).toEqual([
      ...ids(3).map(() => 'PUBLISHED'),
      ...ids(3).map(() => 'NOT_ATTEMPTED'),
      ...ids(3).map(() => null),
    ]);
    expect((await outcomesOf(scene, jobId))[8]).toMatchObject({ kind: 'not-attempted', reason: 'FORBIDDEN' });
    expect(scene.writable.calls).toHaveLength(2);
  });

  it('is paused by a 401 on publishing, and goes on with it', async () => {
    const scene = await openJobScene(ids(3));
    scene.writable.onNextPublications(unapplied(status(401)));
    const jobId = await submitPublishing(scene, ids(3));
    await untilJob(scene, jobId, { state: 'PAUSED', counts: { updated: 0, pending: 3 } });
    unwrap(await scene.jobs.articleUpdateJobs.resume(scene.caller, jobId));
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 3 } });
    expect(await publicationsOf(scene, jobId)).toEqual(['PUBLISHED', 'PUBLISHED', 'PUBLISHED']);
    expect(scene.writable.calls).toHaveLength(1);
  });

  it('publishes nothing after it was cancelled, and keeps the outcome of what was in flight', async () => {
    const scene = await openJobScene(ids(6));
    const { release, behaviour } = held(
      json(200, { success: true, data: ids(3).map((article_id) => ({ article_id, success: true })) }),
    );
    scene.writable.onNextPublications(applyThen(behaviour));
    const jobId = await submitPublishing(scene, ids(6));
    await expect.poll(() => scene.writable.publications.length).toBe(1);
    const cancelled = unwrap(await scene.jobs.articleUpdateJobs.cancel(scene.caller, jobId));
    expect(cancelled).toMatchObject({ state: 'CANCELLED', counts: { pending: 3, notAttempted: 3 }, endedAt: null });
    release();
    await untilJob(scene, jobId, { state: 'CANCELLED', counts: { updated: 3, notAttempted: 3, pending: 0 } });
    expect((await find(scene, jobId)).endedAt).not.toBeNull();
    expect(await publicationsOf(scene, jobId)).toEqual([...ids(3).map(() => 'PUBLISHED'), null, null, null]);
    expect(scene.writable.calls).toHaveLength(1);
  });

  it('publishes nothing again that a gateway had begun which crashed', async () => {
    const scene = await openJobScene(ids(6), { ownToken: 'token-1', timeoutMs: 1_000 });
    const caller = { ...scene.caller, sentToken: 'own' };
    scene.writable.onNextPublications(applyThen(hang()));
    const jobId = await submitPublishing({ ...scene, caller }, ids(6));
    await expect.poll(() => scene.writable.publications.length).toBe(1);
    scene.crash();
    const other = { jobs: scene.openOther(), caller };
    other.jobs.start();
    await untilJob(other, jobId, { state: 'COMPLETED', counts: { updated: 6 } });
    await expect.poll(async () => (await find(other, jobId)).endedAt).not.toBeNull();
    expect(await publicationsOf(other, jobId)).toEqual(ids(6).map(() => 'PUBLISHED'));
    expect(published(scene)).toEqual([ids(3), ids(6).slice(3)]);
    expect(scene.writable.calls.flat().map(({ article_id }) => article_id)).toEqual(ids(6));
  });

  it('needs the scope of publishing where it is resumed', async () => {
    const scene = await openJobScene(ids(1));
    scene.writable.onNextWrites(unapplied(status(401)));
    const client = (...scopes: ('articles:write' | 'articles:publish')[]) => ({
      ...scene.caller,
      client: { ok: true, value: { subject: 'one', scopes: new Set(scopes) } } as const,
    });
    const caller = client('articles:write', 'articles:publish');
    const jobId = await submitPublishing({ ...scene, caller }, ids(1));
    await untilJob({ ...scene, caller }, jobId, { state: 'PAUSED' });
    expect(await scene.jobs.articleUpdateJobs.resume(client('articles:write'), jobId)).toMatchObject({
      error: { kind: 'forbidden', message: expect.stringContaining('articles:publish') },
    });
    unwrap(await scene.jobs.articleUpdateJobs.resume(caller, jobId));
    await untilJob({ ...scene, caller }, jobId, { state: 'COMPLETED', counts: { updated: 1 } });
  });

  it('refuses a part that is to be published otherwise', async () => {
    const scene = await openJobScene(ids(2));
    const part = { idempotencyKey: 'key', startIndex: 0, updates: [{ articleId: 'a0' }] };
    const { articleUpdateJobs } = scene.jobs;
    unwrap(await articleUpdateJobs.submit(scene.caller, { ...part, moreToCome: true, publication: PUBLICATION }));
    expect(await articleUpdateJobs.submit(scene.caller, { ...part, moreToCome: false })).toMatchObject({
      error: { kind: 'idempotency-conflict', indexes: [], message: expect.stringContaining('publishMessage') },
    });
  });
});

describe('a job whose publications are too costly for the rate limit', () => {
  /** The scene with a gateway whose first reservations are refused. */
  async function openCostlyScene(articleIds: readonly string[], refusals: number) {
    const scene = await openJobScene(articleIds);
    let left = refusals;
    const reserveCalls: Backend['reserveCalls'] = async (caller, wanted) => {
      left -= 1;
      return left >= 0 || !scene.backend.reserveCalls ? err(TOO_COSTLY) : scene.backend.reserveCalls(caller, wanted);
    };
    const credentials = { serviceUrl: scene.service.url, ownToken: null };
    const jobs = openGateway({ url: stateUrl(), backend: { ...scene.backend, reserveCalls }, credentials });
    return { ...scene, jobs };
  }

  it('publishes half as many at a time, and all in the end', async () => {
    const scene = await openCostlyScene(ids(3), 1);
    const jobId = await submitPublishing(scene, ids(3));
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 3 } });
    expect(await publicationsOf(scene, jobId)).toEqual(['PUBLISHED', 'PUBLISHED', 'PUBLISHED']);
    expect(published(scene)).toEqual([['a0', 'a1'], ['a2']]);
  });

  it('does not publish a single item that is too costly', async () => {
    const scene = await openCostlyScene(ids(1), Number.POSITIVE_INFINITY);
    const jobId = await submitPublishing(scene, ids(1));
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { updated: 1 } });
    expect(await outcomesOf(scene, jobId)).toMatchObject([
      { kind: 'updated', publication: 'NOT_ATTEMPTED', details: TOO_COSTLY.message },
    ]);
    expect(published(scene)).toEqual([]);
  });
});

const TOO_COSTLY = readsTooCostly(2, 1);

describe('the calls of a job', () => {
  it('are three more for each hundred that are published', () => {
    const counts = { ...NO_COUNTS, total: 1_950, pending: 1_950 };
    const job = { keepBefore: 'NEVER', withTexts: 0, counts } as const;
    const hundreds = { bulkSize: 100, keepsHidden: false };
    expect(callsOfJob(job, hundreds)).toBe(20);
    expect(callsOfJob({ ...job, publication: PUBLICATION }, hundreds)).toBe(20 + 3 * 20);
    const other = { ...job, publication: PUBLICATION, counts: { ...counts, total: 1_000, pending: 1_000 } };
    expect(callsOfJob(other, { bulkSize: 500, keepsHidden: false })).toBe(2 + 3 * 10);
  });

  it('are two more for each chunk whose hidden articles stay hidden', () => {
    const job = { keepBefore: 'NEVER', withTexts: 0, counts: { ...NO_COUNTS, total: 201, pending: 201 } } as const;
    expect(callsOfJob(job, { bulkSize: 100, keepsHidden: true })).toBe(3 * 3);
  });
});

const NO_COUNTS = { total: 0, pending: 0, updated: 0, failed: 0, unknown: 0, notAttempted: 0 };
