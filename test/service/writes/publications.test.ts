import { describe, expect, it } from 'vitest';
import type { UpdateTarget } from '../../../src/core/articles/bulk-updates.ts';
import type { PublicationWrite } from '../../../src/core/articles/publications.ts';
import type { RestBackendOptions } from '../../../src/service/rest-backend.ts';
import { type Behaviour, cutWithin, envelope, hang, json, reset, status } from '../../support/faulty-service.ts';
import { queryCaller } from '../../support/read-cache-scene.ts';
import { callerWith, openAcceptedScene, openScene } from '../../support/rest-scene.ts';
import { type ServiceEdition, serveEditions } from '../../support/service-editions.ts';

type Articles = Record<string, { public_version?: number; latest_version?: number }>;

const draft = { public_version: 0 };
const isPublic = { public_version: 3 };

const editionOf = (projectVersionId: string, languageCode: string, articles: Articles): ServiceEdition => ({
  projectVersionId,
  languageCode,
  articles,
});

const draftsOf = (prefix: string, count: number): Articles =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, draft]));

const METHODS = { publishArticles: 'POST', unpublishArticles: 'DELETE' } as const;

interface Scenario extends Partial<RestBackendOptions> {
  readonly write?: PublicationWrite;
  readonly editions?: readonly ServiceEdition[];
  readonly items: readonly (string | UpdateTarget)[];
  /** The answers to the calls of each language, or to all. */
  readonly answers?: readonly Behaviour[];
  readonly waitMs?: number;
}

async function run({ write = 'publishArticles', editions, items, answers = [accepted], waitMs, ...options }: Scenario) {
  const { service, backend } = await openScene(options);
  const caller = callerWith('token-1', waitMs);
  const served = editions ?? [editionOf('v1', 'en', draftsOf('a', 9))];
  service.onAny(serveEditions(served));
  for (const languageCode of ['en', 'de'])
    service.on(`${METHODS[write]} /v2/Articles/bulkpublish/${languageCode}`, ...answers);
  const targets = items.map((item) => (typeof item === 'string' ? { articleId: item } : item));
  const result = await backend[write](caller, { items: targets, userId: 'u1', message: 'Ready' });
  const calls = service.received.filter(({ method }) => method !== 'GET');
  return {
    service,
    result,
    outcomes: result.ok ? result.value.outcomes : [],
    kinds: result.ok ? result.value.outcomes.map(({ kind }) => kind) : result.error.kind,
    calls,
    reads: service.received.length - calls.length,
    /** The articles of each call, with its path. */
    sent: calls.map(({ url, body }) => [
      decodeURIComponent(url.split('/').at(-1) ?? ''),
      entriesOf(body).map((entry) => Object(entry).article_id),
    ]),
    caller,
  };
}

const entriesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : Object(body).articles);

const accepted: Behaviour = (response, request) => {
  const data = entriesOf(request.body).map((entry) => ({ ...Object(entry), success: true, details: 'Done.' }));
  return json(200, envelope(data))(response, request);
};

const refusal = (description: string, httpStatus = 400): Behaviour =>
  json(httpStatus, { success: false, errors: [{ description, error_code: '400' }] });

const ALREADY = 'Failed to publish article with an id a1\r\nError: Article has already been published.';

/** Sets public versions, as the service may before it refuses a call, and then answers. */
const afterChanging =
  (articles: Articles, changes: Articles, answer: Behaviour): Behaviour =>
  (response, request) => {
    Object.assign(articles, changes);
    return answer(response, request);
  };

