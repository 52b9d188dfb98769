import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Log, silentLog } from '../../../src/core/base/log.ts';
import { createHttpRequestFacts } from '../../../src/server/http/requests/request-facts.ts';
import { createHttpServer, listen, stopServer } from '../../../src/server/process/http-server.ts';
import { portOf } from '../../support/ports.ts';
import { sendRaw } from '../../support/raw-http.ts';

let servers: Server[] = [];

afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

/** A server that answers `done` once the request is there whole. */
interface StartOptions {
  readonly answered?: Promise<void>;
  readonly answer?: string;
  readonly log?: Log;
  readonly keepAliveMs?: number;
  readonly maxHeaderBytes?: number;
}

async function start({ answered = Promise.resolve(), answer = 'done', ...options }: StartOptions = {}) {
  const { log = silentLog, keepAliveMs = 75_000, maxHeaderBytes = 16_384 } = options;
  const server = createHttpServer(
    async (request, response) => {
      // As the door reads a body: in flowing mode.
      request.resume();
      await finished(request).catch(() => {});
      await answered;
      response.end(answer);
    },
    { maxResponseMs: 60_000, keepAliveMs, maxHeaderBytes, log },
  );
  servers.push(server);
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  if (!address.ok) throw new Error(address.error);
  return { server, port: address.value.port };
}

describe('listen', () => {
  it('tells the port that was taken', async () => {
    const { port } = await start();
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('done');
  });

  it('takes calls by IPv4, and by IPv6 where the machine has it, for the host ::', async () => {
    const server = createServer((_request, response) => response.end('there'));
    onTestFinished(() => void server.close());
    const everywhere = await listen(server, { host: '::', port: 0 });
    if (!everywhere.ok) throw new Error(everywhere.error);
    for (const host of existsSync('/proc/net/if_inet6') ? ['127.0.0.1', '[::1]'] : ['127.0.0.1'])
      expect(await (await fetch(`http://${host}:${everywhere.value.port}/`)).text()).toBe('there');
  });

  it('says which port is in use', async () => {
    const { port } = await start();
    const refused = await listen(createServer(), { host: '127.0.0.1', port });
    expect(refused).toEqual({ ok: false, error: expect.stringContaining(`port ${port} of 127.0.0.1 is in use`) });
  });

  it('says what is wrong with a host', async () => {
    const refused = await listen(createServer(), { host: '192.0.2.1', port: 0 });
    expect(refused).toEqual({ ok: false, error: expect.stringContaining('192.0.2.1') });
  });
});

describe('what cannot be read as a request', () => {
  it.each([
    ['GET / HTTP/9.9\r\n\r\n', 400],
    ['nonsense\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('is answered with an ID that the log has as well: %.40j', async (bytes, status) => {
    const lines: unknown[] = [];
    const { port } = await start({ log: (_, message, fields) => lines.push({ message, ...fields }) });
    const answer = await sendRaw(`http://127.0.0.1:${port}`, bytes);
    const requestId = answer.headers.get('x-request-id');
    expect([answer.status, requestId]).toEqual([status, expect.stringMatching(/^[\da-f-]{36}$/u)]);
    const setting = status === 431 ? 'MAX_HEADER_BYTES' : undefined;
    const message = 'a request could not be read';
    expect(lines).toEqual([{ message, status, code: expect.any(String), setting, requestId }]);
  });

  // As where a client takes the length of its body in characters: https://github.com/nodejs/node/issues/33728
  it.each(['keep-alive', 'close'])(
    'is read after the response to a complete request: Connection: %s',
    async (header) => {
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      const { server, port } = await start({ answered });
      const socket = connect(port, '127.0.0.1');
      const received = text(socket);
      const unreadable = once(server, 'clientError');
      const request = `POST / HTTP/1.1\r\nHost: a\r\nConnection: ${header}\r\nContent-Length: 3\r\n\r\n`;
      socket.write(`${request}abcnonsense\r\n\r\n`);
      await unreadable;
      socket.write('nonsense\r\n\r\n');
      answer();
      expect((await received).match(/HTTP\/1.1 \d+|connection: \w+|done/gu)).toEqual([
        'HTTP/1.1 200',
        'connection: close',
        'done',
      ]);
    },
  );

  it('is read after all responses to complete requests, and before the body of the next', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { server, port } = await start({ answered });
    const socket = connect(port, '127.0.0.1');
    const received = text(socket);
    const unreadable = once(server, 'clientError');
    const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    socket.write(`${request}${request}POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n`);
    await unreadable;
    answer();
    expect((await received).match(/HTTP\/1.1 \d+|done/gu)).toEqual(['HTTP/1.1 200', 'done', 'HTTP/1.1 200', 'done']);
  });

  it('adds nothing to a response that has begun', async () => {
    const { promise: begun, resolve: end } = Promise.withResolvers<ServerResponse>();
    const server = createHttpServer((_, response) => void response.write('part', () => end(response)), {
      maxResponseMs: 60_000,
      keepAliveMs: 75_000,
      maxHeaderBytes: 16_384,
      log: silentLog,
    });
    servers.push(server);
    await listen(server, { host: '127.0.0.1', port: 0 });
    const socket = connect(portOf(server.address()), '127.0.0.1');
    const received = text(socket);
    const unreadable = once(server, 'clientError');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const response = await begun;
    socket.write('nonsense\r\n\r\n');
    await unreadable;
    response.end('end');
    expect((await received).split('\r\n').slice(-7)).toEqual(['4', 'part', '3', 'end', '0', '', '']);
  });

  it('is answered with the ID of the request whose body it is', async () => {
    const { server, port } = await start();
    server.on('request', (request, response) => createHttpRequestFacts(request, response));
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nX-Request-Id: own\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answer = await sendRaw(`http://127.0.0.1:${port}`, `${head}nonsense\r\n`);
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([400, 'own']);
  });

  it.each(['Expect: something', 'X: no-host'])('does not keep the listener from answering: %s', async (header) => {
    const { port } = await start();
    const bytes = `GET / HTTP/1.1\r\n${header}\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(`http://127.0.0.1:${port}`, bytes)).toMatchObject({ status: 200, body: 'done' });
  });
});

