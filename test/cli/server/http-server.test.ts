import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpServer, listen, stopServer } from '../../../src/cli/server/http-server.ts';

let servers: Server[] = [];

afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

/** A server that answers `done` once the request is there whole. */
async function start(answered: Promise<void> = Promise.resolve()) {
  const server = createHttpServer(async (request, response) => {
    await text(request).catch(() => '');
    await answered;
    response.end('done');
  }, 60_000);
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

  it('is told that its headers are too large', async () => {
    const { port } = await start();
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { padding: 'x'.repeat(20_000) } });
    expect(response.status).toBe(431);
  });
});

describe('stopServer', () => {
  it('is not held by idle connections', async () => {
    const { server, port } = await start();
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    expect(await stopServer(server, 60_000)).toBe(true);
  });

  it('waits for the call in flight, and not for the connection that carried it', async () => {
    const answer = Promise.withResolvers<void>();
    const { server, port } = await start(answer.promise);
    const response = fetch(`http://127.0.0.1:${port}/`);
    await once(server, 'request');
    const stopped = stopServer(server, 60_000);
    answer.resolve();
    expect(await (await response).text()).toBe('done');
    expect(await stopped).toBe(true);
  });

  it('tells each client that its connection ends with the answer', async () => {
    const answer = Promise.withResolvers<void>();
    const { server, port } = await start(answer.promise);
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
    const { server, port } = await start(new Promise(() => {}));
    const response = fetch(`http://127.0.0.1:${port}/`).catch((error) => error.message);
    await once(server, 'request');
    expect(await stopServer(server, 10)).toBe(false);
    expect(await response).toBe('fetch failed');
  });
});
