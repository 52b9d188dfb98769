import { createServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Caller } from '../../../src/core/callers/caller.ts';
import type { ServiceCall } from '../../../src/service/calls/service-call.ts';
import { openPipeline, type PipelineOptions } from '../../support/call-pipeline.ts';
import {
  type Behaviour,
  cutWithin,
  drip,
  endless,
  type FaultyService,
  gzipBomb,
  hang,
  json,
  openFaultyService,
  reset,
  status,
} from '../../support/faulty-service.ts';
import { portOf } from '../../support/ports.ts';
import { callerWith, openBackendTo } from '../../support/rest-scene.ts';

const THINGS = { kind: 'read', path: ['Teams'] } as const;
const ROUTE = 'GET /v2/Teams';

function open(options: PipelineOptions) {
  const pipeline = openPipeline(options);
  return { send: (operation: ServiceCall, caller: Caller) => pipeline.send(caller, operation) };
}

async function openService(): Promise<FaultyService> {
  const service = await openFaultyService();
  onTestFinished(() => service.close());
  return service;
}

/** A caller who uses the service credential. */
const within = (ms: number, apiToken = 'secret'): Caller => ({ ...callerWith(apiToken, ms), sentToken: null });

/** A server that sends nothing and keeps every byte that it receives. */
async function openListener() {
  let text = '';
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      socket.destroy();
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return { port: portOf(server.address()), text: () => text };
}

describe('a request', () => {
  it('goes below the path of the base URL, with every segment escaped', async () => {
    const service = await openService();
    const client = open({ baseUrl: `${service.url}/some/prefix/?stray=1#stray` });
    await client.send(
      { kind: 'read', path: [{ id: 'a/b' }, { id: 'c?d' }, { id: 'ü%' }], query: { 'q&': 'x y', n: 1 } },
      within(5_000),
    );
    expect(service.received[0]?.url).toBe('/some/prefix/v2/a%2Fb/c%3Fd/%C3%BC%25?q%26=x+y&n=1');
  });

  it('carries the token in api_token and in nothing else', async () => {
    const service = await openService();
    await open({ baseUrl: service.url }).send(THINGS, within(5_000));
    const [request] = service.received;
    expect(request?.headers['api_token']).toBe('secret');
    expect(request?.headerNames.map((name) => name.toLowerCase()).sort()).toEqual(
      ['accept', 'accept-encoding', 'api_token', 'connection', 'host', 'user-agent', 'x-request-id'].sort(),
    );
    expect(JSON.stringify({ ...request?.headers, api_token: '' })).not.toContain('secret');
  });

  it.each(['PUT', 'POST', 'DELETE'] as const)(
    'of a write without a body ends, and keeps its lease: %s',
    async (method) => {
      const service = await openService();
      service.on(`${method} /v2/Teams`, json(200, {}));
      const client = open({ baseUrl: service.url, timeoutMs: 5_000 });
      const call = {
        kind: 'write',
        staleReads: 'articles',
        path: ['Teams'],
        ...(method !== 'PUT' && { method }),
      } as const;
      expect(await client.send(call, within(5_000))).toMatchObject({ ok: true, value: { httpStatus: 200 } });
      expect(service.received[0]?.headers).toMatchObject({ 'content-length': '0' });
      expect(service.received[0]?.headers['content-type']).toBeUndefined();
      const late = await client.send(call, { ...within(5_000), lease: { isExpired: () => true } });
      expect(late).toMatchObject({ ok: false, error: { kind: 'not-begun' } });
      expect(service.received).toHaveLength(1);
    },
  );

  it('states the length of a body of several megabytes, and sends it whole', async () => {
    const service = await openService();
    service.on('PUT /v2/Teams', json(200, {}));
    const body = ['ü'.repeat(3_000_000)];
    const result = await open({ baseUrl: service.url }).send(
      { kind: 'write', staleReads: 'articles', path: ['Teams'], body },
      within(10_000),
    );
    expect(result).toMatchObject({ ok: true, value: { httpStatus: 200 } });
    expect(service.received[0]?.headers['content-length']).toBe('6000004');
    expect(service.received[0]?.body).toEqual(body);
  });

  it('shares a connection with the one before it', async () => {
    const service = await openService();
    service.on(ROUTE, json(200, {}));
    const client = open({ baseUrl: service.url });
    for (let call = 0; call < 3; call += 1) await client.send(THINGS, within(5_000));
    expect([service.received.length, service.connections()]).toEqual([3, 1]);
  });

  it('does not follow a redirect, so the token never arrives elsewhere', async () => {
    const service = await openService();
    const elsewhere = await openService();
    service.on(ROUTE, status(307, '', { location: `${elsewhere.url}/v2/Teams` }));
    const result = await open({ baseUrl: service.url }).send(THINGS, within(5_000));
    expect(result).toMatchObject({ ok: true, value: { httpStatus: 307 } });
    expect(elsewhere.received).toEqual([]);
  });
});

