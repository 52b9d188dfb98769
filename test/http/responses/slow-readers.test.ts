import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { MemoryBudget, memoryShares } from '../../../src/http/memory/memory-budget.ts';
import { trackAnswers } from '../../../src/http/responses/in-flight-responses.ts';
import { sendResponse } from '../../../src/http/responses/send-response.ts';
import { dropSlowReaders, type ReadingRules } from '../../../src/http/responses/slow-readers.ts';
import { portOf } from '../../support/gateway.ts';

/** More than the sockets of both sides hold between them. */
const LARGE = Buffer.alloc(64 * 1024 ** 2, 'x');
const PATIENT: ReadingRules = {
  checkMs: 20,
  windowMs: 60_000,
  windowBytes: 1,
};

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

async function start(rules: Partial<ReadingRules>, answer: Promise<void> = Promise.resolve()): Promise<Server> {
  const server = createServer(async (_request, response) => {
    await answer;
    const memory = new MemoryBudget(memoryShares(0)).beginAnyhow({ isKnown: () => true });
    await sendResponse({ response, memory, refuse: null }, new Response(LARGE));
  });
  dropSlowReaders(server, trackAnswers(server), { ...PATIENT, ...rules });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

interface Asked {
  readonly client: Socket;
  /** Whether the server was rid of the connection while its answer was not yet taken. */
  readonly dropped: Promise<boolean>;
}

/** Asks for the answer, and reads nothing of it. */
async function ask(server: Server): Promise<Asked> {
  const client = connect(portOf(server.address()), '127.0.0.1').on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const [, response] = await once(server, 'request');
  return { client, dropped: once(response, 'close').then(() => !response.writableFinished) };
}

const readAll = async ({ client }: Asked): Promise<number> => (await buffer(client).catch(() => Buffer.of())).length;

describe('dropSlowReaders', () => {
  it('ends a connection whose client takes nothing', async () => {
    expect(await (await ask(await start({ windowMs: 50 }))).dropped).toBe(true);
  });

  it('ends a connection whose client takes its answer by the spoonful', async () => {
    const { client, dropped } = await ask(await start({ windowMs: 100, windowBytes: LARGE.length }));
    client.on('data', () => {
      client.pause();
      setTimeout(() => client.resume(), 20);
    });
    expect(await dropped).toBe(true);
  });

  it('ends a connection whose client sends on and takes nothing', async () => {
    const { client, dropped } = await ask(await start({ windowMs: 50 }));
    const sending = setInterval(() => client.write('\r\n'), 10);
    expect(await dropped).toBe(true);
    clearInterval(sending);
  });

  it('lets a client read to the end', async () => {
    const asked = await ask(await start({ windowMs: 200, windowBytes: 1_000 }));
    expect(await readAll(asked)).toBeGreaterThan(LARGE.length);
    expect(await asked.dropped).toBe(false);
  });

  it('waits for answers that have not begun', async () => {
    const answer = Promise.withResolvers<void>();
    const asked = await ask(await start({ windowMs: 50, windowBytes: 1_000 }, answer.promise));
    await pause(200);
    answer.resolve();
    expect(await readAll(asked)).toBeGreaterThan(LARGE.length);
  });
});