describe('the calls of publications', () => {
  it('have at most a hundred items, however many an update may have', async () => {
    const editions = [editionOf('v1', 'en', draftsOf('a', 150))];
    const { sent } = await run({ editions, items: Object.keys(draftsOf('a', 150)), bulkSize: 500 });
    expect(sent.map(([, articleIds]) => articleIds?.length)).toEqual([100, 50]);
  });

  it('name the version, the user and the message of each item', async () => {
    const { calls, outcomes, result } = await run({ items: ['a0', { articleId: 'a1', versionNumber: 2 }] });
    expect(calls).toMatchObject([
      {
        method: 'POST',
        url: '/v2/Articles/bulkpublish/en',
        headers: { 'content-type': 'application/json' },
        body: [
          { article_id: 'a0', user_id: 'u1', version_number: 3, publish_message: 'Ready' },
          { article_id: 'a1', user_id: 'u1', version_number: 2, publish_message: 'Ready' },
        ],
      },
    ]);
    expect(outcomes).toEqual(
      ['a0', 'a1'].map((articleId) => ({ kind: 'updated', articleId, details: 'Done.', publication: 'PUBLISHED' })),
    );
    expect(result).toMatchObject({ ok: true, value: { serviceErrors: [], warnings: [], extensionData: null } });
  });

  it('unpublish the public version by DELETE with a body, which names the project version', async () => {
    const editions = [editionOf('v1', 'en', { a0: { public_version: 2 } })];
    const { calls, outcomes } = await run({ write: 'unpublishArticles', editions, items: ['a0'] });
    expect(calls).toMatchObject([
      {
        method: 'DELETE',
        url: '/v2/Articles/bulkpublish/en',
        headers: { 'content-type': 'application/json', 'content-length': expect.stringMatching(/^\d+$/u) },
        body: {
          articles: [{ article_id: 'a0', version_number: 2 }],
          user_id: 'u1',
          project_version_id: 'v1',
          unpublish_message: 'Ready',
        },
      },
    ]);
    expect(outcomes).toEqual([{ kind: 'updated', articleId: 'a0', details: 'Done.', publication: 'UNPUBLISHED' }]);
  });

  it('are one for each project version and language, in the order of their first items, and outcomes keep that of the items', async () => {
    const editions = [
      editionOf('v1', 'en', draftsOf('a', 4)),
      editionOf('v1', 'de', draftsOf('a', 4)),
      editionOf('v2', 'de', draftsOf('b', 4)),
    ];
    const de = (articleId: string) => ({ articleId, languageCode: 'de' });
    const { sent, outcomes } = await run({ editions, items: ['b0', 'a0', de('a1'), 'b1', 'gone', 'a1', de('a0')] });
    expect(sent).toEqual([
      ['de', ['b0', 'b1']],
      ['en', ['a0', 'a1']],
      ['de', ['a1', 'a0']],
    ]);
    expect(outcomes.map(({ articleId, kind }) => [articleId, kind])).toEqual([
      ['b0', 'updated'],
      ['a0', 'updated'],
      ['a1', 'updated'],
      ['b1', 'updated'],
      ['gone', 'failed'],
      ['a1', 'updated'],
      ['a0', 'updated'],
    ]);
  });

  it('hold no article twice, and no more items than one call may', async () => {
    const items = ['a0', 'a1', 'a2', { articleId: 'a0', versionNumber: 1 }, 'a3'];
    const { sent, kinds } = await run({ items, bulkSize: 3 });
    expect(sent).toEqual([
      ['en', ['a0', 'a1', 'a2']],
      ['en', ['a0', 'a3']],
    ]);
    expect(kinds).toEqual(['updated', 'updated', 'updated', 'updated', 'updated']);
  });

  it('are not made for what does not exist, nor for what is as asked for', async () => {
    const editions = [editionOf('v1', 'en', { a0: isPublic, a1: draft })];
    const published = await run({ editions, items: ['a0', 'gone', { articleId: 'a1', languageCode: 'de' }] });
    expect(published.calls).toEqual([]);
    expect(published.outcomes).toMatchObject([
      { kind: 'updated', details: 'Article has already been published.', evidence: 'READ_BACK' },
      { kind: 'failed', details: 'Failed to publish article with an id gone\r\nError: There is no such article.' },
      { kind: 'failed', details: expect.stringContaining('or not in this language') },
    ]);
    const unpublished = await run({ write: 'unpublishArticles', editions, items: ['a1'] });
    expect(unpublished.calls).toEqual([]);
    expect(unpublished.outcomes).toMatchObject([{ evidence: 'READ_BACK', publication: 'UNPUBLISHED' }]);
  });

  it('are made for what an earlier item of the request changes', async () => {
    const editions = [editionOf('v1', 'en', { a0: isPublic })];
    const { sent } = await run({ editions, items: [{ articleId: 'a0', versionNumber: 1 }, 'a0'] });
    expect(sent).toEqual([
      ['en', ['a0']],
      ['en', ['a0']],
    ]);
  });
});

