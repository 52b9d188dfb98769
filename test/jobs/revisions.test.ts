import { describe, expect, it, onTestFinished } from 'vitest';
import type { KeepBefore } from '../../src/core/articles/article-reverts.ts';
import type { ArticleUpdate } from '../../src/core/articles/bulk-updates.ts';
import type { JobRule } from '../../src/core/articles/forks.ts';
import { isPlaced, revisionOf } from '../../src/core/articles/revisions.ts';
import type { Backend } from '../../src/core/backend.ts';
import { silentLog } from '../../src/core/base/log.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import { openStore, caller as storeCaller } from '../store/store.ts';
import { slowClock } from '../support/fast-clock.ts';
import { startGateway } from '../support/gateway.ts';
import { callerWith } from '../support/rest-scene.ts';
import { openGateway, outcomesOf, SETTINGS, stateUrl, untilJob, unwrap } from './harness.ts';

const TOKEN = 'token';

async function openService(store: Backend): Promise<Backend> {
  const service = await startGateway({ backend: store, local: true, token: TOKEN });
  const options = { bulkSize: 100, timeoutMs: 60_000, maxReadCalls: 60, lookPausesMs: [], log: silentLog };
  const backend = openRestBackend({ ...options, baseUrl: service.url, keepsHidden: true });
  onTestFinished(async () => {
    await backend.close();
    await service.close();
  });
  return backend;
}

describe.each([
  ['the embedded store', async (store: Backend) => store],
  ['the service', openService],
] as const)('a job with several items that expect the revision of an article, over %s', (_name, open) => {
  async function openRevisionScene(published: readonly string[] = []) {
    const { backend: store } = await openStore();
    const writeAsOther = async (title: string, languageCode: string) =>
      unwrap(await store.bulkUpdateArticles(storeCaller, [{ articleId: 'a1', languageCode, title }]));
    // Before its first change a text has no time, and so no revision.
    await writeAsOther('Title', 'en');
    await writeAsOther('Titel', 'de');
    const items = published.map((languageCode) => ({ articleId: 'a1', languageCode }));
    if (items.length > 0) unwrap(await store.publishArticles(storeCaller, { items, userId: 'embedded-store' }));
    const backend = await open(store);
    const credentials = { serviceUrl: null, ownToken: TOKEN };
    const settings = { ...SETTINGS, bulkSize: 6 };
    const jobs = openGateway({ url: stateUrl(), backend, credentials, settings, clock: slowClock(120) });
    const caller = callerWith(TOKEN, 3_600_000);
    const read = async (languageCode = 'en') => {
      const request = { ...caller, request: callerWith(TOKEN).request };
      const [article] = await backend.articles(request, [{ articleId: 'a1', languageCode }]);
      return article?.ok ? article.value : null;
    };
    const expectedItem = async (languageCode: string) => {
      const article = await read(languageCode);
      if (article === null || !isPlaced(article)) throw new Error('The article is missing.');
      return { articleId: 'a1', languageCode, ifRevision: revisionOf(article) ?? '' };
    };
    const scene = { jobs, caller };
    const submitKeeping = async (keepBefore: KeepBefore, updates: readonly ArticleUpdate[], ifPublished?: JobRule) => {
      const part = { idempotencyKey: 'key', startIndex: 0, moreToCome: false, keepBefore, ifPublished, updates };
      return unwrap(await jobs.articleUpdateJobs.submit(caller, part)).job.jobId;
    };
    return { scene, read, submitKeeping, writeAsOther, en: await expectedItem('en'), de: await expectedItem('de') };
  }

  describe.each(['NEVER', 'ALWAYS'] as const)('with keepBefore %s', (keepBefore) => {
    it('takes what it writes itself for no change', async () => {
      const { scene, read, submitKeeping, en, de } = await openRevisionScene();
      const before = { en: await read('en'), de: await read('de') };
      const jobId = await submitKeeping(keepBefore, [
        { articleId: 'a2', title: 'Other' },
        { articleId: 'w1', content: 'Other text' },
        { ...en, title: 'First' },
        { ...en, content: 'Text' },
        { ...en, title: 'Last', hidden: true },
        { ...de, title: 'Neu' },
        { ...de, categoryId: 'bits' },
      ]);
      await untilJob(scene, jobId, { state: 'COMPLETED' });
      expect(await outcomesOf(scene, jobId)).toMatchObject(Array(7).fill({ kind: 'updated' }));
      expect(await read()).toMatchObject({ title: 'Last', content: 'Text', hidden: true, categoryId: 'bits' });
      expect(await read('de')).toMatchObject({ title: 'Neu' });
      if (keepBefore === 'NEVER') return;
      const { job } = unwrap(
        await scene.jobs.articleUpdateJobs.revert(scene.caller, { jobId, idempotencyKey: 'undo' }),
      );
      await untilJob(scene, job.jobId, { state: 'COMPLETED', counts: { updated: 4 } });
      for (const code of ['en', 'de'] as const) {
        const { modifiedAt: _, ...article } = before[code] ?? {};
        expect(await read(code)).toMatchObject(article);
      }
    });

    it.each([{ published: [] }, { published: ['en'] }, { published: ['de'] }, { published: ['en', 'de'] }])(
      'forks the published languages $published before it writes any',
      async ({ published }) => {
        const { scene, read, submitKeeping, en, de } = await openRevisionScene(published);
        const updates = [
          { ...en, title: 'New', hidden: true },
          { ...de, title: 'Neu' },
        ];
        const jobId = await submitKeeping(keepBefore, updates, { kind: 'FORK', userId: 'embedded-store' });
        await untilJob(scene, jobId, { state: 'COMPLETED' });
        expect(await outcomesOf(scene, jobId)).toMatchObject(Array(2).fill({ kind: 'updated' }));
        for (const [code, title] of [
          ['en', 'New'],
          ['de', 'Neu'],
        ] as const)
          expect(await read(code)).toMatchObject({ title, hidden: true, status: 'DRAFT' });
      },
    );

    it('sends none of them after somebody else has changed it', async () => {
      const { scene, read, submitKeeping, writeAsOther, en } = await openRevisionScene();
      await writeAsOther('Of somebody else', 'en');
      const jobId = await submitKeeping(keepBefore, [
        { ...en, title: 'First' },
        { ...en, content: 'Text' },
      ]);
      await untilJob(scene, jobId, { state: 'COMPLETED', counts: { notAttempted: 2 } });
      expect(await read()).toMatchObject({ title: 'Of somebody else' });
    });
  });
});