describe('a slow client', () => {
  it('is dropped where its headers or its body do not come to an end', async () => {
    const { port } = await start();
    const unfinished = ['', '\r\n12345'].map((rest) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n${rest}`);
      return text(socket);
    });
    for (const answer of await Promise.all(unfinished)) expect(answer).toMatch(/^HTTP\/1\.1 408 /u);
  });

  it('is dropped where it sends nothing', async () => {
    const { port } = await start();
    expect(await text(connect(port, '127.0.0.1'))).toMatch(/^HTTP\/1\.1 408 /u);
  });

  it('has ten seconds to read an answer that the system holds, as a line of 5 kB a second needs for 50 kB', async () => {
    // More than the client's side takes while nobody reads, and less than what makes the server wait.
    const { server, port } = await start({ answer: 'x'.repeat(200_000) });
    const socket = connect(port, '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [, response] = await once(server, 'request');
    await once(response, 'finish');
    await sleep(10_000);
    let received = 0;
    for await (const chunk of socket) {
      received += chunk.length;
      if (received > 200_000) break;
    }
    expect(received).toBeGreaterThan(200_000);
  });

  it('is dropped where it never reads the answer that the system holds', async () => {
    const { server, port } = await start({ answer: 'x'.repeat(200_000) });
    const socket = connect(port, '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [request] = await once(server, 'request');
    await once(request.socket, 'close');
    await expect(text(socket)).rejects.toThrow('ECONNRESET');
  });

  it('is told that its headers are too large', async () => {
    const { port } = await start();
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { padding: 'x'.repeat(20_000) } });
    expect(response.status).toBe(431);
    expect(await response.text()).toContain('may have 16384 bytes together, which MAX_HEADER_BYTES sets.');
  });

  it('may send larger ones where MAX_HEADER_BYTES says so', async () => {
    const { port } = await start({ maxHeaderBytes: 65_536 });
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { padding: 'x'.repeat(60_000) } });
    expect(response.status).toBe(200);
  });
});

describe('an idle connection', () => {
  it('ends after KEEP_ALIVE_SECONDS, which its answers announce', async () => {
    const { port } = await start({ keepAliveMs: 3_000 });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [answer] = await once(socket, 'data');
    expect(`${answer}`).toContain('Keep-Alive: timeout=3\r\n');
    const since = performance.now();
    await new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
    expect(performance.now() - since).toBeGreaterThan(2_900);
  });

  it.for([
    { name: 'ends', answer: 'done' },
    { name: 'whose answer is unread ends', answer: 'x'.repeat(200_000) },
  ])('$name although its client sends line feeds', async ({ answer }) => {
    const { server, port } = await start({ keepAliveMs: 1_000, answer });
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [request] = await once(server, 'request');
    const timer = setInterval(() => socket.write('\r\n'), 200);
    onTestFinished(() => clearInterval(timer));
    await once(request.socket, 'close');
  });
});

describe('stopServer', () => {
  it('is not held by idle connections', async () => {
    const { server, port } = await start();
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    expect(await stopServer(server, 8_000)).toBe(true);
  });

  it('waits for the call in flight, and not for the connection that carried it', async () => {
    const answer = Promise.withResolvers<void>();
    const { server, port } = await start({ answered: answer.promise });
    const response = fetch(`http://127.0.0.1:${port}/`);
    await once(server, 'request');
    const stopped = stopServer(server, 60_000);
    answer.resolve();
    expect(await (await response).text()).toBe('done');
    expect(await stopped).toBe(true);
  });

  it('tells each client that its connection ends with the answer', async () => {
    const answer = Promise.withResolvers<void>();
    const { server, port } = await start({ answered: answer.promise });
    const response = fetch(`http://127.0.0.1:${port}/`);
    await once(server, 'request');
    void stopServer(server, 60_000);
    answer.resolve();
    expect((await response).headers.get('connection')).toBe('close');
  });

  it('still answers what comes on an idle connection just then', async () => {
    const { server, port } = await start();
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    const stopped = stopServer(server, 60_000);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\nconnection: close\r\n/u);
    expect(await stopped).toBe(true);
  });

  it('cuts what is still in flight after the grace', async () => {
    const { server, port } = await start({ answered: new Promise(() => {}) });
    const response = fetch(`http://127.0.0.1:${port}/`).catch((error) => error.message);
    await once(server, 'request');
    expect(await stopServer(server, 10)).toBe(false);
    expect(await response).toBe('fetch failed');
  });
});