describe('the reads of publications', () => {
  it('come from lists, for many articles at once', async () => {
    const editions = [editionOf('v1', 'en', draftsOf('a', 250))];
    const { reads, calls, kinds } = await run({ editions, items: Object.keys(draftsOf('a', 250)) });
    expect([reads, calls.length]).toEqual([2, 3]);
    expect(new Set(kinds)).toEqual(new Set(['updated']));
  });

  it('pass the read cache by, whoever the caller is', async () => {
    const { service, backend } = await openAcceptedScene({ readCacheMs: 60_000, readCacheBytes: 1_000_000 });
    const articles: Articles = { a0: isPublic };
    service.onAny(serveEditions([editionOf('v1', 'en', articles)]));
    service.on('POST /v2/Articles/bulkpublish/en', accepted);
    const items = [{ articleId: 'a0', languageCode: 'en' }];
    const key = { articleId: 'a0', languageCode: 'en' };
    for (const publicVersion of [3, 3, 0]) {
      articles['a0'] = { public_version: publicVersion };
      // The cache goes on answering that version 3 is public.
      expect(await backend.articles(queryCaller(), [key])).toMatchObject([{ value: { publicVersionNumber: 3 } }]);
    }
    expect(service.receivedOn('GET /v2/Articles/a0/en')).toHaveLength(1);
    const result = await backend.publishArticles(queryCaller(), { items, userId: 'u1' });
    expect(result).toMatchObject({ value: { outcomes: [{ kind: 'updated', details: 'Done.' }] } });
    expect(service.receivedOn('POST /v2/Articles/bulkpublish/en')).toHaveLength(1);
  });

  it('are refused before the first of them where they would be too many', async () => {
    const editions = [editionOf('v1', 'en', { a0: {}, a1: {}, a2: {}, a3: {} })];
    const refused = await run({ editions, items: ['a0', 'a1', 'a2', 'a3'], maxReadCalls: 1 });
    expect(refused).toMatchObject({ kinds: 'too-costly', reads: 0, calls: [] });
    // Lists that do not tell the public version are found out by one read.
    const late = await run({ editions, items: ['a0', 'a1', 'a2', 'a3'], maxReadCalls: 5 });
    expect(late).toMatchObject({ kinds: 'too-costly', reads: 2, calls: [] });
  });

  it('that fail leave nothing sent', async () => {
    for (const [behaviour, kind] of [
      [status(500), 'unavailable'],
      [status(404), 'unavailable'],
      [status(401), 'unauthenticated'],
      [json(429, {}, { 'retry-after': '3600' }), 'rate-limited'],
    ] as const) {
      // A gateway of its own, since a refused token is refused from memory for some seconds.
      const { service, backend, caller } = await openScene();
      service.onAny(behaviour);
      const items = [{ articleId: 'a0', languageCode: 'en' }];
      const result = await backend.publishArticles(caller, { items, userId: 'u1' });
      expect(result).toMatchObject({ ok: false, error: { kind } });
      expect(service.received.every(({ method }) => method === 'GET')).toBe(true);
    }
  });
});

