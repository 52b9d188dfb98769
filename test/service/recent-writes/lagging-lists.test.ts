import { describe, expect, it } from 'vitest';
import { LISTED_WITH_PUBLIC_VERSION } from '../../../src/core/articles/article-previews.ts';
import { type LaggingOptions, serveLagging } from '../../support/lagging-service.ts';
import { callerWith, openScene } from '../../support/rest-scene.ts';

const IDS = ['a1', 'a2', 'a3'] as const;

/** As many articles as are looked for in lists. */
const ITEMS = IDS.map((articleId) => ({ articleId }));

async function open(lags: Partial<LaggingOptions> = {}, versionPausesMs: readonly number[] = []) {
  const { service, backend } = await openScene({ versionPausesMs });
  const lagging = serveLagging(service, { articleIds: IDS, listLag: 20, articleLag: 0, ...lags });
  const countWrites = () => service.received.filter(({ method }) => method !== 'GET').length;
  const publish = async (
    write: 'publishArticles' | 'unpublishArticles',
    items: readonly { articleId: string }[] = ITEMS,
  ) => {
    const written = await backend[write](callerWith(), { items, userId: 'user' });
    if (!written.ok) throw new Error(written.error.message);
    return written.value.outcomes.map((outcome) => {
      if (outcome.kind === 'not-attempted') return outcome.reason;
      return outcome.kind === 'updated' ? (outcome.evidence ?? outcome.publication) : outcome.kind;
    });
  };
  const read = async (caller = callerWith()) => {
    const articles = await backend.articlesOfUpdates(caller, ITEMS, LISTED_WITH_PUBLIC_VERSION);
    if (!articles.ok) throw new Error(articles.error.message);
    return articles.value;
  };
  const publicVersions = () => IDS.map((articleId) => lagging.state(articleId, 'en').publicVersion);
  return { service, backend, lagging, publish, read, countWrites, publicVersions };
}

const all = <T>(value: T) => IDS.map(() => value);

describe('a publication over lists that lag', () => {
  it('is sent after an unpublish that the lists do not show yet', async () => {
    const { publish, countWrites, publicVersions } = await open();
    expect(await publish('unpublishArticles')).toEqual(all('UNPUBLISHED'));
    expect(await publish('publishArticles')).toEqual(all('PUBLISHED'));
    expect([countWrites(), publicVersions()]).toEqual([2, all(3)]);
  });

  it('is sent after an unpublish also where the reads of articles lag', async () => {
    const { publish, countWrites, publicVersions } = await open({ articleLag: 20 });
    await publish('unpublishArticles');
    expect(await publish('publishArticles')).toEqual(all('PUBLISHED'));
    expect([countWrites(), publicVersions()]).toEqual([2, all(3)]);
    expect(await publish('unpublishArticles')).toEqual(all('UNPUBLISHED'));
    expect(publicVersions()).toEqual(all(0));
  });

  it('that was done already is told as read back, also where no read shows it yet', async () => {
    const { publish, publicVersions } = await open({ articleLag: 20 });
    await publish('unpublishArticles');
    expect(await publish('unpublishArticles')).toEqual(all('READ_BACK'));
    await publish('publishArticles');
    expect(await publish('publishArticles', [{ articleId: 'a1' }])).toEqual(['READ_BACK']);
    expect(publicVersions()).toEqual(all(3));
  });

  it('names the version that an update has made', async () => {
    const { backend, publish, publicVersions } = await open({ makesVersions: true });
    await backend.bulkUpdateArticles(
      callerWith(),
      ITEMS.map((item) => ({ ...item, title: 'New' })),
    );
    expect(await publish('publishArticles')).toEqual(all('PUBLISHED'));
    expect(publicVersions()).toEqual(all(4));
  });

  it('is sent once a read shows the version', async () => {
    const { backend, publish, publicVersions } = await open(
      { makesVersions: true, articleLag: 20 },
      Array.from({ length: 12 }, () => 1),
    );
    await backend.bulkUpdateArticles(
      callerWith(),
      ITEMS.map((item) => ({ ...item, title: 'New' })),
    );
    expect(await publish('publishArticles')).toEqual(all('PUBLISHED'));
    expect(publicVersions()).toEqual(all(4));
  });

  it('is not attempted where no read shows the version in time', async () => {
    const { backend, publish, countWrites } = await open({ makesVersions: true, articleLag: 20 });
    await backend.bulkUpdateArticles(
      callerWith(),
      ITEMS.map((item) => ({ ...item, title: 'New' })),
    );
    expect(await publish('publishArticles')).toEqual(all('UNAVAILABLE'));
    expect(countWrites()).toBe(1);
  });
});

describe('a read of what is there now', () => {
  it('takes the article itself where the list does not show a write, and the list again once it does', async () => {
    const { service, backend, lagging, read } = await open();
    await backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a1', title: ' New \r\n' }]);
    const countSingles = () => service.received.filter(({ url }) => url.startsWith('/v2/Articles/a')).length;
    expect((await read()).map((article) => article?.title)).toEqual([' New \r\n', 'a2 before', 'a3 before']);
    expect(countSingles()).toBe(1);
    lagging.pass(20);
    expect((await read()).map((article) => article?.title)).toEqual([' New \r\n', 'a2 before', 'a3 before']);
    expect(countSingles()).toBe(1);
  });

  it('takes what another client has written after that', async () => {
    const { backend, lagging, read } = await open();
    await backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a1', title: 'New' }]);
    lagging.edit('a1', 'en', { title: 'edited' });
    expect(await read()).toMatchObject([{ title: 'edited' }, {}, {}]);
    expect((await read())[0]?.unshown).toBeUndefined();
  });

  it('says that it is not known where the outcome of the write is unknown and no read shows it', async () => {
    const { backend, lagging, read } = await open({ articleLag: 20 });
    lagging.nextFate = 'cutAfter';
    await backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a1', title: 'New' }]);
    expect((await read()).map((article) => article?.unshown?.isUpdate)).toEqual([true, undefined, undefined]);
  });

  it('says that it is not known where it shows what a write with an unknown outcome has set', async () => {
    const { backend, lagging, read } = await open({ articleLag: 20 });
    lagging.edit('a1', 'en', { hidden: true });
    lagging.pass(20);
    await backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a1', hidden: false }]);
    lagging.nextFate = 'cutAfter';
    await backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a1', hidden: true }]);
    expect((await read())[0]).toMatchObject({ hidden: true, unshown: { isApplied: false } });
  });

  it('says that an update of a version which is newer than all it shows is missing', async () => {
    const { backend, read } = await open({ articleLag: 20 });
    await backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a1', versionNumber: 9, title: 'New' }]);
    expect((await read()).map((article) => article?.unshown?.isUpdate)).toEqual([true, undefined, undefined]);
  });

  it('compares hidden in all languages, and IDs without regard to case', async () => {
    const { service, backend } = await open();
    await backend.bulkUpdateArticles(callerWith(), [{ articleId: 'A1', languageCode: 'de', hidden: true }]);
    const items = IDS.map((articleId) => ({ articleId, hidden: true }));
    await backend.articlesOfUpdates(callerWith(), items, LISTED_WITH_PUBLIC_VERSION);
    expect(service.received.filter(({ url }) => url.startsWith('/v2/Articles/a1/en'))).toHaveLength(1);
  });

  it('compares nothing that other tokens have written', async () => {
    const { backend, read } = await open();
    await backend.bulkUpdateArticles(callerWith('token-2'), [{ articleId: 'a1', title: 'New' }]);
    expect((await read())[0]?.title).toBe('a1 before');
  });
});
