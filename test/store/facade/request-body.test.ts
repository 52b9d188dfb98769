import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKEN } from '../../support/fixture-store.ts';
import { type Facade, openFacade } from './harness.ts';

const BULK = '/v2/Articles/bulkupdate';
const JSON_TYPE = { 'content-type': 'application/json' };
const LIMIT = 1000;

const ITEMS = '[{"article_id":"a1","source":"ü"}]';

/** A body in chunks, without a Content-Length. */
const chunked = (...chunks: readonly (string | Uint8Array)[]) =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
      controller.close();
    },
  });

describe('parseBody', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade({
      maxBodyBytes: LIMIT,
      maxBulkItems: 20,
      jsonBounds: { maxValues: 80, maxListItems: 20 },
    });
  });
  afterAll(() => facade.close());

  const put = async (body: BodyInit | null, headers: HeadersInit = JSON_TYPE) => {
    const { status, body: envelope } = await facade.send(BULK, { method: 'PUT', body, headers });
    expect(envelope).toMatchObject({ success: status === 200, warnings: [], information: [] });
    return [status, Object(envelope).errors[0]?.description];
  };

  it.each([
    'application/json',
    'Application/JSON; Charset=UTF-8',
    'application/json;charset="utf-8"; x=y',
    'text/json',
    'application/json-patch+json',
    'application/vnd.example.v1+json',
  ])('takes the media type %s', async (type) => {
    expect(await put(ITEMS, { 'content-type': type })).toEqual([200, undefined]);
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'text/vnd.example+json',
    'json',
    'application/json, text/plain',
  ])('refuses the media type %s with 415', async (type) => {
    expect(await put(ITEMS, { 'content-type': type })).toEqual([415, expect.stringContaining('application/json')]);
  });

  it('refuses a body without a media type with 415', async () => {
    expect(await put(new TextEncoder().encode(ITEMS), {})).toEqual([415, expect.stringContaining('application/json')]);
  });

  it.each(['iso-8859-1', 'utf-16', '""'])('refuses the charset %j with 415', async (charset) => {
    const type = { 'content-type': `application/json; charset=${charset}` };
    expect(await put(ITEMS, type)).toEqual([415, 'The charset of the request body must be UTF-8.']);
  });

  it('refuses an encoded body with 415, and accepts identity', async () => {
    expect(await put(ITEMS, { ...JSON_TYPE, 'content-encoding': 'gzip' })).toEqual([
      415,
      'The content encoding of the request body must be identity.',
    ]);
    expect(await put(ITEMS, { ...JSON_TYPE, 'content-encoding': 'identity' })).toEqual([200, undefined]);
  });

  it.each([
    ['no body', null, {}],
    ['an empty form', '', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['an empty stream', chunked(), JSON_TYPE],
  ])('reads %s as an empty body', async (_, body, headers) => {
    expect(await put(body, headers)).toEqual([400, 'A non-empty request body is required.']);
  });

  it('reads a body in chunks, cut within a character', async () => {
    const bytes = new TextEncoder().encode(ITEMS);
    const cut = bytes.indexOf(0xc3) + 1;
    expect(await put(chunked(bytes.slice(0, cut), bytes.slice(cut)))).toEqual([200, undefined]);
  });

  it.each([
    ['[{"article_id":"secret"', ' (position 23)'],
    ['{article_id}', ' (position 1)'],
    ['secret', ''],
    ['[', ' (position 1)'],
    ['  ', ' (position 2)'],
    ["[{'article_id':'a1'}]", ' (position 2)'],
  ])('refuses %s, which is not JSON, and does not quote it', async (body, position) => {
    expect(await put(body)).toEqual([400, `The request body is not JSON${position}.`]);
  });

  it('refuses bytes that are not UTF-8', async () => {
    expect(await put(new Uint8Array([0x5b, 0xff, 0x5d]))).toEqual([400, 'The request body is not UTF-8.']);
  });

  it.each([
    ['too long a list', `[${'1,'.repeat(20)}1]`, 'more than 20 items'],
    ['too many values', `{${'"a":{},'.repeat(81)}"b":{}}`, 'more than 80 values'],
  ])('refuses %s before it parses them', async (_what, body, problem) => {
    expect(await put(body)).toEqual([400, expect.stringContaining(problem)]);
  });

  it('accepts a body of the limit, and refuses one byte more with 413, with and without a Content-Length', async () => {
    const full = ITEMS.padEnd(LIMIT - 1, ' ');
    const tooLarge = [413, `The request body must have at most ${LIMIT} bytes.`];
    expect(await put(full)).toEqual([200, undefined]);
    expect(await put(`${full} `)).toEqual(tooLarge);
    expect(await put(chunked(full))).toEqual([200, undefined]);
    expect(await put(chunked(full, ' '))).toEqual(tooLarge);
  });

  it('sends 413 before the body has ended', async () => {
    expect(await statusOfUnfinished(facade, ' '.repeat(LIMIT + 1))).toBe(413);
  });

  it('sends 413 for a large Content-Length before any of the body has arrived', async () => {
    expect(await statusOfUnfinished(facade, '', { 'content-length': LIMIT + 1 })).toBe(413);
  });
});

/** Sends the beginning of a body and never its end. */
async function statusOfUnfinished({ url }: Facade, beginning: string, headers = {}): Promise<unknown> {
  const upload = request(`${url}${BULK}`, { method: 'PUT', headers: { ...JSON_TYPE, api_token: TOKEN, ...headers } });
  const answered = once(upload, 'response');
  upload.on('error', () => {});
  upload.flushHeaders();
  if (beginning !== '') upload.write(beginning);
  const [response] = await answered;
  upload.destroy();
  return response.statusCode;
}

describe('parseBody with other limits', () => {
  it('refuses a body of nothing but brackets', async () => {
    const facade = await openFacade({ maxBodyBytes: 10_000_000 });
    const body = '['.repeat(500_000) + ']'.repeat(500_000);
    const answer = await facade.send(BULK, { method: 'PUT', body, headers: JSON_TYPE });
    await facade.close();
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ description: expect.stringContaining('256 deep') }] },
    });
  });
});
