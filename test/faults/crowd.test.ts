import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FaultyService, hang, openFaultyService } from '../support/faulty-service.ts';
import type { Gateway } from '../support/gateway.ts';
import { good } from './good-service.ts';
import { OPERATIONS, outcomeOf } from './operations.ts';
import { openGateway, TOKEN } from './run.ts';

interface Line {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

async function open(): Promise<{ service: FaultyService; gateway: Gateway; lines: Line[] }> {
  const lines: Line[] = [];
  const service = await openFaultyService();
  const gateway = await openGateway(service.url, {
    log: (_level, message, fields = {}) => lines.push({ message, fields }),
  });
  onTestFinished(async () => {
    await Promise.all([gateway.close(), service.close()]);
  });
  return { service, gateway, lines };
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await sleep(5);
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

describe('two hundred calls that hang', () => {
  it('end by their deadlines, those that were sent as unknown and the others as unsent, while others are answered', async () => {
    const { service, gateway } = await open();
    service.onAny(hang());
    let ended = 0;
    const hanging = Array.from({ length: 200 }, async (_, index) => {
      const { body } = await gateway.send(query, groupInput(`g${index}`));
      ended += 1;
      return outcomeOf(body);
    });
    await until(() => service.received.length === 32);
    for (let asked = 0; asked < 10; asked += 1) {
      expect((await gateway.send('{ __typename }')).body).toEqual({ data: { __typename: 'Query' } });
    }
    expect(ended).toBe(0);
    const outcomes = await Promise.all(hanging);
    const sent = outcomes.filter((outcome) => outcome === 'OutcomeUnknownError').length;
    const unsent = outcomes.filter((outcome) => outcome === 'ServiceUnavailableError').length;
    expect([sent, unsent]).toEqual([service.received.length, 200 - service.received.length]);
    service.onAny(good());
    const recovered = await gateway.send(query, groupInput('g1'));
    expect(outcomeOf(recovered.body)).toBe('updated');
  });
});

describe('a caller who hangs up', () => {
  it.each([
    { message: 'bulk update', operation: OPERATIONS['one article'], outcome: { updated: 1, unknown: 0 } },
    { message: 'reader group update', operation: OPERATIONS['a reader group'], outcome: { outcome: 'updated' } },
  ])('leaves a write that is finished and logged with its outcome: $message', async (write) => {
    const { message, operation, outcome } = write;
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
    expect(lines).toMatchObject([{ message, fields: { httpStatus: 200, ...outcome } }]);
    expect(service.received).toHaveLength(1);
  });

  it('leaves a write whose outcome nobody knows as a line that says so', async () => {
    const { service, gateway, lines } = await open();
    service.onAny(hang());
    const hungUp = new AbortController();
    const { query: bulk, variables } = OPERATIONS['six articles in three calls, the second faulty'];
    const sent = fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_token: TOKEN },
      body: JSON.stringify({ query: bulk, variables }),
      signal: hungUp.signal,
    });
    await until(() => service.received.length === 1);
    hungUp.abort();
    await expect(sent).rejects.toThrow();
    await until(() => lines.length > 0);
    expect(lines).toMatchObject([{ message: 'bulk update', fields: { updated: 0, unknown: 2, notAttempted: 4 } }]);
  });
});
