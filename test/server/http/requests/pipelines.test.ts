import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ConnectionOrder } from '../../../../src/server/http/door.ts';
import { portOf } from '../../../support/ports.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('pipelined requests', () => {
  const open: (() => void)[] = [];
  afterEach(() => {
    for (const close of open.splice(0)) close();
  });

  /**
   * Sends pipelined requests to a server, which records those that begin and those that are dropped, in their order.
   */
  async function sendPipelined(times: number) {
    const order = new ConnectionOrder();
    const begun: ServerResponse[] = [];
    const dropped: ServerResponse[] = [];
    const server = createServer(async (request, response) => {
      const continues = (await order.waitForPrevious(request, response)) ?? true;
      (continues ? begun : dropped).push(response);
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
    return { begun, dropped, socket };
  }

  it('wait for the response to the previous request', async () => {
    const { begun, dropped } = await sendPipelined(3);
    await sleep(20);
    expect(begun).toHaveLength(1);
    begun[0]?.end();
    await expect.poll(() => begun.length).toBe(2);
    begun[1]?.end();
    await expect.poll(() => begun.length).toBe(3);
    expect(dropped).toEqual([]);
  });

  it('are dropped with their connection', async () => {
    const { begun, dropped, socket } = await sendPipelined(5);
    socket.destroy();
    await expect.poll(() => dropped.length).toBe(4);
    expect(begun).toHaveLength(1);
  });

  it('close their connection when there are too many', async () => {
    const { dropped, socket } = await sendPipelined(150);
    await expect.poll(() => socket.closed).toBe(true);
    await expect.poll(() => dropped.length).toBe(149);
  });
});