const bytes =
  (values: readonly number[]): Behaviour =>
  (response) => {
    response.end(Buffer.from(values));
  };

describe('a response', () => {
  it.each([
    ['JSON', json(200, { a: [1] }), { a: [1] }],
    ['an HTML page', status(200, '<html>'), undefined],
    ['half a document', status(200, '{"a": [1'), undefined],
    ['an empty body', status(204), undefined],
    ['bytes that are no UTF-8', bytes([0x22, 0xff, 0x22]), undefined],
    ['an encoding that was not requested', status(200, '{}', { 'content-encoding': 'br' }), undefined],
    ['an encoding that is broken', status(200, '{}', { 'content-encoding': 'gzip' }), undefined],
    ['brackets in a string', status(200, JSON.stringify('\\"[{'.repeat(500))), '\\"[{'.repeat(500)],
    ['lists in lists without end', status(200, '['.repeat(100_000) + ']'.repeat(100_000)), undefined],
    ['more lists than any response has', status(200, `[${'[],'.repeat(600_000)}[]]`), undefined],
    ['a bomb', gzipBomb(64 * 1024 * 1024), undefined],
  ])('of %s is parsed', async (_name, behaviour, body) => {
    const service = await openService();
    service.on(ROUTE, behaviour);
    const result = await open({ baseUrl: service.url }).send(THINGS, within(10_000));
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.value.body).toEqual(body);
  });

  const plain = Buffer.from('{"a":1}');
  it.each([
    ['gzip', gzipSync(plain)],
    ['GZIP', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['identity', plain],
    ['none', plain],
    ['', plain],
    [' , ', plain],
    ['UTF-8', plain],
    ['utf8', plain],
    ['application/json', plain],
    ['identity, gzip', gzipSync(plain)],
    ['gzip, utf-8', gzipSync(plain)],
    ['gzip, gzip', gzipSync(plain)],
  ])('is decoded with the Content-Encoding %j: %#', async (coding, packed) => {
    const service = await openService();
    service.on(ROUTE, (response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(packed);
    });
    const result = await open({ baseUrl: service.url }).send(THINGS, within(5_000));
    expect(result).toMatchObject({ ok: true, value: { body: { a: 1 } } });
  });

  it.each([
    ['compress', Buffer.from([0x1f, 0x9d, 0x90]), '"compress"'],
    ['aws-chunked, gzip', gzipSync('7;chunk-signature=1'), '"aws-chunked"'],
    ['br', brotliCompressSync(plain), '"br"'],
    ['br', plain, '"br"'],
    ['deflate, gzip', gzipSync(deflateSync(plain)), '"deflate"'],
    ['zstd', zstdCompressSync(plain), '"zstd"'],
    [`x${'y'.repeat(500)}`, Buffer.from('no JSON'), `"x${'y'.repeat(59)}"`],
  ])('of the unknown Content-Encoding %j is named', async (coding, packed, name) => {
    const service = await openService();
    const lines: unknown[] = [];
    const log = (...line: readonly unknown[]) => void lines.push(line);
    service.onAny((response) => {
      response.writeHead(200, { 'content-encoding': coding, 'content-type': 'application/json' }).end(packed);
    });
    const result = await open({ baseUrl: service.url, log }).send(THINGS, within(5_000));
    expect(result).toMatchObject({ ok: true, value: { body: undefined, unknownCoding: name } });
    const backend = openBackendTo(service);
    onTestFinished(() => backend.close());
    const message = `the answer of the service could not be read: its Content-Encoding is ${name}.`;
    const read = await backend.projectVersions(callerWith());
    expect(read).toMatchObject({ error: { message: `The read failed: ${message}` } });
    const write = await backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a' }]);
    expect(write).toMatchObject({ value: { outcomes: [{ details: `The outcome is unknown: ${message}` }] } });
    expect(JSON.stringify(lines)).toContain(JSON.stringify(name).slice(1, -1));
  });

  it('is not unpacked beyond the bound of responses', async () => {
    const service = await openService();
    const packed = gzipSync(Buffer.concat([Buffer.alloc(64 * 1024 * 1024, ' '), plain]));
    service.on(ROUTE, (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
    });
    const result = await open({ baseUrl: service.url }).send(THINGS, within(10_000));
    expect(result.ok && result.value.body).toBeUndefined();
  });
});

