import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createRequestFacts } from '../../../../src/core/callers/request-facts.ts';
import { RequestSummary } from '../../../../src/core/callers/request-report.ts';
import { MemoryBudget, RequestMemory } from '../../../../src/server/http/memory.ts';
import { sendBody } from '../../../../src/server/http/responses/send-response.ts';
import { watchConnections } from '../../../../src/server/http/responses/slow-clients.ts';
import { portOf } from '../../../support/ports.ts';

type ProgressLimits = NonNullable<Parameters<typeof watchConnections>[1]>;

/** More than the socket buffers of both sides hold. */
const LARGE = Buffer.alloc(64 * 1024 ** 2, 'x');
const LIMITS: ProgressLimits = { checkMs: 20, windowMs: 60_000, windowBytes: 1 };

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

async function start(rules: Partial<ProgressLimits>, answer: Promise<void> = Promise.resolve()): Promise<Server> {
  const server = createServer(async (_request, response) => {
    await answer;
    const [facts, summary] = [createRequestFacts(), new RequestSummary()];
    const memory = new RequestMemory(new MemoryBudget());
    const route = 'graphql' as const;
    const outgoing = { response, route, facts, summary, memory, isRefusable: false, sendUnavailable: () => {} };
    sendBody(outgoing, { status: 200, headers: {}, body: LARGE });
  });
  watchConnections(server, { ...LIMITS, ...rules });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

interface Asked {
  readonly client: Socket;
  /** True when the server closed the connection before the whole response was read. */
  readonly dropped: Promise<boolean>;
}

/** Sends a request and does not read its response. */
async function ask(server: Server): Promise<Asked> {
  const client = connect(portOf(server.address()), '127.0.0.1').on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const [, response] = await once(server, 'request');
  return { client, dropped: once(response, 'close').then(() => !response.writableFinished) };
}

const readAll = async ({ client }: Asked): Promise<number> => (await buffer(client).catch(() => Buffer.of())).length;

describe('watchConnections', () => {
  it('closes a connection whose client reads nothing', async () => {
    expect(await (await ask(await start({ windowMs: 50 }))).dropped).toBe(true);
  });

  it('closes a connection whose client reads too slowly', async () => {
    const { client, dropped } = await ask(await start({ windowMs: 100, windowBytes: LARGE.length }));
    client.on('data', () => {
      client.pause();
      setTimeout(() => client.resume(), 20);
    });
    expect(await dropped).toBe(true);
  });

  it('closes a connection whose client sends more and reads nothing', async () => {
    const { client, dropped } = await ask(await start({ windowMs: 50 }));
    const sending = setInterval(() => client.write('\r\n'), 10);
    expect(await dropped).toBe(true);
    clearInterval(sending);
  });

  it('lets a client read the whole response', async () => {
    const asked = await ask(await start({ windowMs: 200, windowBytes: 1_000 }));
    expect(await readAll(asked)).toBeGreaterThan(LARGE.length);
    expect(await asked.dropped).toBe(false);
  });

  it('ignores responses that have not begun', async () => {
    const answer = Promise.withResolvers<void>();
    const asked = await ask(await start({ windowMs: 50, windowBytes: 1_000 }, answer.promise));
    await pause(200);
    answer.resolve();
    expect(await readAll(asked)).toBeGreaterThan(LARGE.length);
  });
});
