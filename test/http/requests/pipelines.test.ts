import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { Pipelines } from '../../../src/http/requests/pipelines.ts';
import { portOf } from '../../support/faulty-service.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('requests that are sent ahead', () => {
  const open: (() => void)[] = [];
  afterEach(() => {
    for (const close of open.splice(0)) close();
  });

  /** A server that is asked so often on one connection; what becomes of the requests, in their order. */
  async function asked(times: number) {
    const pipelines = new Pipelines();
    const begun: ServerResponse[] = [];
    const refused: ServerResponse[] = [];
    const server = createServer(async (request, response) => {
      const goesOn = (await pipelines.turnOf(request, response)) ?? true;
      (goesOn ? begun : refused).push(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect(portOf(server.address()), '127.0.0.1').on('error', () => {});
    open.push(
      () => socket.destroy(),
      () => server.close(),
    );
    socket.write(GET.repeat(times));
    await expect.poll(() => begun.length).toBe(1);
    return { begun, refused, socket };
  }

  it('wait until the one in front of them is answered', async () => {
    const { begun, refused } = await asked(3);
    await sleep(20);
    expect(begun).toHaveLength(1);
    begun[0]?.end();
    await expect.poll(() => begun.length).toBe(2);
    begun[1]?.end();
    await expect.poll(() => begun.length).toBe(3);
    expect(refused).toEqual([]);
  });

  it('are given up with their connection', async () => {
    const { begun, refused, socket } = await asked(5);
    socket.destroy();
    await expect.poll(() => refused.length).toBe(4);
    expect(begun).toHaveLength(1);
  });

  it('end their connection where they are too many', async () => {
    const { refused, socket } = await asked(150);
    await expect.poll(() => socket.closed).toBe(true);
    await expect.poll(() => refused.length).toBe(149);
  });
});
