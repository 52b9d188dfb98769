import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import {
  type Behaviour,
  cutWithin,
  drip,
  endless,
  gzipBomb,
  hang,
  json,
  reset,
  status,
} from '../../support/faulty-service.ts';
import { callerWith, openScene } from '../../support/rest-scene.ts';

const ROUTE = 'PUT /v2/Articles/bulkupdate';

const item = (articleId: string | null, success = true, details: string | null = null) => ({
  article_id: articleId,
  success,
  details,
});

const envelope = (members: object) => ({ success: true, errors: [], warnings: [], information: [], ...members });

const itemsResponse = (...items: readonly unknown[]) => json(200, envelope({ data: items }));

const refusal = (httpStatus: number, ...texts: readonly string[]) =>
  json(httpStatus, { success: false, errors: texts.map((description) => ({ description, error_code: '400' })) });

const updates = (...ids: readonly string[]): readonly ArticleUpdate[] => ids.map((articleId) => ({ articleId }));

interface Sending {
  readonly behaviours: readonly Behaviour[];
  readonly ids: readonly string[];
  readonly bulkSize?: number;
  readonly timeoutMs?: number;
}

async function send({ behaviours, ids, ...options }: Sending) {
  const { service, backend, caller } = await openScene(options);
  service.on(ROUTE, ...behaviours);
  const result = await backend.bulkUpdateArticles(caller, updates(...ids));
  const chunks = service.receivedOn(ROUTE).map(({ body }) => (Array.isArray(body) ? body.length : body));
  return { result, chunks, kinds: result.ok ? result.value.outcomes.map(({ kind }) => kind) : [] };
}

