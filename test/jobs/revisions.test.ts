import { describe, expect, it, onTestFinished } from 'vitest';
import { isPlaced, revisionOf } from '../../src/core/articles/revisions.ts';
import type { Backend } from '../../src/core/backend.ts';
import { silentLog } from '../../src/core/base/log.ts';
import type { Caller } from '../../src/core/callers/caller.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import { openStore, caller as storeCaller } from '../store/store.ts';
import { startGateway } from '../support/gateway.ts';
import { callerWith } from '../support/rest-scene.ts';
import { openGateway, outcomesOf, stateUrl, submit, untilJob, unwrap } from './harness.ts';

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
  async function openRevisionScene() {
    const { backend: store } = await openStore();
    const writeAsOther = async (title: string) =>
      unwrap(await store.bulkUpdateArticles(storeCaller, [{ articleId: 'a1', title }]));
    // Before its first change an article has no time, and so no revision.
    await writeAsOther('Title');
    const backend = await open(store);
    const jobs = openGateway({ url: stateUrl(), backend, credentials: { serviceUrl: null, ownToken: TOKEN } });
    const caller = callerWith(TOKEN, 3_600_000);
    const read = async () => {
      const [article] = await backend.articles(reader(caller), [{ articleId: 'a1' }]);
      return article?.ok ? article.value : null;
    };
    const article = await read();
    const ifRevision = article !== null && isPlaced(article) ? (revisionOf(article) ?? '') : '';
    return { jobs, caller, read, ifRevision, writeAsOther };
  }

  it('takes what it writes itself for no change', async () => {
    const { ifRevision, read, ...scene } = await openRevisionScene();
    const item = { articleId: 'a1', ifRevision };
    const { jobId } = await submit(scene, [
      { articleId: 'a2', title: 'Other' },
      { ...item, title: 'First' },
      { ...item, content: 'Text' },
      { ...item, title: 'Last', hidden: true },
    ]);
    await untilJob(scene, jobId, { state: 'COMPLETED' });
    expect(await outcomesOf(scene, jobId)).toMatchObject(Array(4).fill({ kind: 'updated' }));
    expect(await read()).toMatchObject({ title: 'Last', content: 'Text', hidden: true });
  });

  it('sends none of them after somebody else has changed it', async () => {
    const { ifRevision, read, writeAsOther, ...scene } = await openRevisionScene();
    await writeAsOther('Of somebody else');
    const item = { articleId: 'a1', ifRevision };
    const { jobId } = await submit(scene, [
      { ...item, title: 'First' },
      { ...item, content: 'Text' },
    ]);
    await untilJob(scene, jobId, { state: 'COMPLETED', counts: { notAttempted: 2 } });
    expect(await read()).toMatchObject({ title: 'Of somebody else' });
  });
});

const reader = (caller: Caller): Caller => ({ ...caller, request: callerWith(TOKEN).request });
