import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { RequestOrder } from '../../../src/http/requests/request-order.ts';
import { createRequestRecord } from '../../../src/http/requests/request-record.ts';
import { portOf } from '../../support/ports.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

const server = createServer();
afterEach(async () => {
  server.closeAllConnections();
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
    void order.waitForTurn({ request, response, route: 'none', record: createRequestRecord(request) });
    if (arrived === 1) endTurn();
    if (arrived === 150) closed.resolve(request.socket.destroyed);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect(portOf(server.address()), '127.0.0.1').on('error', () => {});
  socket.write(GET.repeat(150));
  expect(await closed.promise).toBe(true);
});
