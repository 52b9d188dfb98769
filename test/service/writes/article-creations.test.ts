import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArticleCreation } from '../../../src/core/articles/article-creations.ts';
import { type Behaviour, cutWithin, envelope, hang, json, reset, status } from '../../support/faulty-service.ts';
import { callerWith, openBackendTo, openScene } from '../../support/rest-scene.ts';
import { creation, type Draft, draft, HOUR_MS, ONE, SEVERAL, serveDrafts } from './drafts.ts';

const created = (title: string, article_id: string | null = `id-${title}`) => ({
  article_id,
  success: true,
  details: `Successfully created article ${title}`,
});

const refusal = (...texts: readonly string[]) =>
  json(400, { success: false, errors: texts.map((description) => ({ description, error_code: '400' })) });

const SECOND_MS = 1_000;

interface Sending {
  readonly items: readonly ArticleCreation[];
  readonly drafts?: readonly Draft[];
  readonly serve?: Parameters<typeof serveDrafts>[2];
  readonly options?: Parameters<typeof openScene>[0];
}

async function send({ items, drafts = [], serve = {}, options = {} }: Sending) {
  const { service, backend, caller } = await openScene(options);
  serveDrafts(service, drafts, serve);
  const result = await backend.createArticles(caller, items);
  const outcomes = result.ok ? result.value.outcomes : [];
  const posts = service.received.filter(({ method }) => method === 'POST');
  return {
    result,
    outcomes,
    kinds: outcomes.map(({ kind }) => kind),
    posts: posts.map(({ url, body }) => [url, Array.isArray(body) ? body.length : 1]),
    bodies: posts.map(({ body }) => body),
    reads: service.received.filter(({ method }) => method === 'GET').map(({ url }) => url.split('?')[0]),
    service,
  };
}

