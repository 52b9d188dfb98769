import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { startGateway } from '../../support/gateway.ts';

const CLIENTS = 5;

const BODY = '{"query":"{ projectVersions { id } }"}';
const REQUEST = [
  'POST /graphql HTTP/1.1',
  'host: a',
  'content-type: application/json',
  `x-api-token: ${TOKEN}`,
  `content-length: ${BODY.length}`,
  `\r\n${BODY}`,
].join('\r\n');

it('answers the requests of one tick of the event loop after all of them are read', async () => {
  let seen: string[] = [];
  const store = await openFixtureStore();
  const backend: typeof store = {
    ...store,
    projectVersions: (caller) => {
      seen.push('answered');
      return store.projectVersions(caller);
    },
  };
  const onRequest = () => void seen.push('read');
  const gateway = await startGateway({ local: true, token: TOKEN, backend, onRequest });
  onTestFinished(() => gateway.close());
  const sockets = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    }),
  );
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  const askAll = async () => {
    const answers = Promise.all(sockets.map((socket) => once(socket, 'data')));
    // This process writes all requests before it reads any, so that one tick finds all of them.
    for (const socket of sockets) socket.write(REQUEST);
    await answers;
  };
  // The first request of a gateway loads modules.
  await askAll();
  seen = [];
  await askAll();
  expect(seen).toEqual([...Array.from(sockets, () => 'read'), ...Array.from(sockets, () => 'answered')]);
});
