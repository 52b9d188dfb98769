import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FaultyService, hang, openFaultyService } from '../support/faulty-service.ts';
import type { Gateway } from '../support/gateway.ts';
import { good } from './good-service.ts';
import { OPERATIONS, outcomeOf } from './operations.ts';
import { type GatewaySettings, openGateway, TOKEN, useConnection } from './run.ts';

interface Line {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

async function open(
  settings: GatewaySettings = {},
): Promise<{ service: FaultyService; gateway: Gateway; lines: Line[] }> {
  const lines: Line[] = [];
  const service = await openFaultyService();
  const gateway = await openGateway(service.url, {
    ...settings,
    log: (_level, message, fields = {}) => lines.push({ message, fields }),
  });
  onTestFinished(async () => {
    await Promise.all([gateway.close(), service.close()]);
  });
  // The service has accepted the token; the calls that showed it are forgotten.
  await useConnection({ service, gateway }, 'closed');
  service.forget('GET /v2/ProjectVersions');
  return { service, gateway, lines };
}

const until = async (condition: () => boolean) => {
  while (!condition()) await sleep(5);
};

const { query } = OPERATIONS['a reader group'];
const groupInput = (groupId: string) => ({
  input: {
    groupId,
    title: 'New',
    description: null,
    readerIds: [],
    invitedSsoUserIds: [],
    accessScope: { level: 'NONE' },
  },
});

describe('calls that hang', () => {
  /** Calls of groups whose ID begins with `hang` get no response. The number of those that have ended is counted. */
  const openHanging = async (count: number) => {
    // Long enough for all of them to arrive before the first ends.
    const { service, gateway } = await open({ callMs: 10_000, requestMs: 20_000 });
    service.onAny((response, request) => (/\/hang\d+$/u.test(request.url) ? undefined : good()(response, request)));
    const ended = { count: 0 };
    const hanging = Array.from({ length: count }, async (_, index) => {
      const { body } = await gateway.send(query, groupInput(`hang${index}`));
      ended.count += 1;
      return outcomeOf(body);
    });
    return { service, gateway, ended, hanging };
  };

  it('end by their deadlines, two hundred at once, while all others get responses', async () => {
    const { service, gateway, ended, hanging } = await openHanging(200);
    await until(() => service.received.length >= 200);
    const others = [
      () => gateway.send('{ __typename }'),
      () => gateway.send('{ readerGroup(groupId: "g1") { title } }'),
      () => gateway.send(query, groupInput('g1')),
      () => gateway.send('{ readerGroup(groupId: "g1") { title } }', {}, { api_token: 'other' }),
    ];
    for (const send of others) expect((await send()).body).not.toHaveProperty('errors');
    expect(ended.count).toBe(0);
    expect(await Promise.all(hanging)).toEqual(Array(200).fill('OutcomeUnknownError'));
    service.onAny(good());
    const recovered = await gateway.send(query, groupInput('g1'));
    expect(outcomeOf(recovered.body)).toBe('updated');
  });

  it('leave room for other tokens, however many hang, and those that were not sent end as unsent', async () => {
    const { service, gateway, ended, hanging } = await openHanging(300);
    await until(() => service.received.length >= 240);
    const other = await gateway.send('{ readerGroup(groupId: "g1") { title } }', {}, { api_token: 'other' });
    expect(other.body).not.toHaveProperty('errors');
    expect(ended.count).toBe(0);
    const outcomes = await Promise.all(hanging);
    const sent = outcomes.filter((outcome) => outcome === 'OutcomeUnknownError').length;
    const unsent = outcomes.filter((outcome) => outcome === 'ServiceUnavailableError').length;
    expect([sent, unsent]).toEqual([service.received.length - 1, 300 - sent]);
  });
});

describe('a caller who disconnects', () => {
  it.each([
    { write: 'bulkUpdateArticles', operation: OPERATIONS['one article'] },
    { write: 'updateReaderGroup', operation: OPERATIONS['a reader group'] },
  ])('does not stop a write, which is logged with its outcome: $write', async ({ write, operation }) => {
    const { service, gateway, lines } = await open();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    service.onAny(async (response, request) => {
      await released;
      await good()(response, request);
    });
    const { hostname, port } = new URL(gateway.url);
    const body = JSON.stringify({ query: operation.query, variables: operation.variables });
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.write(
      `POST /graphql HTTP/1.1\r\nhost: ${hostname}\r\napi_token: ${TOKEN}\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await until(() => service.received.length === 1);
    const closed = new Promise((done) => socket.once('close', done));
    socket.resetAndDestroy();
    await closed;
    expect(lines).toEqual([]);
    release();
    await until(() => lines.length > 0);
    expect(lines).toMatchObject([
      { message: 'write', fields: { operation: write, httpStatus: 200, updated: 1, unknown: 0 } },
    ]);
    expect(service.received).toHaveLength(1);
  });

  it('leaves a log line about a write with an unknown outcome', async () => {
    const { service, gateway, lines } = await open();
    service.onAny(hang());
    const disconnect = new AbortController();
    const { query: bulk, variables } = OPERATIONS['six articles in three calls, the second faulty'];
    const sent = fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_token: TOKEN },
      body: JSON.stringify({ query: bulk, variables }),
      signal: disconnect.signal,
    });
    await until(() => service.received.length === 1);
    disconnect.abort();
    await expect(sent).rejects.toThrow();
    await until(() => lines.length > 0);
    expect(lines).toMatchObject([{ message: 'write', fields: { updated: 0, unknown: 2, notAttempted: 4 } }]);
  });
});
