import { describe, expect, it } from 'vitest';
import type { CompletedBulkUpdate } from '../../../src/core/articles/article-outcomes.ts';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import type { Caller } from '../../../src/core/callers/caller.ts';
import type { RestBackendOptions } from '../../../src/service/rest-backend.ts';
import { type Behaviour, envelope, json, status } from '../../support/faulty-service.ts';
import { callerWith, openAcceptedScene, type Scene } from '../../support/rest-scene.ts';

interface StoredArticle {
  hidden: boolean;
  readonly version?: 'v1' | 'v2';
  /** False for an article that is in no tree. */
  readonly isInCategory?: boolean;
}

const LANGUAGES = [
  { code: 'en', name: 'en', set_as_default: true },
  { code: 'de', name: 'de', set_as_default: false },
];
const VERSIONS = ['v1', 'v2'].map((id) => ({
  id,
  version_code_name: id,
  is_main_version: id === 'v1',
  language_versions: LANGUAGES,
}));

const missing = json(400, { success: false, errors: [{ description: 'Article not found.', error_code: '400' }] });

interface Options extends Partial<RestBackendOptions> {
  /** The answer to each read, where it is not the service's own. */
  readonly reads?: Behaviour;
}

/** A service that shows an article whenever an update leaves `hidden` out, as its papers allow. */
async function openService(stored: Readonly<Record<string, StoredArticle>>, { reads, ...options }: Options = {}) {
  const scene = await openAcceptedScene({
    keepsHidden: true,
    readCacheMs: 30_000,
    readCacheBytes: 1_000_000,
    ...options,
  });
  const articles = new Map(Object.entries(stored));
  const listed = (version: string, isTree: boolean) =>
    [...articles].flatMap(([id, { hidden, version: own = 'v1', isInCategory = true }]) =>
      own === version && (isInCategory || !isTree)
        ? [{ id, title: id, hidden, language_code: 'en', latest_version: 1, public_version: 0, status: 0 }]
        : [],
    );
  const answers: readonly (readonly [RegExp, (parts: RegExpExecArray) => Behaviour])[] = [
    [/^\/v2\/ProjectVersions$/u, () => json(200, envelope(VERSIONS))],
    [
      /^\/v2\/ProjectVersions\/(\w+)\/categories/u,
      ([, id = '']) =>
        json(200, envelope([{ id: `c-${id}`, name: 'c', articles: listed(id, true), child_categories: [] }])),
    ],
    [/^\/v2\/ProjectVersions\/(\w+)\/articles/u, ([, id = '']) => json(200, envelope(listed(id, false)))],
    [
      /^\/v2\/Articles\/([\w-]+)\/(\w+)/u,
      ([, id = '', language]) => {
        const article = articles.get(id);
        if (article === undefined) return missing;
        const { hidden, version = 'v1' } = article;
        const isFallback = language !== 'en';
        return json(200, envelope({ id, hidden, project_version_id: version, is_fall_back_content: isFallback }));
      },
    ],
  ];
  scene.service.onAny(async (response, request) => {
    if (request.method === 'GET') {
      const [pattern, answer] = answers.find(([path]) => path.test(request.url)) ?? [];
      const parts = pattern?.exec(request.url);
      await (reads ?? (answer && parts ? answer(parts) : status(404)))(response, request);
      return;
    }
    const items = Array.isArray(request.body) ? request.body : [];
    for (const { article_id: id, hidden = false } of items) {
      const article = articles.get(id);
      if (article) article.hidden = hidden;
    }
    const data = items.map(({ article_id }) => ({ article_id, success: articles.has(article_id) }));
    await json(200, envelope(data))(response, request);
  });
  return { ...scene, isHidden: (id: string) => articles.get(id)?.hidden };
}

const callsOf = ({ service }: Pick<Scene, 'service'>) =>
  service.received.map(({ method, url }) => `${method} ${url.split('?')[0]?.replace('/v2/', '')}`);