describe('a bulk update', () => {
  it('sends the members that are set, null as null, and no others', async () => {
    const { service, backend, caller } = await openScene();
    service.on(ROUTE, itemsResponse(item('a')));
    await backend.bulkUpdateArticles(caller, [
      { articleId: 'a', title: null, hidden: false, translationStatus: 'NONE' },
    ]);
    expect(service.received[0]?.body).toEqual([
      { article_id: 'a', title: null, hidden: false, translation_option: '0' },
    ]);
  });

  it('has an outcome for every item of the response', async () => {
    const { result } = await send({
      behaviours: [itemsResponse(item('a', true, 'done'), item('b', false, 'no such article'))],
      ids: ['a', 'b'],
    });
    expect(result).toEqual({
      ok: true,
      value: {
        outcomes: [
          { kind: 'updated', articleId: 'a', details: 'done' },
          { kind: 'failed', articleId: 'b', details: 'no such article' },
        ],
        serviceErrors: [],
        warnings: [],
        information: [],
        extensionData: null,
      },
    });
  });

  it.each([
    ['reordered', itemsResponse(item('c'), item('a', false), item('b')), ['failed', 'updated', 'updated']],
    ['missing', itemsResponse(item('a'), item('c')), ['updated', 'unknown', 'updated']],
    ['surplus', itemsResponse(item('a'), item('x'), item('b'), item('c')), ['updated', 'updated', 'updated']],
    ['without IDs', itemsResponse(item(null), item(null, false), item(null)), ['updated', 'failed', 'updated']],
    ['without IDs and too few', itemsResponse(item(null), item(null)), ['unknown', 'unknown', 'unknown']],
    ['of other articles', itemsResponse(item('x'), item('y'), item('z')), ['unknown', 'unknown', 'unknown']],
    ['garbage', itemsResponse(1, 'a', null), ['unknown', 'unknown', 'unknown']],
    ['none at all', itemsResponse(), ['unknown', 'unknown', 'unknown']],
    ['no list', json(200, envelope({ data: null })), ['unknown', 'unknown', 'unknown']],
  ])('finds each item where the entries are %s', async (_name, behaviour, kinds) => {
    expect(await send({ behaviours: [behaviour], ids: ['a', 'b', 'c'] })).toMatchObject({ kinds, chunks: [3] });
  });

  it.each([
    ['a bare object', item('a'), ['updated']],
    ['a bare object that says that it failed', item('a', false, 'No.'), ['failed']],
    ['a bare object of another article', item('b'), ['unknown']],
    ['an object in the envelope', envelope({ data: item('a', false) }), ['failed']],
    ['the article in the envelope', envelope({ data: { id: 'a', title: 'A' } }), ['updated']],
    ['another article in the envelope', envelope({ data: { id: 'b', title: 'B' } }), ['unknown']],
    ['an object without an ID in the envelope', envelope({ data: { title: 'A' } }), ['unknown']],
    ['an object without the words of the service', { id: 'a', title: 'A' }, ['unknown']],
  ])('reads the answer to one item where it is %s', async (_name, body, kinds) => {
    expect(await send({ behaviours: [json(200, body)], ids: ['a'] })).toMatchObject({ kinds });
  });

  it('takes no object for the answer to several items', async () => {
    expect(await send({ behaviours: [json(200, item('a'))], ids: ['a', 'b'] })).toMatchObject({
      kinds: ['unknown', 'unknown'],
    });
  });

  it.each([
    ['200 with success: false', json(200, { success: false, data: [item('a'), item('b', false)] })],
    [
      '200 with errors',
      json(200, { success: true, errors: [{ description: 'b' }], data: [item('a'), item('b', false)] }),
    ],
    ['200 with result: false', json(200, { result: false, success: true, data: [item('a'), item('b', false)] })],
    ['400', json(400, { success: false, errors: [{ description: 'b' }], data: [item('a'), item('b', false)] })],
  ])('is a payload because of its items, also with %s', async (_name, behaviour) => {
    const { kinds } = await send({ behaviours: [behaviour], ids: ['a', 'b'] });
    expect(kinds).toEqual(['updated', 'failed']);
  });

  it('is rejected, and may have applied, at 200 with success: false and no items', async () => {
    const body = { success: false, errors: [{ description: 'Something failed.' }] };
    const { result } = await send({ behaviours: [json(200, body)], ids: ['a'] });
    expect(result).toMatchObject({
      ok: false,
      error: {
        kind: 'rejected',
        httpStatus: 200,
        mayHaveApplied: true,
        message: 'Something failed.',
        serviceErrors: [{ description: 'Something failed.' }],
      },
    });
  });

  it.each([
    [400, ['a'], false],
    [400, ['a', 'b'], true],
    [409, ['a'], false],
    [409, ['a', 'b'], true],
    [422, ['a'], false],
    [422, ['a', 'b'], true],
    [413, ['a', 'b'], false],
  ])('is rejected at %i without items, of %j, and may have applied: %s', async (httpStatus, ids, mayHaveApplied) => {
    const { result } = await send({ behaviours: [refusal(httpStatus, 'First.', 'Second.')], ids });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'rejected', httpStatus, mayHaveApplied, message: 'First. Second.' },
    });
  });

  it('gives the texts of the group update no special meaning', async () => {
    const { result } = await send({ behaviours: [refusal(400, 'The Title field is required.')], ids: ['a'] });
    expect(result).toMatchObject({ ok: false, error: { kind: 'rejected' } });
  });

  it.each([
    ['401 without a body', status(401), { kind: 'unauthenticated' }],
    ['403 without a body', status(403), { kind: 'forbidden' }],
    ['404 with a page', status(404, '<html>'), { kind: 'unavailable', foreignStatus: 404 }],
    ['405', status(405), { kind: 'unavailable', foreignStatus: 405 }],
    ['413', status(413), { kind: 'unavailable', foreignStatus: 413 }],
    ['415', refusal(415, 'No.'), { kind: 'rejected', httpStatus: 415, mayHaveApplied: false }],
    ['422', refusal(422, 'No.'), { kind: 'rejected', httpStatus: 422, mayHaveApplied: true }],
    ['429 that names no time', status(429), { kind: 'rate-limited', retryAfterSeconds: null }],
  ])('fails at %s', async (_name, behaviour, error) => {
    const { result, chunks } = await send({ behaviours: [behaviour], ids: ['a', 'b', 'c'], bulkSize: 2 });
    expect(result).toMatchObject({ ok: false, error });
    expect(chunks).toEqual([2]);
  });

  it('is unavailable at a redirect, with the advice to check the address, and does not send the token there', async () => {
    const { service: elsewhere } = await openScene();
    const redirect = status(308, '', { location: `${elsewhere.url}/v2/Articles/bulkupdate` });
    const { result } = await send({ behaviours: [redirect], ids: ['a'] });
    expect(result).toMatchObject({ ok: false, error: { kind: 'unavailable', foreignStatus: 308 } });
    expect(!result.ok && result.error.message).toContain('UPSTREAM_URL');
    expect(elsewhere.received).toEqual([]);
  });

  it('is unavailable where the service cannot be reached', async () => {
    const { service, backend, caller } = await openScene();
    await service.close();
    const result = await backend.bulkUpdateArticles(caller, updates('a'));
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', message: 'The service cannot be reached: the connection was refused.' },
    });
  });

  it('is unavailable, unsent, after the deadline of the caller', async () => {
    const { service, backend } = await openScene();
    const result = await backend.bulkUpdateArticles(callerWith('token', 0), updates('a'));
    expect(result).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    expect(service.received).toEqual([]);
  });

  it('is unauthenticated without a token, and sends nothing', async () => {
    const { service, backend } = await openScene();
    const result = await backend.bulkUpdateArticles(callerWith(null), updates('a'));
    expect(result).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
    expect(service.received).toEqual([]);
  });
});

