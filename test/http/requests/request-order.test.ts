import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { RequestOrder } from '../../../src/http/requests/request-order.ts';
import { createRequestRecord } from '../../../src/http/requests/request-record.ts';
import type { RoutedRequest } from '../../../src/http/route.ts';
import { portOf } from '../../support/ports.ts';

function routedOf(request: IncomingMessage, response: ServerResponse): RoutedRequest {
  const record = createRequestRecord(request);
  record.share = { key: 'known', isStranger: false };
  return { request, response, route: 'none', record };
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

const server = createServer();
afterEach(async () => {
  server.removeAllListeners('request').closeAllConnections();
  await once(server.close(), 'close');
});

/** More than a turn has for the requests that begin in it. */
function endTurn(): void {
  const end = performance.now() + 5;
  while (performance.now() < end);
}

it('closes a connection with too many pipelined requests before their turns', async () => {
  const order = new RequestOrder();
  let arrived = 0;
  const closed = Promise.withResolvers<boolean>();
  server.on('request', (request, response) => {
    arrived += 1;
    void order.waitForPrevious(request, response)?.then(() => void order.takeTurn(routedOf(request, response)));
    if (arrived === 1) endTurn();
    if (arrived === 150) closed.resolve(request.socket.destroyed);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect(portOf(server.address()), '127.0.0.1').on('error', () => {});
  socket.write(GET.repeat(150));
  expect(await closed.promise).toBe(true);
});

it('leaves most of the time to new connections', async () => {
  const order = new RequestOrder();
  let [accepted, begun, begunAtLast] = [0, 0, 0];
  server.on('connection', () => {
    accepted += 1;
    if (accepted === 100) begunAtLast = begun;
  });
  server.on('request', async (request, response) => {
    await order.waitForPrevious(request, response);
    await order.takeTurn(routedOf(request, response));
    begun += 1;
    endTurn();
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = portOf(server.address());
  const answered = () =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, agent: new Agent() }, (response) => response.resume().on('end', resolve)).on(
        'error',
        reject,
      );
    });
  await Promise.all(Array.from({ length: 100 }, answered));
  // One request began for each connection that was accepted, before connections had time of their own.
  expect(begunAtLast).toBeLessThan(50);
});
