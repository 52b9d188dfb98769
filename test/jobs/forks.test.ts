import { describe, expect, it } from 'vitest';
import type { JobPart } from '../../src/core/articles/article-update-jobs.ts';
import { caller, openStore } from '../store/store.ts';
import { hang } from '../support/faulty-service.ts';
import { type ForkingOptions, ForkingService } from '../support/forking-service.ts';
import { type JobScene, openGateway, openJobScene, outcomesOf, stateUrl, untilJob, unwrap } from './harness.ts';

const FORK = { kind: 'FORK', userId: 'u1' } as const;
const TITLE = { articleId: 'a1', title: 'New' };

async function submit(
  { jobs, caller: owner }: Pick<JobScene, 'jobs' | 'caller'>,
  updates: JobPart['updates'],
  part: Partial<JobPart> = { ifPublished: FORK },
): Promise<string> {
  const whole = { idempotencyKey: 'key', startIndex: 0, moreToCome: false, updates, ...part };
  return unwrap(await jobs.articleUpdateJobs.submit(owner, whole)).job.jobId;
}

async function open(options: ForkingOptions = {}, more: Parameters<typeof openJobScene>[1] = {}) {
  const scene = await openJobScene([], more);
  return { ...scene, forking: new ForkingService(scene.service, options) };
}

const COMPLETED = { state: 'COMPLETED' };

describe('a job that forks published versions', () => {
  it('changes their drafts, each of which is made once', async () => {
    const scene = await open();
    const jobId = await submit(scene, [
      TITLE,
      { articleId: 'a1', versionNumber: 2, content: 'Text' },
      { articleId: 'a1', languageCode: 'de', title: 'Neu' },
      { articleId: 'a1', hidden: true },
    ]);
    await untilJob(scene, jobId, { ...COMPLETED, counts: { updated: 4 } });
    expect(await outcomesOf(scene, jobId)).toMatchObject([
      { kind: 'updated', draftVersionNumber: 3 },
      { kind: 'updated', draftVersionNumber: 3 },
      { kind: 'updated', draftVersionNumber: 3 },
      { kind: 'updated' },
    ]);
    expect(scene.forking.puts.fork).toBe(2);
    expect(scene.forking.texts['en']?.versions.map(({ title }) => title)).toEqual(['Version 1', 'Version 2', 'New']);
  });

  it('sends drafts as they are, and none of a published text with SKIP', async () => {
    const draft = await open({ isPublished: false });
    const jobId = await submit(draft, [TITLE]);
    await untilJob(draft, jobId, { ...COMPLETED, counts: { updated: 1 } });
    expect(draft.forking.puts).toEqual({ fork: 0, bulkupdate: 1 });
    const skipping = await open();
    const skipped = await submit(skipping, [TITLE], { ifPublished: { kind: 'SKIP', userId: null } });
    await untilJob(skipping, skipped, { ...COMPLETED, counts: { notAttempted: 1 } });
    expect(await outcomesOf(skipping, skipped)).toMatchObject([{ kind: 'not-attempted', reason: 'PUBLISHED' }]);
    expect(skipping.forking.puts).toEqual({ fork: 0, bulkupdate: 0 });
  });

  it('ends items whose fork was refused, and tells of a draft that was then not changed', async () => {
    const refused = await open({ fork: 'refused' });
    const jobId = await submit(refused, [TITLE]);
    await untilJob(refused, jobId, { ...COMPLETED, counts: { failed: 1 } });
    expect(refused.forking.puts).toEqual({ fork: 1, bulkupdate: 0 });
    const unchanged = await open({ update: 'refused' });
    const failed = await submit(unchanged, [TITLE]);
    await untilJob(unchanged, failed, { ...COMPLETED, counts: { failed: 1 } });
    expect(await outcomesOf(unchanged, failed)).toMatchObject([
      { kind: 'failed', draftVersionNumber: 3, details: expect.stringContaining('Version 3 was made as a draft') },
    ]);
  });

  it('looks for the draft of a fork without an answer, and for what became of its update', async () => {
    const scene = await open({ fork: 'cut-after', update: 'cut-after' });
    const jobId = await submit(scene, [TITLE]);
    await untilJob(scene, jobId, { ...COMPLETED, counts: { updated: 1 } });
    expect(await outcomesOf(scene, jobId)).toMatchObject([
      { kind: 'updated', evidence: 'READ_BACK', draftVersionNumber: 3 },
    ]);
    expect(scene.forking.puts).toEqual({ fork: 1, bulkupdate: 1 });
    const lost = await open({ fork: 'cut-before' });
    const unknown = await submit(lost, [TITLE]);
    await untilJob(lost, unknown, { ...COMPLETED, counts: { unknown: 1 } });
    await expect.poll(async () => (await outcomesOf(lost, unknown))[0]).toMatchObject({ readBack: 'DIFFERS' });
    expect(lost.forking.puts).toEqual({ fork: 1, bulkupdate: 0 });
  });

  it.each([
    { was: 'made', isMade: true, counts: { updated: 1 }, puts: { fork: 1, bulkupdate: 1 } },
    { was: 'not made', isMade: false, counts: { unknown: 1 }, puts: { fork: 1, bulkupdate: 0 } },
  ])(
    'forks nothing again that a gateway had begun which crashed: the draft was $was',
    async ({ isMade, counts, puts }) => {
      const scene = await open({}, { ownToken: 'token-1', timeoutMs: 1_000 });
      const owner = { ...scene.caller, sentToken: 'own' };
      scene.service.on('PUT /v2/Articles/a1/fork', (response, request) => {
        if (isMade) scene.forking.fork(request.body);
        return hang()(response, request);
      });
      const jobId = await submit({ ...scene, caller: owner }, [TITLE]);
      await expect.poll(() => scene.forking.puts.fork).toBe(1);
      scene.crash();
      const other = { jobs: scene.openOther(), caller: owner };
      other.jobs.start();
      await untilJob(other, jobId, { ...COMPLETED, counts });
      expect(scene.forking.puts).toEqual(puts);
    },
  );

  it('refuses a part with another rule', async () => {
    const scene = await open();
    await submit(scene, [TITLE], { ifPublished: FORK, moreToCome: true });
    const part = { idempotencyKey: 'key', startIndex: 1, moreToCome: false, updates: [] };
    expect(await scene.jobs.articleUpdateJobs.submit(scene.caller, part)).toMatchObject({
      error: { kind: 'idempotency-conflict' },
    });
  });

  it('estimates its forks', async () => {
    const scene = await open();
    const jobId = await submit(scene, [TITLE, { ...TITLE, articleId: 'a2' }], { ifPublished: FORK, moreToCome: true });
    await untilJob(scene, jobId, { estimatedCalls: 5 });
  });
});

