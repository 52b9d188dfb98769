import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { readRejection } from './rejections.ts';

const QUERY = '{"query":"{ __typename }"}';
const ANSWER = { data: { __typename: 'Query' } };
const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
const MAX_BYTES = 100_000;

describe('a request body', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({
      backend: await openFixtureStore(),
      local: true,
      token: TOKEN,
      maxBodyBytes: MAX_BYTES,
      maxBulkItems: 50,
      limits: { maxListItems: 200, maxValues: 1_000 },
    });
  });
  afterAll(() => gateway.close());

  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_token: TOKEN, 'graphql-require-preflight': '1', ...headers },
      body,
    });
  const raw = (headers: readonly string[], body: string | Buffer) =>
    sendRaw(gateway.url, rawRequest({ method: 'POST', headers, body }));

  it.each(['application/json', 'application/json;  charset=utf-8'])(
    'sent as %s is refused for its contents',
    async (contentType) => {
      const reject = async (body: string) => readRejection(await post(body, { 'content-type': contentType }));
      const variables = (json: string) => `{"query":"{ __typename }","variables":{"a":${json}}}`;
      const tooMuch = [
        variables('['.repeat(20_000) + ']'.repeat(20_000)),
        variables('{"a":'.repeat(15_000)),
        variables(`[${'1,'.repeat(200)}1]`),
        variables(`{${'"a":[],'.repeat(600)}"b":1}`),
        `{"query":"{ __typename }","extensions":{"a":[${'1,'.repeat(200)}1]}}`,
        '['.repeat(50_000),
      ];
      for (const body of tooMuch) {
        const { status, errors } = await reject(body);
        expect([status, errors[0]?.extensions.code]).toEqual([400, 'LIMIT_EXCEEDED']);
      }
      for (const body of [
        '',
        ' ',
        '{',
        '"x"',
        '3',
        'null',
        'true',
        `{"query":${'x'.repeat(100)}`,
        `${QUERY}${QUERY}`,
      ]) {
        const { status, errors } = await reject(body);
        expect([body, status, errors[0]?.extensions.code]).toEqual([body, 400, 'BAD_REQUEST']);
      }
    },
  );

  it('has the same bounds for a document that is cached', async () => {
    const sendIds = async (ids: readonly string[]) => post(JSON.stringify({ query: NODES, variables: { ids } }));
    expect(await (await sendIds([])).json()).toEqual({ data: { nodes: [] } });
    const long = await readRejection(await sendIds(Array.from({ length: 201 }, () => 'x')));
    expect([long.status, long.errors[0]?.message]).toEqual([400, expect.stringContaining('more than 200 items')]);
    expect(await (await sendIds([])).json()).toEqual({ data: { nodes: [] } });
  });

  it('by GET has the same bounds', async () => {
    const get = (variables: string) =>
      fetch(`${gateway.url}/graphql?query={__typename}&variables=${encodeURIComponent(variables)}`, {
        headers: { 'graphql-require-preflight': '1' },
      });
    expect(await (await get('{"a":1}')).json()).toEqual(ANSWER);
    for (const variables of ['{', '['.repeat(1_000), `{"a":[${'1,'.repeat(200)}1]}`, '[1]', '"x"']) {
      expect((await readRejection(await get(variables))).status).toBe(400);
    }
  });

  it.each([
    ['in a batch', `[${QUERY}]`],
    ['in an empty batch', '[]'],
    ['in a large batch', `[${`${QUERY},`.repeat(150)}${QUERY}]`],
  ])('%s is refused', async (_what, body) => {
    const { status, errors } = await readRejection(await post(body));
    expect([status, errors[0]?.message]).toEqual([400, expect.stringContaining('batches')]);
  });

  it.each([
    'application/json; charset=iso-8859-1',
    'application/json;charset=utf-16',
    'application/json; charset="us-ascii"',
    'application/xml',
    'application/graphql',
    'application/json, text/plain',
    'application/jsonp',
    'text/json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'text/plain',
  ])('of the type %s is refused with 415', async (contentType) => {
    const { status, errors } = await readRejection(await post(QUERY, { 'content-type': contentType }));
    expect([status, errors[0]?.extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'x-gzip', 'gzip, identity', 'nonsense'])(
    'in the encoding %s is refused with 415, and not decompressed',
    async (encoding) => {
      const { status } = await readRejection(await post(gzipSync(QUERY), { 'content-encoding': encoding }));
      expect(status).toBe(415);
    },
  );

  it.each(['application/json; charset=UTF-8', 'APPLICATION/JSON', 'application/json;charset="utf-8"'])(
    'of the type %s is accepted',
    async (contentType) => {
      expect(await (await post(QUERY, { 'content-type': contentType, 'content-encoding': 'identity' })).json()).toEqual(
        ANSWER,
      );
    },
  );

  it('that is not UTF-8 is refused', async () => {
    const parts = ['{"query":"{ __typename }","variables":{"a":"', '"}}'].map((part) => Buffer.from(part));
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      const body = Buffer.concat([parts[0] ?? Buffer.of(), Buffer.from(bytes), parts[1] ?? Buffer.of()]);
      expect((await readRejection(await post(body))).errors[0]?.message).toContain('not UTF-8');
    }
  });

  it('is refused by its size, announced, in chunks, or compressed', async () => {
    const large = JSON.stringify({ query: '{ __typename }', variables: { a: 'x'.repeat(MAX_BYTES) } });
    expect((await readRejection(await post(large))).status).toBe(413);
    const chunk = `${(64_000).toString(16)}\r\n${'x'.repeat(64_000)}\r\n`;
    const chunked = await raw(['Content-Type: application/json', 'Transfer-Encoding: chunked'], chunk.repeat(3));
    expect(chunked.status).toBe(413);
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect((await post(bomb, { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('whose announced size is beyond all bounds is refused before it arrives', async () => {
    const answer = await sendRaw(
      gateway.url,
      'POST /graphql HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n',
    );
    expect(answer.status).toBe(413);
  });

  it('that is written byte by byte is accepted', async () => {
    const chunks = [...QUERY].map((character) => `1\r\n${character}\r\n`).join('');
    const answer = await raw(['Content-Type: application/json', 'Transfer-Encoding: chunked'], `${chunks}0\r\n\r\n`);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, ANSWER]);
  });

  it('pollutes no prototype and no response', async () => {
    const polluting = [
      '{"query":"{ __typename }","variables":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}',
      '{"query":"{ __typename }","extensions":{"__proto__":{"polluted":true}}}',
      '{"__proto__":{"query":"{ __typename }"},"query":"{ __typename }"}',
      '{"query":"query ($__proto__: ID, $constructor: ID) { __typename }","variables":{"__proto__":{"polluted":true}}}',
      '{"query":"{ __proto__: __typename constructor: __typename toString: __typename }"}',
      '{"query":"query hasOwnProperty { __typename }","operationName":"hasOwnProperty"}',
      '{"query":"{ __typename }","operationName":"__proto__"}',
      '{"query":"{ ...toString } fragment toString on Query { __typename }"}',
      '{"query":"{ ...__proto__ } fragment __proto__ on Query { __typename }"}',
      '{"query":"{ node(id: \\"constructor\\") { id } constructor { prototype } }"}',
      `{"query":${JSON.stringify(NODES)},"variables":{"ids":["__proto__","constructor"]}}`,
      '{"query":"mutation ($i: UpdateReaderGroupInput!) { updateReaderGroup(input: $i) { __typename } }","variables":{"i":{"__proto__":{"groupId":"g1","title":"x","accessScope":{"level":"NONE"}}}}}',
    ];
    for (const body of polluting) {
      const response = await post(body);
      expect(response.status).toBeLessThan(500);
      expect(await response.text()).not.toMatch(/polluted|INTERNAL|native code/u);
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
