import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { silentLog } from '../../../src/core/base/log.ts';
import { createHttpServer, listen } from '../../../src/server/process/http-server.ts';
import { needs } from '../../support/needs.ts';

/** Linux bounds the backlog of each listener by it. */
const SOMAXCONN = '/proc/sys/net/core/somaxconn';
const hasLongBacklogs = existsSync(SOMAXCONN) && Number(readFileSync(SOMAXCONN, 'utf8')) >= 4_096;

it('lets a thousand connections wait to be accepted', needs(hasLongBacklogs, 'its backlogs are short'), async () => {
  const server = createHttpServer((_request, response) => response.end(), {
    maxResponseMs: 60_000,
    keepAliveMs: 75_000,
    maxHeaderBytes: 16_384,
    log: silentLog,
  });
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  if (!address.ok) throw new Error(address.error);
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  // All connect in one tick, in which none is accepted.
  const sockets = Array.from({ length: 1_000 }, () => connect(address.value.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const acceptedByThen = accepted;
  for (const socket of sockets) socket.destroy();
  await once(server.close(), 'close');
  // With Node's default, those beyond the first 511 connect after these were accepted.
  expect(acceptedByThen).toBeLessThan(400);
});