const titled = (...ids: readonly string[]): readonly ArticleUpdate[] =>
  ids.map((articleId) => ({ articleId, title: 'New', languageCode: 'en' }));

async function update(scene: Scene, updates: readonly ArticleUpdate[], caller: Caller = callerWith()) {
  const result = await scene.backend.bulkUpdateArticles(caller, updates);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const kindsOf = ({ outcomes }: CompletedBulkUpdate) =>
  outcomes.map((outcome) => (outcome.kind === 'not-attempted' ? outcome.reason : outcome.kind));

const job = (): Caller => ({ ...callerWith(), isBackground: true });

const callers = [
  ['a request', () => callerWith()],
  ['a job', job],
] as const;

describe.each(callers)('an update of %s without hidden', (_name, callerOf) => {
  it('costs one read for one article, and is sent with hidden: true where the article is hidden', async () => {
    const scene = await openService({ h: { hidden: true }, s: { hidden: false } });
    await update(scene, titled('h'), callerOf());
    await update(scene, titled('s'), callerOf());
    expect([scene.isHidden('h'), scene.isHidden('s')]).toEqual([true, false]);
    expect(callsOf(scene)).toEqual([
      'GET Articles/h/en',
      'PUT Articles/bulkupdate',
      'GET Articles/s/en',
      'PUT Articles/bulkupdate',
    ]);
    expect(scene.service.received.at(-1)?.body).toEqual([{ article_id: 's', lang_code: 'en', title: 'New' }]);
  });

  it('finds an article without a text in its language, and one that names no language', async () => {
    const scene = await openService({ h: { hidden: true }, i: { hidden: true } });
    await update(scene, [{ articleId: 'h', languageCode: 'de', title: 'Neu' }], callerOf());
    await update(scene, [{ articleId: 'i', title: 'New' }], callerOf());
    expect([scene.isHidden('h'), scene.isHidden('i')]).toEqual([true, true]);
    expect(callsOf(scene).filter((call) => call.startsWith('GET'))).toEqual([
      'GET Articles/h/de',
      'GET ProjectVersions',
      'GET Articles/i/en',
    ]);
  });

  it('costs the project versions, a tree for each version and a probe for several articles', async () => {
    const scene = await openService({
      a: { hidden: true },
      b: { hidden: false },
      c: { hidden: true, version: 'v2' },
      d: { hidden: true, version: 'v2' },
    });
    await update(scene, titled('a', 'b', 'c', 'd'), callerOf());
    expect(['a', 'b', 'c', 'd'].map(scene.isHidden)).toEqual([true, false, true, true]);
    expect(callsOf(scene)).toEqual([
      'GET ProjectVersions',
      'GET ProjectVersions/v1/categories',
      'GET Articles/c/en',
      'GET ProjectVersions/v2/categories',
      'PUT Articles/bulkupdate',
    ]);
  });

  it('finds articles without a category, and sends those that do not exist as they are', async () => {
    const lonely = ['l1', 'l2', 'l3', 'l4', 'l5'];
    const scene = await openService({
      a: { hidden: false },
      ...Object.fromEntries(lonely.map((id) => [id, { hidden: true, isInCategory: false }])),
    });
    const { outcomes } = await update(scene, titled('a', 'gone-1', 'gone-2', ...lonely), callerOf());
    expect(outcomes.map(({ kind }) => kind)).toEqual(['updated', 'failed', 'failed', ...lonely.map(() => 'updated')]);
    expect(lonely.map(scene.isHidden)).toEqual(lonely.map(() => true));
    expect(callsOf(scene).filter((call) => call.startsWith('GET Articles'))).toHaveLength(3);
    expect(callsOf(scene).filter((call) => call.endsWith('/articles'))).toHaveLength(1);
  });

  it.each([
    ['one', ['h']],
    ['several', ['h', 'i', 's']],
  ])('is not attempted where the read of %s fails, while items that set hidden are sent', async (_count, ids) => {
    const scene = await openService({ h: { hidden: true }, o: { hidden: true } }, { reads: status(500) });
    const written = await update(
      scene,
      [...titled(...ids), { articleId: 'o', hidden: true, title: 'New' }],
      callerOf(),
    );
    expect(kindsOf(written)).toEqual([...ids.map(() => 'UNAVAILABLE'), 'updated']);
    expect(scene.service.received.at(-1)?.body).toHaveLength(1);
    expect(scene.isHidden('h')).toBe(true);
  });

  it.each([
    ['one', ['h']],
    ['several', ['h', 'i', 's']],
  ])('is sent as it is, which is told, where the token may not read %s', async (_count, ids) => {
    const articles = Object.fromEntries(ids.map((id) => [id, { hidden: true }]));
    const forbidden = json(403, { success: false, errors: [{ description: 'No.', error_code: '403' }] });
    const scene = await openService(articles, { reads: forbidden });
    const { outcomes } = await update(scene, titled(...ids), callerOf());
    expect(outcomes).toMatchObject(ids.map(() => ({ kind: 'updated', isHiddenUnknown: true })));
    expect(scene.service.received.at(-1)?.body).toEqual(
      ids.map((id) => ({ article_id: id, lang_code: 'en', title: 'New' })),
    );
  });

  it('keeps what an earlier item of the request has set, whatever reads show, and reads nothing for it', async () => {
    const scene = await openService({ a: { hidden: false }, B: { hidden: false } }, { reads: status(500) });
    await update(scene, [{ articleId: 'a', hidden: true }, ...titled('a', 'A')], callerOf());
    await update(scene, [{ articleId: 'B', hidden: true }, ...titled('b')], callerOf());
    expect([...new Set(callsOf(scene))]).toEqual(['PUT Articles/bulkupdate']);
    const sent = scene.service.received.flatMap(({ body }) => body);
    expect(sent).toMatchObject(['a', 'a', 'A', 'B', 'b'].map((article_id) => ({ article_id, hidden: true })));
  });

  it('shows an article again that a caller has shown', async () => {
    const scene = await openService({ a: { hidden: true } });
    await update(scene, [{ articleId: 'a', hidden: false }], callerOf());
    await update(scene, titled('a'), callerOf());
    expect(scene.isHidden('a')).toBe(false);
    expect(callsOf(scene)).toHaveLength(2);
  });
});

describe('the reads of hidden articles', () => {
  const many = Array.from({ length: 50 }, (_, n) => `a${n}`);
  const stored = () => Object.fromEntries(many.map((id, n) => [id, { hidden: n % 2 === 0 }]));

  it('are made once for all updates of half a minute, though each of these is a write', async () => {
    const scene = await openService(stored(), { bulkSize: 10 });
    await Promise.all([0, 10, 20].map((start) => update(scene, titled(...many.slice(start, start + 10)))));
    await update(scene, titled(...many));
    for (const id of many) await update(scene, titled(id));
    expect(callsOf(scene).filter((call) => call.startsWith('GET'))).toEqual([
      'GET ProjectVersions',
      'GET ProjectVersions/v1/categories',
    ]);
    expect(many.map(scene.isHidden)).toEqual(many.map((_, n) => n % 2 === 0));
  });

  it('are made for each call of a job, past what is known', async () => {
    const scene = await openService(stored());
    await update(scene, titled('a0'));
    await update(scene, titled('a0'), job());
    expect(callsOf(scene).filter((call) => call === 'GET Articles/a0/en')).toHaveLength(2);
  });

  it('are made anew with READ_CACHE_SECONDS=0, and for a request that asks for it', async () => {
    const scene = await openService(stored(), { readCacheMs: 0 });
    await update(scene, titled('a0'));
    await update(scene, titled('a0'));
    expect(callsOf(scene)).toHaveLength(4);
    const cached = await openService(stored());
    const caller = callerWith();
    await update(cached, titled('a0'));
    const freshness = { maxAgeMs: 0, mayBeKept: true };
    await update(cached, titled('a0'), { ...caller, request: { ...caller.request, freshness } });
    expect(callsOf(cached)).toHaveLength(4);
  });

  it('are not kept for another token', async () => {
    const scene = await openService(stored());
    await update(scene, titled('a0'));
    await update(scene, titled('a0'), callerWith('token-2'));
    expect(callsOf(scene)).toHaveLength(4);
  });

  it('count less than what another token has set since', async () => {
    const scene = await openService({ a: { hidden: false } });
    await update(scene, titled('a'));
    await update(scene, [{ articleId: 'a', hidden: true }], callerWith('token-2'));
    await update(scene, titled('a'));
    expect(scene.isHidden('a')).toBe(true);
  });

  /** Updates a0, which is hidden, and others after a write of `hidden` whose outcome is unknown. */
  async function updateAfterUnknown(hidden: boolean, ids: readonly string[], callerOf: () => Caller = callerWith) {
    const scene = await openService(stored());
    await update(scene, titled('a0'));
    scene.service.on('PUT /v2/Articles/bulkupdate', status(500));
    await scene.backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a0', hidden }]);
    scene.service.forget('PUT /v2/Articles/bulkupdate');
    const before = callsOf(scene).length;
    const outcomes = kindsOf(await update(scene, titled(...ids), callerOf()));
    return { outcomes, calls: callsOf(scene).slice(before), sent: scene.service.received.at(-1)?.body };
  }

  it.each(callers)(
    'settle no write with an unknown outcome that they may not show yet, for %s',
    async (_name, caller) => {
      expect(await updateAfterUnknown(false, ['a0'], caller)).toMatchObject({
        outcomes: ['UNAVAILABLE'],
        calls: ['GET Articles/a0/en'],
      });
      expect(await updateAfterUnknown(false, ['a0', 'a1', 'a2'], caller)).toMatchObject({
        outcomes: ['UNAVAILABLE', 'updated', 'updated'],
        sent: [{ article_id: 'a1' }, { article_id: 'a2' }],
      });
    },
  );

  it('settle it where they show what it has set', async () => {
    expect(await updateAfterUnknown(true, ['a0'])).toMatchObject({ outcomes: ['updated'], sent: [{ hidden: true }] });
  });

  it('count above what the gateway has set before them, since another one may have run the job meanwhile', async () => {
    const articles = { a: { hidden: false } };
    const scene = await openService(articles, { readLagsMs: { list: 60_000, article: 0 } });
    await update(scene, [{ articleId: 'a', hidden: true }]);
    articles.a.hidden = false;
    await update(scene, titled('a'), job());
    expect(scene.service.received.at(-1)?.body).toEqual([{ article_id: 'a', lang_code: 'en', title: 'New' }]);
  });

  it('count less than what was written while they were made', async () => {
    const shown = json(200, envelope({ id: 'a1', hidden: false, project_version_id: 'v1' }));
    const scene = await openService(stored(), {
      reads: async (response, request) => {
        await update(scene, [{ articleId: 'a1', hidden: true }]);
        await shown(response, request);
      },
    });
    await update(scene, titled('a1'));
    expect(scene.service.received.at(-1)?.body).toMatchObject([{ article_id: 'a1', hidden: true }]);
  });

  it('are none with KEEP_HIDDEN=off, nor where all items set hidden', async () => {
    const off = await openService(stored(), { keepsHidden: false });
    await update(off, titled(...many));
    expect(callsOf(off)).toEqual(['PUT Articles/bulkupdate']);
    expect(off.isHidden('a0')).toBe(false);
    const on = await openService(stored());
    await update(
      on,
      many.map((articleId) => ({ articleId, hidden: true, title: 'New' })),
    );
    expect(callsOf(on)).toEqual(['PUT Articles/bulkupdate']);
  });

  it('fail as the write itself where the token is not accepted', async () => {
    const scene = await openService(stored(), { reads: status(401) });
    const result = await scene.backend.bulkUpdateArticles(callerWith(), titled('a0'));
    expect(result).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
    expect(callsOf(scene)).toEqual(['GET Articles/a0/en']);
  });
});
