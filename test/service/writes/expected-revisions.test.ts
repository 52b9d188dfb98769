import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LISTED_WITH_PUBLIC_VERSION } from '../../../src/core/articles/article-previews.ts';
import { isPlaced, revisionOf } from '../../../src/core/articles/revisions.ts';
import { envelope, json, status } from '../../support/faulty-service.ts';
import { callerWith, openAcceptedScene } from '../../support/rest-scene.ts';

const UPDATE = 'PUT /v2/Articles/bulkupdate';
const PUBLISH = 'POST /v2/Articles/bulkpublish/en';

const ARTICLE = {
  ...{ id: 'a', title: 'Title', hidden: false, status: 0, translation_option: 0, modified_at: '2026-01-01T00:00:00Z' },
  ...{ latest_version: 1, public_version: 0, version_number: 1, category_id: 'c', project_version_id: 'v' },
};

/** An article with its revision. The read of that is answered with these headers. */
async function openRevised(headers: Readonly<Record<string, string>> = {}) {
  const { service, backend } = await openAcceptedScene();
  let reads = 0;
  service.onAny(async (response) => {
    reads += 1;
    response.writeHead(200, { 'content-type': 'application/json', ...(reads === 1 && headers) });
    response.end(JSON.stringify(envelope(ARTICLE)));
  });
  service.on(UPDATE, json(200, envelope([{ article_id: 'a', success: true }])));
  const target = { articleId: 'a', languageCode: 'en' };
  const selection = { ...LISTED_WITH_PUBLIC_VERSION, withRevision: true };
  const read = await backend.articlesOfUpdates(callerWith(), [target], selection);
  const article = read.ok ? (read.value[0] ?? null) : null;
  const ifRevision = (article && isPlaced(article) && revisionOf(article)) ?? undefined;
  if (!ifRevision) throw new Error('The article has no revision.');
  const send = (isBackground: boolean) =>
    backend.bulkUpdateArticles({ ...callerWith(), isBackground }, [{ ...target, title: 'New', ifRevision }]);
  const publish = () => backend.publishArticles(callerWith(), { items: [{ ...target, ifRevision }], userId: 'u' });
  return { service, send, publish };
}

it.each([false, true])(
  'reads and writes where the first call shows whether a window has begun, for a job: %s',
  async (isJob) => {
    const { send } = await openRevised({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' });
    await setTimeout(1_100);
    expect(await send(isJob)).toMatchObject({ ok: true, value: { outcomes: [{ kind: 'updated' }] } });
  },
);

it('tells an earlier write with an unknown outcome that is not shown from a change', async () => {
  const { service, send } = await openRevised();
  service.on(UPDATE, status(500));
  expect(await send(false)).toMatchObject({ value: { outcomes: [{ kind: 'unknown' }] } });
  expect(await send(false)).toMatchObject({
    value: { outcomes: [{ kind: 'not-attempted', reason: 'UNAVAILABLE', retryAfterSeconds: 10 }] },
  });
});

it('publishes again after a publication with an unknown outcome, before which nothing else is sent', async () => {
  const { service, send, publish } = await openRevised();
  service.on(PUBLISH, status(500), json(200, envelope([{ article_id: 'a', success: true }])));
  expect(await publish()).toMatchObject({ value: { outcomes: [{ kind: 'unknown' }] } });
  expect(await send(false)).toMatchObject({ value: { outcomes: [{ kind: 'not-attempted', reason: 'UNAVAILABLE' }] } });
  await publish();
  expect(service.receivedOn(PUBLISH)).toHaveLength(2);
});

it('reads again where the answers of one comparison lie far apart', { tags: ['long'], timeout: 120_000 }, async () => {
  const { service, backend } = await openAcceptedScene();
  const titles = new Map([
    ['a', 'Title'],
    ['b', 'Title'],
  ]);
  let isSlow = false;
  service.onAny(async (response, { url = '' }) => {
    const id = url.includes('/a/') ? 'a' : 'b';
    const article = { ...ARTICLE, id, title: titles.get(id) };
    // Between the two answers, somebody else gives the first article another title.
    if (isSlow && id === 'b') {
      isSlow = false;
      await setTimeout(10_500);
      titles.set('a', 'Theirs');
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(envelope(article)));
  });
  service.on(UPDATE, json(200, envelope([{ article_id: 'b', success: true }])));
  const targets = ['a', 'b'].map((articleId) => ({ articleId, languageCode: 'en' }));
  const read = await backend.articlesOfUpdates(callerWith(), targets, {
    ...LISTED_WITH_PUBLIC_VERSION,
    withRevision: true,
  });
  if (!read.ok) throw new Error(read.error.message);
  const updates = targets.map((target, index) => {
    const article = read.value[index] ?? null;
    return { ...target, title: 'Mine', ifRevision: (article && isPlaced(article) && revisionOf(article)) || '' };
  });
  isSlow = true;
  expect(await backend.bulkUpdateArticles(callerWith(), updates)).toMatchObject({
    value: { outcomes: [{ kind: 'not-attempted', reason: 'CHANGED_SINCE' }, { articleId: 'b' }] },
  });
});
