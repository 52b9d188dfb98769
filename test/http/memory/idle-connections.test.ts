import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const BODY = '{"query":"{ __typename }"}';
const REQUEST = [
  'POST /graphql HTTP/1.1',
  'host: a',
  'content-type: application/json',
  `api_token: ${TOKEN}`,
  `content-length: ${BODY.length}`,
  '',
  BODY,
].join('\r\n');

let gateway: Gateway;
let socket: Socket;
afterEach(async () => {
  socket.destroy();
  await gateway.close();
});

it('an idle connection does not keep its last request in memory', async () => {
  const requests: WeakRef<IncomingMessage>[] = [];
  const onRequest = (message: unknown) => {
    const { request } = message as { readonly request: IncomingMessage };
    requests.push(new WeakRef(request));
  };
  gateway = await startGateway({ local: true, token: TOKEN, backend: await openFixtureStore() });
  const started = channel('http.server.request.start');
  started.subscribe(onRequest);
  socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.write(REQUEST);
  const answer = await new Promise((resolve) => socket.once('data', (data) => resolve(`${data}`)));
  started.unsubscribe(onRequest);
  expect(answer).toMatch(/"__typename":"Query"/u);
  await expect
    .poll(() => {
      collectGarbage();
      return requests.map((request) => request.deref()?.url);
    })
    .toEqual([undefined]);
  // A request that is freed with its connection is not what this is about.
  expect(socket.closed).toBe(false);
});