describe('a bulk update with an unknown outcome', () => {
  const applied: Behaviour = hang();
  it.each<[string, Behaviour, number?]>([
    ['applied and then timed out', applied, 1_000],
    ['a dripping response', drip(), 1_000],
    ['an endless response', endless()],
    ['a gzip bomb', gzipBomb(64 * 1024 * 1024)],
    ['a reset before the response', reset()],
    ['a reset within the response', cutWithin(200, '{"success": true, "data": [')],
    ['half a response', status(200, '{"success": true, "data": [{"article_id": "a", "success": true}')],
    ['an HTML page at 200', status(200, '<html>')],
    ['an empty 200', status(200)],
    ['204', status(204)],
    ['JSON that is no envelope', json(200, { fine: true })],
    ['an HTML 502', status(502, '<html>')],
    ['500', status(500)],
    ['503 with items', json(503, envelope({ data: [item('a')] }))],
    ['303', status(303, '', { location: '/elsewhere' })],
  ])('is a payload of unknown items after %s, and sends nothing more', async (_name, behaviour, timeoutMs = 60_000) => {
    const { result, kinds, chunks } = await send({
      behaviours: [behaviour],
      ids: ['a', 'b', 'c'],
      bulkSize: 2,
      timeoutMs,
    });
    expect(kinds).toEqual(['unknown', 'unknown', 'not-attempted']);
    expect(chunks).toEqual([2]);
    expect(result.ok && result.value.outcomes.every(({ details }) => details !== null && details !== '')).toBe(true);
  });

  it('keeps the errors of the service', async () => {
    const { result } = await send({
      behaviours: [json(500, { success: false, errors: [{ description: 'Oh.' }] })],
      ids: ['a'],
    });
    expect(result).toMatchObject({ ok: true, value: { serviceErrors: [{ description: 'Oh.' }] } });
  });
});