describe('a refusal of the content', () => {
  it('of one item is its failure, unless the article is read and is as asked for', async () => {
    const articles = { a1: draft };
    const editions = [editionOf('v1', 'en', articles)];
    expect(await run({ editions, items: ['a1'], answers: [refusal(ALREADY)] })).toMatchObject({
      outcomes: [{ kind: 'failed', articleId: 'a1', details: ALREADY }],
    });
    const answers = [afterChanging(articles, { a1: isPublic }, refusal(ALREADY))];
    expect(await run({ editions, items: ['a1'], answers })).toMatchObject({
      outcomes: [{ kind: 'updated', evidence: 'READ_BACK', publication: 'PUBLISHED' }],
    });
  });

  it.each([400, 409, 422])(
    'of several with %i is unknown, but for those that are seen, and the named one',
    async (code) => {
      const articles: Articles = { a0: draft, a1: draft, a2: draft, a3: draft };
      const editions = [editionOf('v1', 'en', articles)];
      const answers = [afterChanging(articles, { a0: isPublic }, refusal(ALREADY, code))];
      const { outcomes, reads } = await run({ editions, items: Object.keys(articles), answers });
      expect(outcomes).toMatchObject([
        { kind: 'updated', articleId: 'a0', evidence: 'READ_BACK', publication: 'PUBLISHED' },
        { kind: 'failed', articleId: 'a1', details: ALREADY },
        { kind: 'unknown', articleId: 'a2', readBack: 'DIFFERS', details: expect.stringContaining(ALREADY) },
        { kind: 'unknown', articleId: 'a3', readBack: 'DIFFERS' },
      ]);
      // The project versions and the tree, before the call and after it.
      expect(reads).toBe(4);
    },
  );

  it.each([
    ['no article', "The user with id 'a1' does not exist in your project."],
    ['several', 'Failed to publish article with an id a1 or a2\r\nError: No.'],
    ['a part of an ID', 'Failed to publish article with an id a1-b\r\nError: No.'],
    ['an article in its cause alone', 'Failed to publish article with an id other\r\nError: See a1.'],
  ])('that names %s fails nobody', async (_name, text) => {
    const { kinds } = await run({ items: ['a1', 'a2', 'a3'], answers: [refusal(text)] });
    expect(kinds).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('tells the one that it names in another case', async () => {
    const { kinds } = await run({ items: ['a1', 'a2', 'a3'], answers: [refusal(ALREADY.replace('a1', 'A1'))] });
    expect(kinds).toEqual(['failed', 'unknown', 'unknown']);
  });

  it('leaves what can not be read unknown, and lets the next call go', async () => {
    const { service, backend, caller } = await openScene({ bulkSize: 3 });
    const editions = [editionOf('v1', 'en', draftsOf('a', 9))];
    let isFailing = false;
    service.onAny((response, request) => (isFailing ? status(500) : serveEditions(editions))(response, request));
    service.on(
      'POST /v2/Articles/bulkpublish/en',
      (response, request) => {
        isFailing = true;
        return refusal('No.')(response, request);
      },
      accepted,
    );
    const items = ['a0', 'a1', 'a2', 'a3', 'a4'].map((articleId) => ({ articleId }));
    const result = await backend.publishArticles(caller, { items, userId: 'u1' });
    expect(result).toMatchObject({
      ok: true,
      value: {
        outcomes: [
          { kind: 'unknown', readBack: 'NOT_READABLE' },
          { kind: 'unknown', readBack: 'NOT_READABLE' },
          { kind: 'unknown', readBack: 'NOT_READABLE' },
          { kind: 'updated' },
          { kind: 'updated' },
        ],
        serviceErrors: [{ description: 'No.' }],
      },
    });
  });

  it('is read within the calls that a request may make, and leaves the rest unknown', async () => {
    const ids = Object.keys(draftsOf('a', 9));
    const { outcomes, reads } = await run({ items: ids, answers: [refusal('No.')], bulkSize: 3, maxReadCalls: 5 });
    expect(reads).toBeLessThanOrEqual(5);
    expect(new Set(outcomes.map((outcome) => outcome.kind === 'unknown' && outcome.readBack))).toEqual(
      new Set(['DIFFERS', 'NOT_READABLE']),
    );
  });

  it('of unpublishing is updated where nothing is public', async () => {
    const articles = { a0: isPublic, a1: isPublic };
    const editions = [editionOf('v1', 'en', articles)];
    const answers = [afterChanging(articles, { a0: draft }, refusal('No.'))];
    expect(await run({ write: 'unpublishArticles', editions, items: ['a0', 'a1'], answers })).toMatchObject({
      outcomes: [
        { kind: 'updated', evidence: 'READ_BACK', publication: 'UNPUBLISHED' },
        { kind: 'unknown', readBack: 'DIFFERS' },
      ],
    });
  });
});

describe('an answer that tells nothing', () => {
  it.each([
    ['no answer in time', hang()],
    ['a reset', reset()],
    ['a cut answer', cutWithin(200, '{"success": true, "data": [')],
    ['500', status(500)],
  ])('leaves the items of the call unknown, and the later ones unsent: %s', async (_name, answer) => {
    const { kinds, calls, outcomes } = await run({
      items: ['a0', 'a1', 'a2', 'a3'],
      answers: [answer],
      bulkSize: 2,
      timeoutMs: 2_000,
    });
    expect(calls).toHaveLength(1);
    expect(kinds).toEqual(['unknown', 'unknown', 'not-attempted', 'not-attempted']);
    expect(outcomes[2]).toMatchObject({ reason: 'AFTER_UNKNOWN' });
  });

  it('is not sent again after a refusal of the token, which stops the rest', async () => {
    const first = await run({ items: ['a0'], answers: [status(403)] });
    expect(first).toMatchObject({ kinds: 'forbidden' });
    expect(first.calls).toHaveLength(1);
    const later = await run({ items: ['a0', 'a1', 'a2'], answers: [accepted, status(403)], bulkSize: 2 });
    expect(later.kinds).toEqual(['updated', 'updated', 'not-attempted']);
  });

  it('has outcomes of its own beside failures', async () => {
    const answer = json(200, envelope([{ article_id: 'a0', success: false, details: 'No.' }, { article_id: 'a1' }]));
    const { outcomes } = await run({ items: ['a0', 'a1'], answers: [answer] });
    expect(outcomes).toMatchObject([{ kind: 'failed', details: 'No.' }, { kind: 'unknown' }]);
  });

  it('is begun by nobody whose time is up', async () => {
    const { kinds, calls } = await run({ items: ['a0'], waitMs: 900 });
    expect([kinds, calls]).toEqual(['unavailable', []]);
  });
});
