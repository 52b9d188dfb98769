import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../../../src/core/backend.ts';
import { openFixtureStore } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';
import { openAcceptedScene } from '../../../support/rest-scene.ts';
import { serveWritable } from '../../../support/writable-service.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const TOKEN = 'token-1';
const UPDATE = 'mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "T" }] }) { __typename } }';
const REGROUP =
  'mutation { updateReaderGroup(input: { groupId: "g1", title: "T" }) { __typename ... on MutationError { code } } }';

let gateway: Gateway;
let socket: Socket;
const requests: WeakRef<IncomingMessage>[] = [];
afterEach(async () => {
  requests.length = 0;
  socket.destroy();
  await gateway.close();
});

async function answerOnIdleConnection(backend: Backend, document: string): Promise<string> {
  const onRequest = (request: IncomingMessage) => requests.push(new WeakRef(request));
  gateway = await startGateway({ local: true, token: TOKEN, backend, onRequest });
  const body = JSON.stringify({ query: document });
  const head = ['POST /graphql HTTP/1.1', 'host: a', 'content-type: application/json', `api_token: ${TOKEN}`];
  socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.write([...head, `content-length: ${body.length}`, '', body].join('\r\n'));
  return new Promise((resolve) => socket.once('data', (data) => resolve(`${data}`)));
}

async function expectNoRequestInMemory(): Promise<void> {
  const urls = () => {
    collectGarbage();
    return requests.map((request) => request.deref()?.url);
  };
  await expect.poll(urls).toEqual([undefined]);
  // A request that is freed with its connection is not what this is about.
  expect(socket.closed).toBe(false);
}

describe('an idle connection does not keep its last request in memory', () => {
  it.each([
    ['{ __typename }', 'Query'],
    ['{ article(articleId: "a1") { title } }', 'data'],
    [UPDATE, 'BulkUpdateArticlesPayload'],
    [REGROUP, 'updateReaderGroup'],
    ['{ nothing }', 'errors'],
  ])('%s, over the store', async (document, expected) => {
    const answer = await answerOnIdleConnection(await openFixtureStore('sqlite::memory:', TOKEN), document);
    expect(answer).toContain(expected);
    await expectNoRequestInMemory();
  });

  it.each([
    ['{ article(articleId: "a1") { title } }', 'data'],
    [UPDATE, 'BulkUpdateArticlesPayload'],
    [REGROUP, 'updateReaderGroup'],
  ])('%s, in front of the service', async (document, expected) => {
    const { service, backend } = await openAcceptedScene();
    serveWritable(service, ['a1']);
    const answer = await answerOnIdleConnection(backend, document);
    expect(answer).toContain(expected);
    await expectNoRequestInMemory();
  });
});