describe('a bulk update in several chunks', () => {
  it('sends them in order, one after another, none longer than allowed', async () => {
    const { service, backend, caller } = await openScene({ bulkSize: 2 });
    const echo: Behaviour = (response, request) => {
      const items = Array.isArray(request.body) ? request.body.map(({ article_id }) => item(article_id)) : [];
      return json(200, envelope({ data: items }))(response, request);
    };
    service.on(ROUTE, echo);
    const result = await backend.bulkUpdateArticles(caller, updates('a', 'b', 'c', 'd', 'e'));
    expect(service.received.map(({ body }) => body)).toEqual([
      [{ article_id: 'a' }, { article_id: 'b' }],
      [{ article_id: 'c' }, { article_id: 'd' }],
      [{ article_id: 'e' }],
    ]);
    expect(result.ok && result.value.outcomes.map(({ articleId, kind }) => articleId + kind)).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((id) => `${id}updated`),
    );
  });

  it('holds no article twice in one of them', async () => {
    const { kinds, chunks } = await send({
      behaviours: [itemsResponse(item('a'), item('b')), itemsResponse(item('a', false), item('c'))],
      ids: ['a', 'b', 'a', 'c'],
    });
    expect([kinds, chunks]).toEqual([
      ['updated', 'updated', 'failed', 'updated'],
      [2, 2],
    ]);
  });

  it('holds no article twice in one of them where only the case of its ID differs', async () => {
    const { kinds, chunks } = await send({
      behaviours: [itemsResponse(item('a')), itemsResponse(item('a', false))],
      ids: ['A', 'a'],
    });
    expect([kinds, chunks]).toEqual([
      ['updated', 'failed'],
      [1, 1],
    ]);
  });

  it.each([400, 409, 422])(
    'fails the only item of a later one that is rejected with %i, and goes on',
    async (status) => {
      const { result, kinds, chunks } = await send({
        behaviours: [itemsResponse(item('a')), refusal(status, 'b is bad.', 'Really.'), itemsResponse(item('c'))],
        ids: ['a', 'b', 'c'],
        bulkSize: 1,
      });
      expect([kinds, chunks]).toEqual([
        ['updated', 'failed', 'updated'],
        [1, 1, 1],
      ]);
      expect(result).toMatchObject({
        value: {
          outcomes: [{}, { details: 'b is bad. Really.' }, {}],
          serviceErrors: [{ description: 'b is bad.' }, { description: 'Really.' }],
        },
      });
    },
  );

  it.each([400, 409, 422])(
    'knows nothing of several items of a later one that is rejected with %i, which may be applied in part, and goes on',
    async (status) => {
      const { result, kinds, chunks } = await send({
        behaviours: [
          itemsResponse(item('a'), item('b')),
          refusal(status, 'd is bad.', 'Really.'),
          itemsResponse(item('e'), item('f')),
        ],
        ids: ['a', 'b', 'c', 'd', 'e', 'f'],
        bulkSize: 2,
      });
      expect([kinds, chunks]).toEqual([
        ['updated', 'updated', 'unknown', 'unknown', 'updated', 'updated'],
        [2, 2, 2],
      ]);
      const details = expect.stringContaining('d is bad. Really.');
      expect(result).toMatchObject({ value: { outcomes: [{}, {}, { details }, { details }, {}, {}] } });
    },
  );

  it.each([
    [
      '401',
      status(401),
      [
        'UNAUTHENTICATED',
        'A valid API token is required. Send it in the header X-Api-Token, in api_token or after Authorization: Bearer.',
      ],
    ],
    ['403', status(403), ['FORBIDDEN', 'The API token does not permit this.']],
    ['404', refusal(404, 'No such call.'), ['REJECTED', 'No such call.']],
    ['413', status(413), ['UNAVAILABLE', expect.stringContaining('HTTP 413')]],
    ['418', refusal(418, 'A teapot.'), ['REJECTED', 'A teapot.']],
    [
      'a redirect',
      status(308, '', { location: '/elsewhere' }),
      ['UNAVAILABLE', expect.stringContaining('UPSTREAM_URL')],
    ],
    ['429 that names no time', status(429), ['RATE_LIMITED', 'The service accepts no more calls for now.']],
  ])('attempts no more after %s', async (_name, behaviour, [reason, details]) => {
    const { result, kinds, chunks } = await send({
      behaviours: [itemsResponse(item('a')), behaviour],
      ids: ['a', 'b', 'c'],
      bulkSize: 1,
    });
    expect([kinds, chunks]).toEqual([
      ['updated', 'not-attempted', 'not-attempted'],
      [1, 1],
    ]);
    const outcome = { kind: 'not-attempted', reason, retryAfterSeconds: null, details };
    expect(result).toMatchObject({
      value: {
        outcomes: [{}, { ...outcome, articleId: 'b' }, { ...outcome, articleId: 'c' }],
      },
    });
  });

  it.each([
    ['a 429 for longer than the caller waits', itemsResponse(item('a')), [1, 1]],
    [
      'a response with which the rate limit is used up for longer than the caller waits',
      json(200, envelope({ data: [item('a')] }), { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '120' }),
      [1],
    ],
  ])('says when to send the items that were not attempted after %s', async (_name, first, calls) => {
    const { result, chunks } = await send({
      behaviours: [first, status(429, '', { 'retry-after': '120' })],
      ids: ['a', 'b', 'c'],
      bulkSize: 1,
    });
    expect(chunks).toEqual(calls);
    const limited = {
      kind: 'not-attempted',
      reason: 'RATE_LIMITED',
      retryAfterSeconds: 120,
      details: 'The service accepts no more calls for now. Try again in 120 s.',
    };
    expect(result).toMatchObject({ value: { outcomes: [{ kind: 'updated' }, limited, limited] } });
  });

  it('attempts no more once the service is gone', async () => {
    const { service, backend, caller } = await openScene({ bulkSize: 1 });
    service.on(ROUTE, (response) => {
      response.writeHead(200, { connection: 'close' }).end(JSON.stringify(envelope({ data: [item('a')] })), () => {
        void service.close();
      });
    });
    const result = await backend.bulkUpdateArticles(caller, updates('a', 'b', 'c'));
    const unavailable = { kind: 'not-attempted', reason: 'UNAVAILABLE', retryAfterSeconds: null };
    expect(result).toMatchObject({ value: { outcomes: [{ kind: 'updated' }, unavailable, unavailable] } });
  });

  it.each<[string, Behaviour, number?]>([
    ['a timeout', hang(), 1_000],
    ['an HTML 502', status(502, '<html>')],
    ['200 with success: false and no items', json(200, { success: false, errors: [{ description: 'No.' }] })],
  ])('marks a chunk as unknown after %s, and attempts no more', async (_name, behaviour, timeoutMs = 60_000) => {
    const { result, chunks } = await send({
      behaviours: [itemsResponse(item('a')), behaviour],
      ids: ['a', 'b', 'c'],
      bulkSize: 1,
      timeoutMs,
    });
    expect(chunks).toEqual([1, 1]);
    const notAttempted = { kind: 'not-attempted', reason: 'AFTER_UNKNOWN', retryAfterSeconds: null };
    expect(result).toMatchObject({ value: { outcomes: [{ kind: 'updated' }, { kind: 'unknown' }, notAttempted] } });
  });

  it('joins their notices without repeats, and drops their extension data', async () => {
    const notices = (...warnings: readonly string[]) => ({
      warnings: warnings.map((description) => ({ description, warning_code: '1' })),
      information: [{ description: 'Read this.' }],
      extension_data: { a: 1 },
    });
    const { result } = await send({
      behaviours: [
        json(200, envelope({ data: [item('a')], ...notices('x') })),
        json(200, envelope({ data: [item('b')], ...notices('x', 'y') })),
      ],
      ids: ['a', 'b'],
      bulkSize: 1,
    });
    expect(result).toMatchObject({
      value: {
        warnings: [{ description: 'x' }, { description: 'y' }],
        information: [{ description: 'Read this.' }],
        extensionData: null,
      },
    });
  });

  it('keeps all notices of the first chunk, and a limited amount of the others', async () => {
    const long = (letter: string) => ({ description: letter.repeat(600_000), warning_code: null });
    const itemsResponse = (id: string, letter: string) =>
      json(200, envelope({ data: [item(id)], warnings: [long(letter)], errors: [{ description: 'The same.' }] }));
    const { kinds, result } = await send({
      behaviours: [itemsResponse('a', 'x'), itemsResponse('b', 'y'), itemsResponse('c', 'z'), itemsResponse('d', 'x')],
      ids: ['a', 'b', 'c', 'd'],
      bulkSize: 1,
    });
    expect(kinds).toEqual(['updated', 'updated', 'updated', 'updated']);
    const { warnings, serviceErrors } = result.ok ? result.value : { warnings: [], serviceErrors: [] };
    expect(warnings.map(({ description }) => description?.[0])).toEqual(['x', 'y']);
    expect(serviceErrors.map(({ description }) => description)).toEqual(['The same.']);
  });

  it('keeps the extension data of a single chunk', async () => {
    const body = envelope({ data: [item('a')], extension_data: { a: 1 } });
    const { result } = await send({ behaviours: [json(200, body)], ids: ['a'] });
    expect(result).toMatchObject({ value: { extensionData: { a: 1 } } });
  });
});