describe('a call without a response', () => {
  it.each<[string, Behaviour, string, number?]>([
    ['a hanging service', hang(), 'the service did not answer in time.', 1_000],
    ['a dripping body', drip(), 'the service did not answer in time.', 1_000],
    ['an endless body', endless(), 'the answer of the service is too large.'],
    ['a reset before the response', reset(), 'the connection was cut.'],
    ['a reset within the response', cutWithin(200, '{"data": ['), 'the connection was cut.'],
  ])('is unknown after %s', async (_name, ...[behaviour, reason, timeoutMs = 60_000]) => {
    const service = await openService();
    service.on(ROUTE, behaviour);
    const result = await open({ baseUrl: service.url, timeoutMs }).send(THINGS, within(120_000));
    expect(result).toEqual({ ok: false, error: { kind: 'unknown', reason } });
  });

  it('ends by the deadline of the caller where that comes first', async () => {
    const service = await openService();
    service.on(ROUTE, hang());
    const result = await open({ baseUrl: service.url, timeoutMs: 60_000 }).send(THINGS, within(1_000));
    expect(result).toMatchObject({ ok: false, error: { kind: 'unknown' } });
  });

  it('never arrived where the connection was refused', async () => {
    const service = await openFaultyService();
    await service.close();
    const result = await open({ baseUrl: service.url }).send(THINGS, within(5_000));
    const message = 'The service cannot be reached: the connection was refused.';
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'not-connected', error: { kind: 'unavailable', message } },
    });
  });

  it('never arrived where the name of the host is unknown', async () => {
    const result = await open({ baseUrl: 'http://service.invalid' }).send(THINGS, within(10_000));
    expect(result).toMatchObject({ ok: false, error: { kind: 'not-connected' } });
  });

  it('never arrived where the TLS handshake failed', async () => {
    const listener = await openListener();
    const result = await open({ baseUrl: `https://127.0.0.1:${listener.port}` }).send(THINGS, within(5_000));
    expect(result).toMatchObject({ ok: false, error: { kind: 'not-connected' } });
    expect(listener.text()).not.toContain('secret');
  });

  it('may have arrived where the same connection over plain HTTP was cut', async () => {
    const listener = await openListener();
    const result = await open({ baseUrl: `http://127.0.0.1:${listener.port}` }).send(THINGS, within(5_000));
    expect(result).toMatchObject({ ok: false, error: { kind: 'unknown' } });
    expect(listener.text()).toContain('secret');
  });
});

describe('the queue in front of the sockets', () => {
  it('has a maximum length, beyond which calls fail at once, unsent', async () => {
    const service = await openService();
    service.on(ROUTE, hang());
    service.on('GET /v2/Readers', json(200, {}));
    const client = open({ baseUrl: service.url, timeoutMs: 2_000, maxSockets: 1, maxWaiting: 1 });
    await client.send({ kind: 'read', path: ['Readers'] }, within(20_000));
    const calls = [1, 2, 3].map(() => client.send(THINGS, within(1_500)));
    expect(await calls[2]).toMatchObject({ ok: false, error: { kind: 'not-begun' } });
    expect(await calls[1]).toMatchObject({ ok: false, error: { kind: 'not-begun' } });
    expect(await calls[0]).toMatchObject({ ok: false, error: { kind: 'unknown' } });
    expect(service.receivedOn(ROUTE)).toHaveLength(1);
  });

  it('drops a write that could not begin in time any more', { tags: 'long' }, async () => {
    const service = await openService();
    service.on(ROUTE, hang());
    service.on('PUT /v2/Teams', json(200, {}));
    const client = open({ baseUrl: service.url, timeoutMs: 1_000, maxSockets: 1 });
    const first = client.send(THINGS, within(5_000));
    const write = await client.send(
      { kind: 'write', staleReads: 'articles', path: ['Teams'], body: {} },
      within(1_200),
    );
    const message = expect.stringContaining('The request has 1200 ms');
    expect(write).toMatchObject({ ok: false, error: { kind: 'not-begun', error: { kind: 'unavailable', message } } });
    await first;
    expect(service.received).toHaveLength(1);
  });

  it('keeps sockets and room in the queue for other tokens, while the calls of one hang', {
    tags: 'long',
  }, async () => {
    const service = await openService();
    service.onAny((response, { headers }) => {
      if (headers['api_token'] === 'other') response.end('{}');
    });
    const client = open({ baseUrl: service.url, timeoutMs: 1_000, maxSockets: 2, maxWaiting: 2 });
    const hanging = Array.from({ length: 4 }, () => client.send(THINGS, within(1_000)));
    let ended = 0;
    for (const call of hanging.slice(0, 2)) call.then(() => ended++);
    const others = Array.from({ length: 2 }, () => client.send(THINGS, within(1_000, 'other')));
    expect(await Promise.all(others)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(ended).toBe(0);
    await Promise.all(hanging);
  });

  it('lets every call through in the end', async () => {
    const service = await openService();
    service.on(ROUTE, json(200, {}));
    const client = open({ baseUrl: service.url, maxSockets: 2, maxWaiting: 40 });
    const result = await Promise.all(Array.from({ length: 20 }, () => client.send(THINGS, within(10_000))));
    expect(result.every(({ ok }) => ok)).toBe(true);
    expect(service.connections()).toBeLessThanOrEqual(2);
  });
});