describe('a create', () => {
  it('of one article sends the members that are set, and takes the ID of the answer', async () => {
    const items = [{ title: 'New', projectVersionId: 'pv1', userId: 'u1', contentType: 'WYSIWYG', order: 3 } as const];
    const { outcomes, posts, bodies, reads } = await send({
      items,
      serve: { answer: json(201, envelope({ id: 'n1', title: 'New', public_version: 0, language_code: null })) },
    });
    expect(posts).toEqual([['/v2/Articles', 1]]);
    expect(bodies).toEqual([{ title: 'New', project_version_id: 'pv1', user_id: 'u1', content_type: 1, order: 3 }]);
    expect(outcomes).toEqual([{ kind: 'created', details: null, articleId: 'n1' }]);
    expect(reads).toEqual([]);
  });

  it('of several goes in chunks, in order, and alone where one is left', async () => {
    const { service, backend, caller } = await openScene({ bulkSize: 2 });
    service.on(SEVERAL, json(200, envelope([created('a'), created('b')])));
    service.on(ONE, json(200, envelope({ id: 'id-c' })));
    const result = await backend.createArticles(
      caller,
      ['a', 'b', 'c'].map((title) => creation(title)),
    );
    expect(result).toMatchObject({
      value: { outcomes: ['id-a', 'id-b', 'id-c'].map((articleId) => ({ kind: 'created', articleId })) },
    });
    expect(service.received.map(({ url }) => url)).toEqual(['/v2/Articles/bulkcreate', '/v2/Articles']);
    expect(service.received[0]?.body).toMatchObject([{ title: 'a' }, { title: 'b' }]);
  });

  it.each([
    ['in order', [created('a'), created('b'), created('c')], ['created', 'created', 'created']],
    [
      'with a failure',
      [created('a'), { success: false, details: 'Failed to create article b\r\nError: No.' }, created('c')],
      ['created', 'failed', 'created'],
    ],
    [
      'without texts',
      [
        { article_id: '1', success: true },
        { article_id: '2', success: true },
        { article_id: '3', success: false },
      ],
      ['created', 'created', 'failed'],
    ],
    ['two in the wrong order', [created('b'), created('a'), created('c')], ['unknown', 'unknown', 'created']],
    ['one too few', [created('a'), created('b')], ['unknown', 'unknown', 'unknown']],
    ['one too many', [created('a'), created('b'), created('c'), created('d')], ['unknown', 'unknown', 'unknown']],
    ['one ID twice', [created('a', '1'), created('b', '1'), created('c', '2')], ['unknown', 'unknown', 'created']],
    ['without an ID', [created('a', null), created('b'), created('c')], ['unknown', 'created', 'created']],
    ['garbage', [1, null, 'c'], ['unknown', 'unknown', 'unknown']],
    ['none', [], ['unknown', 'unknown', 'unknown']],
  ])('matches entries by position and title: %s', async (_name, entries, kinds) => {
    const items = ['a', 'b', 'c'].map((title) => creation(title));
    expect(await send({ items, serve: { answer: json(200, envelope(entries)) } })).toMatchObject({ kinds });
  });

  it('trusts no position of a title that stands twice once one entry contradicts its own', async () => {
    const items = ['x', 'y', 'x'].map((title) => creation(title));
    const answer = json(200, envelope([created('x', '1'), created('x', '2'), created('x', '3')]));
    expect(await send({ items, serve: { answer } })).toMatchObject({ kinds: ['unknown', 'unknown', 'unknown'] });
  });

  it.each<[string, Behaviour]>([
    ['no answer in time', hang()],
    ['a reset', reset()],
    ['a cut answer', cutWithin(200, '{"data": [')],
    ['500', status(500)],
    ['an HTML page', status(200, '<html>')],
    ['200 with success: false', json(200, { success: false, errors: [{ description: 'x' }] })],
    ['an answer without the article', json(200, envelope(null))],
    ['a 400 for all of them', refusal('Something.')],
  ])('is sent once, and what comes after is not sent, after %s', async (_name, answer) => {
    const items = ['a', 'b'].map((title) => creation(title));
    const { kinds, posts } = await send({ items, serve: { answer }, options: { timeoutMs: 400 } });
    expect(kinds).toEqual(['unknown', 'unknown']);
    expect(posts).toEqual([['/v2/Articles/bulkcreate', 2]]);
  });

  it('is not attempted after a chunk whose outcome is unknown', async () => {
    const items = ['a', 'b', 'c'].map((title) => creation(title));
    const { outcomes, posts } = await send({ items, options: { bulkSize: 2 } });
    expect(outcomes).toMatchObject([{ kind: 'unknown' }, { kind: 'unknown' }, { reason: 'AFTER_UNKNOWN' }]);
    expect(posts).toHaveLength(1);
  });

  it('is sent again after a 429, and after nothing else', async () => {
    const { service, backend, caller } = await openScene();
    service.on(ONE, status(429, '', { 'retry-after': '0' }), json(200, envelope({ id: 'n1' })));
    expect(await backend.createArticles(caller, [creation('a')])).toMatchObject({
      value: { outcomes: [{ articleId: 'n1' }] },
    });
    expect(service.received).toHaveLength(2);
  });

  it('is not sent again on a connection that was just being closed', async () => {
    const { service, backend, caller } = await openScene();
    serveDrafts(service, []);
    await backend.projectVersions(caller);
    expect(await backend.createArticles(caller, [creation('a')])).toMatchObject({
      value: { outcomes: [{ kind: 'unknown' }] },
    });
    expect(service.receivedOn(ONE)).toHaveLength(1);
  });

  it('fails with what the service says in a 400 for one article, and looks for nothing', async () => {
    const text = "The user with id 'u1' does not exist in your project.";
    const { outcomes, reads } = await send({ items: [creation('a')], serve: { answer: refusal(text) } });
    expect(outcomes).toEqual([{ kind: 'failed', details: text }]);
    expect(reads).toEqual([]);
  });

  it('fails alone where the service names it in a 400 for several; the others are looked for', async () => {
    const items = ['a', 'b', 'c'].map((title) => creation(title));
    const { outcomes } = await send({
      items,
      drafts: [draft('n1', 'a')],
      serve: { answer: refusal('Failed to create article b\r\nError: No such category.') },
    });
    expect(outcomes).toMatchObject([
      { kind: 'created', articleId: 'n1', evidence: 'READ_BACK' },
      { kind: 'failed', details: 'No such category.' },
      { kind: 'unknown', candidates: [] },
    ]);
  });

  it.each<[readonly string[], string, readonly string[]]>([
    [['x', 'x\ny'], 'x\ny\r\nError: No.', ['unknown', 'unknown']],
    [['x', 'x\r\nError: y'], 'x\r\nError: y\r\nError: No.', ['unknown', 'unknown']],
    [['w', 'x\ny'], 'x\ny\r\nError: No.', ['unknown', 'failed']],
    [['w', 'y'], 'x\ny\r\nError: No.', ['unknown', 'unknown']],
  ])('does not fail by the text of another whose title has a line break: %j', async (titles, text, kinds) => {
    const items = titles.map((title) => creation(title));
    const answer = refusal(`Failed to create article ${text}`);
    expect(await send({ items, serve: { answer } })).toMatchObject({ kinds });
  });

  it('does not fail by the entry of another whose title has a line break, in the wrong order', async () => {
    const items = ['x\ny', 'x'].map((title) => creation(title));
    const failure = { article_id: null, success: false, details: 'Failed to create article x\ny\r\nError: No.' };
    const answer = json(200, envelope([created('x'), failure]));
    expect(await send({ items, serve: { answer } })).toMatchObject({ kinds: ['unknown', 'unknown'] });
  });

  it('of one article is not created where the answer has an article and an error', async () => {
    const answer = json(200, { ...envelope({ id: 'n1' }), success: false, errors: [{ description: 'x' }] });
    expect(await send({ items: [creation('a')], serve: { answer } })).toMatchObject({ kinds: ['unknown'] });
  });

  it('does not fail by a title that stands twice in the request, also in another chunk', async () => {
    const items = ['a', 'b', 'c', 'b'].map((title, index) => creation(title, { categoryId: `c${index}` }));
    const { kinds } = await send({
      items,
      serve: { answer: refusal('Failed to create article b\r\nError: No.') },
      options: { bulkSize: 2 },
    });
    expect(kinds).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
  });

  it.each([401, 403, 413, 405])('is an error as a whole after %s', async (httpStatus) => {
    const { result, posts } = await send({ items: [creation('a')], serve: { answer: status(httpStatus) } });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: expect.stringMatching(/unauth|forbidden|unavailable/u) },
    });
    expect(posts).toHaveLength(1);
  });
});