describe('any response', () => {
  const anyId = fc.constantFrom('a', 'b', 'c', 'd', 'x');
  const entry = fc.oneof(
    { weight: 5, arbitrary: fc.record({ article_id: fc.option(anyId), success: fc.boolean(), details: fc.string() }) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );

  /** True where an entry for this article, or one without an ID, has success. */
  const confirms = (items: readonly unknown[], articleId: string) =>
    items.some((entry) => {
      const entries = new Map(Object.entries(entry ?? {}));
      const name = entries.get('article_id');
      return entries.get('success') === true && (name === articleId || typeof name !== 'string');
    });

  it('has one outcome for each item, in order, and "updated" only where it confirms that article', {
    tags: 'long',
  }, async () => {
    const { service, backend } = await openScene({ bulkSize: 3 });
    const property = fc.asyncProperty(
      fc.array(anyId, { minLength: 1, maxLength: 6 }),
      fc.array(fc.array(entry, { minLength: 1, maxLength: 6 }), { minLength: 6, maxLength: 6 }),
      async (ids, answers) => {
        service.on(ROUTE, ...answers.map((items) => itemsResponse(...items)));
        const before = service.received.length;
        const result = await backend.bulkUpdateArticles(callerWith(), updates(...ids));
        const outcomes = result.ok ? result.value.outcomes : [];
        expect(outcomes.map(({ articleId }) => articleId)).toEqual(ids);
        const answerOf = service.received
          .slice(before)
          .flatMap(({ body }, call) => (Array.isArray(body) ? body.map(() => answers[call] ?? []) : []));
        const updated = outcomes.flatMap(({ kind, articleId }, index) =>
          kind === 'updated' ? [confirms(answerOf[index] ?? [], articleId)] : [],
        );
        expect(updated).not.toContain(false);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });
});

describe('any rejections', () => {
  const MAY_HAVE_APPLIED = [400, 409, 422];

  /** The expected outcomes of chunks of these sizes and statuses; null where the bulk update has an error. */
  function endOf(sizes: readonly number[], statuses: readonly number[]): readonly string[] | null {
    const [first = 0] = statuses;
    if (first !== 200) return null;
    const stop = statuses.findIndex((code) => code !== 200 && !MAY_HAVE_APPLIED.includes(code));
    return sizes.flatMap((size, call) => {
      const rejected = size > 1 ? 'unknown' : 'failed';
      const answered = statuses[call] === 200 ? 'updated' : rejected;
      return Array.from({ length: size }, () => (stop !== -1 && call >= stop ? 'not-attempted' : answered));
    });
  }

  it('give each item the outcome that is true of it', async () => {
    const { service, backend } = await openScene({ bulkSize: 2 });
    const echo: Behaviour = (response, request) => {
      const { body } = request;
      return itemsResponse(...(Array.isArray(body) ? body.map(({ article_id }) => item(article_id)) : []))(
        response,
        request,
      );
    };
    // Each run has a token of its own, since a refused one is refused from memory for some seconds.
    let runs = 0;
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.constantFrom(200, 200, 200, 308, 400, 401, 403, 404, 409, 413, 418, 422, 429), {
        minLength: 5,
        maxLength: 5,
      }),
      async (count, statuses) => {
        service.on(ROUTE, ...statuses.map((code) => (code === 200 ? echo : refusal(code, 'No.'))));
        const ids = Array.from({ length: count }, (_, index) => `a${index}`);
        const sizes = Array.from({ length: Math.ceil(count / 2) }, (_, call) => Math.min(2, count - 2 * call));
        const expected = endOf(sizes, statuses.slice(0, sizes.length));
        runs += 1;
        const result = await backend.bulkUpdateArticles(callerWith(`token-${runs}`), updates(...ids));
        const mayHaveApplied = count > 1 && MAY_HAVE_APPLIED.includes(statuses[0] ?? 0);
        if (result.ok) expect(result.value.outcomes.map(({ kind }) => kind)).toEqual(expected);
        else
          expect([expected, result.error.kind === 'rejected' && result.error.mayHaveApplied]).toEqual([
            null,
            mayHaveApplied,
          ]);
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });
});