describe('a job over the embedded store', () => {
  const german = { articleId: 'a1', languageCode: 'de' };
  const rule = { kind: 'FORK', userId: 'embedded-store' } as const;

  async function openStoreScene() {
    const { backend } = await openStore();
    await backend.publishArticles(caller, { items: [german], userId: rule.userId });
    const jobs = openGateway({ url: stateUrl(), backend, credentials: { serviceUrl: null, ownToken: 'token' } });
    const read = async (versionNumber?: number) => {
      const [article] = await backend.articles(caller, [{ ...german, versionNumber }]);
      return article?.ok ? article.value : null;
    };
    return { backend, jobs, caller, read };
  }
  it('forks, and publishes the drafts', async () => {
    const scene = await openStoreScene();
    const publication = { userId: rule.userId, message: null };
    const jobId = await submit(scene, [{ ...german, title: 'Neu' }], { ifPublished: rule, publication });
    await untilJob(scene, jobId, { ...COMPLETED, counts: { updated: 1 } });
    expect(await outcomesOf(scene, jobId)).toMatchObject([{ draftVersionNumber: 2, publication: 'PUBLISHED' }]);
    expect(await scene.read()).toMatchObject({ versionNumber: 2, title: 'Neu', publicVersionNumber: 2 });
    expect(await scene.read(1)).toMatchObject({ title: 'a1 de 1' });
  });

  it('puts back what was there before the first of several versions that it made of a text', async () => {
    const scene = await openStoreScene();
    const before = await scene.read();
    const more = { publication: { userId: rule.userId, message: null }, keepBefore: 'ALWAYS' } as const;
    const updates = [
      { ...german, title: 'Neu' },
      { ...german, content: 'Neuer Text' },
      { ...german, title: 'Neuer' },
    ];
    const jobId = await submit(scene, updates, { ifPublished: rule, ...more });
    await untilJob(scene, jobId, { ...COMPLETED, counts: { updated: 3 } });
    expect(await scene.read()).toMatchObject({ versionNumber: 4, title: 'Neuer', content: 'Neuer Text' });
    const { job } = unwrap(await scene.jobs.articleUpdateJobs.revert(caller, { jobId, idempotencyKey: 'undo' }));
    await untilJob(scene, job.jobId, COMPLETED);
    expect(await outcomesOf(scene, job.jobId)).toMatchObject([{ kind: 'updated' }]);
    const { title, content } = before ?? {};
    expect(await scene.read()).toMatchObject({ versionNumber: 4, title, content });
  });

  it('puts back what stood in a published version as a new draft', async () => {
    const scene = await openStoreScene();
    const jobId = await submit(scene, [{ ...german, title: 'In place' }], { keepBefore: 'ALWAYS' });
    await untilJob(scene, jobId, { ...COMPLETED, isRevertible: true });
    const revert = async (idempotencyKey: string, userId: string | null) => {
      const request = { jobId, idempotencyKey, ifPublished: { kind: 'FORK', userId } } as const;
      const { job } = unwrap(await scene.jobs.articleUpdateJobs.revert(caller, request));
      await untilJob(scene, job.jobId, COMPLETED);
      return outcomesOf(scene, job.jobId);
    };
    expect(await revert('nobody', null)).toMatchObject([{ kind: 'not-attempted', reason: 'PUBLISHED' }]);
    expect(await revert('somebody', rule.userId)).toMatchObject([{ kind: 'updated', draftVersionNumber: 2 }]);
    expect(await scene.read(1)).toMatchObject({ title: 'In place', publicVersionNumber: 1 });
    expect(await scene.read()).toMatchObject({ versionNumber: 2, title: 'a1 de 1', status: 'DRAFT' });
  });
});
