import { describe, expect, it } from 'vitest';
import type { ArticleUpdateItem } from '../../../src/core/articles/forks.ts';
import type { RestBackendOptions } from '../../../src/service/rest-backend.ts';
import { type ForkingOptions, ForkingService, type WriteMode } from '../../support/forking-service.ts';
import { callerWith, openScene } from '../../support/rest-scene.ts';

const FORK = { kind: 'FORK', userId: 'u1' } as const;
const NEW_TITLE = { articleId: 'a1', title: 'New', ifPublished: FORK } as const;

async function open(options: ForkingOptions = {}, backendOptions: Partial<RestBackendOptions> = {}) {
  const { service, backend } = await openScene({ versionPausesMs: [], ...backendOptions });
  const forking = new ForkingService(service, options);
  const update = async (...items: readonly ArticleUpdateItem[]) => {
    const result = await backend.bulkUpdateArticles(callerWith(), items);
    return result.ok ? result.value.outcomes : [{ kind: result.error.kind, details: result.error.message }];
  };
  return { service, backend, forking, update };
}

interface Ending {
  readonly outcome: object;
  readonly puts: { readonly fork: number; readonly bulkupdate: number };
  /** The version that has the new title afterwards; null where none has. */
  readonly changed: number | null;
}

const NOT_CHANGED = expect.stringMatching(/^Version 3 was made as a draft, and was not changed\. /u);
const MAYBE_CHANGED = expect.stringMatching(/^Version 3 was made as a draft, and may not have been changed\. /u);

/** The endings of an update of a draft. A call that is refused as a whole is an error of the write. */
const OF_DRAFT: Readonly<Record<WriteMode, Ending>> = {
  answered: { outcome: { kind: 'updated' }, puts: { fork: 0, bulkupdate: 1 }, changed: 2 },
  refused: { outcome: { kind: 'rejected' }, puts: { fork: 0, bulkupdate: 1 }, changed: null },
  'cut-before': { outcome: { kind: 'unknown' }, puts: { fork: 0, bulkupdate: 1 }, changed: null },
  'cut-after': { outcome: { kind: 'unknown' }, puts: { fork: 0, bulkupdate: 1 }, changed: 2 },
};

const draftVersionNumber = 3;
const both = { fork: 1, bulkupdate: 1 };

/** The endings of an update of a published version whose fork was made. */
const OF_FORK: Readonly<Record<WriteMode, Ending>> = {
  answered: { outcome: { kind: 'updated', draftVersionNumber }, puts: both, changed: 3 },
  refused: { outcome: { kind: 'failed', draftVersionNumber, details: NOT_CHANGED }, puts: both, changed: null },
  'cut-before': { outcome: { kind: 'unknown', draftVersionNumber, details: MAYBE_CHANGED }, puts: both, changed: null },
  'cut-after': { outcome: { kind: 'unknown', draftVersionNumber, details: MAYBE_CHANGED }, puts: both, changed: 3 },
};

const unsent = (kind: string): Ending => ({ outcome: { kind }, puts: { fork: 1, bulkupdate: 0 }, changed: null });

const MODES = ['answered', 'refused', 'cut-before', 'cut-after'] as const satisfies readonly WriteMode[];

/** The endings of an update of a published version, by what becomes of its fork and of its own call. */
const OF_PUBLISHED: Readonly<Record<WriteMode, (update: WriteMode) => Ending>> = {
  answered: (update) => OF_FORK[update],
  refused: () => unsent('failed'),
  'cut-before': () => unsent('unknown'),
  'cut-after': (update) => OF_FORK[update],
};

const CASES = [true, false].flatMap((isPublished) =>
  [undefined, 2].flatMap((versionNumber) =>
    [undefined, 'de'].flatMap((languageCode) =>
      MODES.flatMap((fork) => MODES.map((update) => ({ isPublished, versionNumber, languageCode, fork, update }))),
    ),
  ),
);