describe('an article whose create ended unknown', () => {
  const look = async (
    drafts: readonly Draft[],
    more: Omit<Sending, 'items' | 'drafts'> & { item?: ArticleCreation } = {},
  ) => {
    const { item = creation('New'), ...sending } = more;
    const sent = await send({ items: [item], drafts, ...sending });
    return { ...sent, outcome: sent.outcomes[0] };
  };

  it('is found by few reads, although its service has a clock of its own', async () => {
    for (const skewMs of [-HOUR_MS, 0, HOUR_MS]) {
      const { outcome, reads } = await look([draft('n1', 'New'), draft('n2', 'Other')], { serve: { skewMs } });
      expect(outcome).toEqual({ kind: 'created', details: null, articleId: 'n1', evidence: 'READ_BACK' });
      expect(reads).toEqual(['/v2/ProjectVersions', '/v2/ProjectVersions/pv1/categories', '/v2/Articles/n1/en']);
    }
  });

  it.each<[string, Partial<Draft>]>([
    ['of another contributor', { createdBy: 'u2' }],
    ['of another text', { content: 'text' }],
    ['of another category', { category: 'c2' }],
    ['in a second version', { latestVersion: 2 }],
    ['that is published', { publicVersion: 1 }],
    ['of an hour ago', { createdAfterMs: -HOUR_MS }],
    ['of just more than 5 s before', { createdAfterMs: -5_050 }],
  ])('is not taken for a draft of the same title %s', async (_name, difference) => {
    for (const skewMs of [-HOUR_MS, 0, HOUR_MS]) {
      const { outcome } = await look([draft('n1', 'New', difference)], { serve: { skewMs } });
      expect(outcome).toMatchObject({ kind: 'unknown', candidates: [{ articleId: 'n1', languageCode: 'en' }] });
    }
  });

  it('is not found among two that are equal', async () => {
    const { outcome } = await look([draft('n1', 'New'), draft('n2', 'New', { createdAfterMs: 10 })]);
    expect(outcome).toMatchObject({ kind: 'unknown', candidates: [{ articleId: 'n2' }, { articleId: 'n1' }] });
  });

  it('is found beside any number of others that differ', async () => {
    const others = Array.from({ length: 30 }, (_, n) => draft(`o${n}`, 'New', { publicVersion: 1 }));
    const { outcome, reads } = await look([...others, draft('n1', 'New')]);
    expect(outcome).toMatchObject({ kind: 'created', articleId: 'n1' });
    expect(reads).toHaveLength(3);
  });

  it('is not looked for among more drafts than can be candidates', async () => {
    const others = Array.from({ length: 12 }, (_, n) => draft(`o${n}`, 'New', { createdAfterMs: -n * SECOND_MS }));
    const { outcome, reads } = await look(others);
    expect(outcome).toMatchObject({ candidates: Array.from({ length: 10 }, (_, n) => ({ articleId: `o${n}` })) });
    expect(reads).toHaveLength(2);
  });

  it('is never found without a category, and has its candidates by the list', async () => {
    const { outcome, reads } = await look([draft('n1', 'New', { category: null })], {
      item: creation('New', { categoryId: null }),
    });
    expect(outcome).toMatchObject({ kind: 'unknown', candidates: [{ articleId: 'n1' }] });
    expect(reads).toEqual(['/v2/ProjectVersions', '/v2/ProjectVersions/pv1/articles']);
  });

  it('is never found where the request has its title and category twice, whatever white space is around', async () => {
    const { outcomes } = await send({ items: [creation('New'), creation(' New ')], drafts: [draft('n1', 'New')] });
    expect(outcomes).toMatchObject([{ kind: 'unknown', candidates: [{ articleId: 'n1' }] }, { kind: 'unknown' }]);
  });

  it.each([
    ['has no date', { date: '' }],
    ['was kept on the way', { age: '1' }],
  ])('is not found by an answer that %s', async (_name, headers) => {
    const { outcome } = await look([draft('n1', 'New')], { serve: { headers } });
    expect(outcome).toMatchObject({ kind: 'unknown', candidates: [{ articleId: 'n1' }] });
  });

  it.each([0, 1, 2])('is unknown where only %s of the reads may be made', async (maxReadCalls) => {
    const { outcome, reads } = await look([draft('n1', 'New')], { options: { maxReadCalls } });
    expect(outcome).toMatchObject({
      kind: 'unknown',
      details: expect.stringMatching(/^The outcome is unknown: .* does not prove/u),
      candidates: maxReadCalls < 2 ? [] : [{ articleId: 'n1', languageCode: 'en' }],
    });
    expect(reads).toHaveLength(maxReadCalls);
  });

  it('is not looked for once the time of its request is up', { tags: 'long' }, async () => {
    const { service, backend } = await openScene({ timeoutMs: 1_500 });
    serveDrafts(service, [draft('n1', 'New')], { answer: hang() });
    expect(await backend.createArticles(callerWith('token-1', 1_200), [creation('New')])).toMatchObject({
      value: { outcomes: [{ kind: 'unknown', candidates: [] }] },
    });
    expect(service.received.map(({ method }) => method)).toEqual(['POST']);
  });

  it('has no candidates where the tree cannot be read', async () => {
    const { service, backend, caller } = await openScene();
    serveDrafts(service, [draft('n1', 'New')]);
    service.on('GET /v2/ProjectVersions/pv1/categories', status(500));
    expect(await backend.createArticles(caller, [creation('New')])).toMatchObject({
      value: { outcomes: [{ kind: 'unknown', candidates: [] }] },
    });
  });

  it('is looked for past the read cache', async () => {
    const { service, backend, caller } = await openScene({ readCacheMs: 60_000, readCacheBytes: 1_000_000 });
    const drafts: Draft[] = [];
    serveDrafts(service, drafts);
    await backend.rootCategories(caller, { projectVersionId: 'pv1', languageCode: 'en' });
    drafts.push(draft('n1', 'New'));
    const second = callerWith();
    expect(await backend.createArticles(second, [creation('New')])).toMatchObject({
      value: { outcomes: [{ kind: 'created', articleId: 'n1' }] },
    });
    expect(second.summary.readCalls).toBe(3);
  });

  const otherDraft = fc.record({
    title: fc.constantFrom('New', 'New', 'New ', 'new', 'Other'),
    category: fc.constantFrom('c1', 'c1', 'c2', null),
    content: fc.constantFrom('Text', 'Text', 'Text ', ''),
    createdBy: fc.constantFrom('u1', 'u1', 'u2'),
    createdAfterMs: fc.constantFrom(0, 50, SECOND_MS, -5_050, -60_000, -HOUR_MS),
    latestVersion: fc.constantFrom(1, 1, 2),
    publicVersion: fc.constantFrom(0, 0, 1),
  });

  const isOwn = ({ title, category, content, createdBy, createdAfterMs, latestVersion, publicVersion }: Draft) =>
    title.trim() === 'New' &&
    category === 'c1' &&
    content === 'Text' &&
    createdBy === 'u1' &&
    createdAfterMs >= 0 &&
    latestVersion === 1 &&
    publicVersion === 0;

  it('is found where exactly one article is as sent, and nowhere else, whatever others write', {
    tags: 'long',
  }, async () => {
    const { service } = await openScene();
    await fc.assert(
      fc.asyncProperty(
        fc.array(otherDraft, { maxLength: 6 }),
        fc.constantFrom(-HOUR_MS, -700, 0, 700, HOUR_MS),
        async (others, skewMs) => {
          const drafts = others.map((other, index): Draft => ({ id: `d${index}`, ...other }));
          serveDrafts(service, drafts, { skewMs });
          // A process reports no article twice.
          const backend = openBackendTo(service);
          const result = await backend.createArticles(callerWith(), [creation('New')]).finally(() => backend.close());
          const own = drafts.filter(isOwn);
          const [outcome] = result.ok ? result.value.outcomes : [];
          if (own.length === 1) expect(outcome).toMatchObject({ kind: 'created', articleId: own[0]?.id });
          else expect(outcome).toMatchObject({ kind: 'unknown' });
          if (outcome?.kind !== 'unknown') return;
          const titled = drafts.filter(({ title, category }) => title.trim() === 'New' && category !== null);
          expect(outcome.candidates.map(({ articleId }) => articleId).sort()).toEqual(titled.map(({ id }) => id));
        },
      ),
      { numRuns: 150 },
    );
  });
});