describe('an update of a version that may be published', () => {
  it.each(CASES)('ends truly, and sends what it says: %j', async ({ versionNumber, languageCode, ...modes }) => {
    const { forking, update } = await open(modes);
    const [outcome] = await update({ ...NEW_TITLE, versionNumber, languageCode });
    const ending = modes.isPublished ? OF_PUBLISHED[modes.fork](modes.update) : OF_DRAFT[modes.update];
    const versions = forking.texts[languageCode ?? 'en']?.versions ?? [];
    const changed = versions.find(({ title }) => title === 'New')?.version_number ?? null;
    expect({ outcome, puts: forking.puts, changed }).toMatchObject(ending);
  });

  it('is sent to the draft by its number and its language, with the text of the version as its base', async () => {
    const { service, update } = await open();
    await update(NEW_TITLE);
    const [fork, sent] = service.received.filter(({ method }) => method === 'PUT');
    expect(fork).toMatchObject({
      url: '/v2/Articles/a1/fork',
      body: { version_number: 2, user_id: 'u1', lang_code: 'en' },
    });
    expect(sent?.body).toEqual([{ article_id: 'a1', title: 'New', lang_code: 'en', version_number: 3 }]);
  });

  it('is not sent with SKIP, and no fork is made', async () => {
    const { forking, update } = await open();
    const items = [
      { articleId: 'a1', title: 'New' },
      { articleId: 'a1', hidden: true },
    ];
    expect(await update(...items.map((item) => ({ ...item, ifPublished: { kind: 'SKIP' as const } })))).toMatchObject([
      { kind: 'not-attempted', reason: 'PUBLISHED' },
      { kind: 'updated' },
    ]);
    expect(forking.puts).toEqual({ fork: 0, bulkupdate: 1 });
  });

  it('is forked once for several items of a version, and once for each language', async () => {
    const { forking, update } = await open();
    const { ifPublished } = NEW_TITLE;
    const outcomes = await update(
      NEW_TITLE,
      { articleId: 'a1', versionNumber: 2, content: 'New', ifPublished },
      { articleId: 'a1', languageCode: 'de', title: 'Neu', ifPublished },
      { articleId: 'A1', languageCode: 'EN', content: 'Newer', ifPublished },
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['updated', 'updated', 'updated', 'updated']);
    expect(forking.puts.fork).toBe(2);
    expect(forking.texts['en']?.versions).toHaveLength(3);
  });
});

describe('a fork whose outcome is unknown', () => {
  it('takes no draft that was made long before', async () => {
    const { forking, update } = await open({ fork: 'cut-before' });
    forking.addDraft('de', 2, '2020-02-01T00:00:00Z');
    expect(await update({ ...NEW_TITLE, languageCode: 'de', versionNumber: 2 })).toMatchObject([{ kind: 'unknown' }]);
    expect(forking.puts).toEqual({ fork: 1, bulkupdate: 0 });
  });

  it('takes none of two drafts, and none of another version', async () => {
    const { forking, update } = await open({ fork: 'cut-after' });
    forking.addDraft('de', 2, new Date(Date.now() + 1_000).toISOString());
    expect(await update({ ...NEW_TITLE, languageCode: 'de', versionNumber: 2 })).toMatchObject([{ kind: 'unknown' }]);
    const other = await open({ fork: 'cut-before' });
    other.forking.addDraft('de', 1, new Date().toISOString());
    expect(await other.update({ ...NEW_TITLE, languageCode: 'de', versionNumber: 2 })).toMatchObject([
      { kind: 'unknown' },
    ]);
  });

  it('is looked for again while the list is late', async () => {
    const { service, forking, update } = await open({ fork: 'cut-after' }, { lookPausesMs: [10, 20, 40] });
    let reads = 0;
    service.on('GET /v2/Articles/a1/en/versions', (response, request) => {
      reads += 1;
      const shown = reads < 3 ? [] : forking.texts['en']?.versions;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ success: true, data: shown, url: request.url }));
    });
    expect(await update(NEW_TITLE)).toMatchObject([{ kind: 'updated', draftVersionNumber: 3 }]);
    expect(reads).toBe(3);
  });
});
