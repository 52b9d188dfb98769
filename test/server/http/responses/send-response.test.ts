import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRequestFacts } from '../../../../src/core/callers/request-facts.ts';
import { RequestSummary } from '../../../../src/core/callers/request-report.ts';
import { MemoryBudget, RequestMemory } from '../../../../src/server/http/memory.ts';
import { sendBody } from '../../../../src/server/http/responses/send-response.ts';

const LARGE = Buffer.alloc(8 * 1024 ** 2, 'x');

/** Accepts every chunk synchronously, as a socket does until it is full. */
class FastSocket extends Duplex {
  receivedBytes = 0;
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.receivedBytes += chunk.length;
    done();
  }
  override _read(): void {}
}

function openOutgoing(memory: MemoryBudget) {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const socket = new FastSocket();
  response.assignSocket(Object.assign(new Socket(), { write: socket.write.bind(socket) }));
  const [facts, summary] = [createRequestFacts(), new RequestSummary()];
  const sendUnavailable = () => {};
  const route = 'graphql' as const;
  const outgoing = {
    response,
    route,
    facts,
    summary,
    memory: new RequestMemory(memory),
    isRefusable: false,
    sendUnavailable,
  };
  return { outgoing, socket };
}

describe('a large response', () => {
  it('counts for its request, unless its bytes stay in memory anyway', () => {
    const memory = new MemoryBudget();
    const full = { status: 200, headers: {}, body: LARGE };
    const { outgoing } = openOutgoing(memory);
    const before = memory.held;
    sendBody(outgoing, { ...full, isShared: true });
    expect(memory.held).toBe(before);
    sendBody(openOutgoing(memory).outgoing, full);
    expect(memory.held).toBe(before + LARGE.length);
  });

  it('leaves ticks of the event loop to other requests', async () => {
    const { outgoing, socket } = openOutgoing(new MemoryBudget());
    sendBody(outgoing, { status: 200, headers: {}, body: LARGE });
    await setImmediate();
    await setImmediate();
    expect(socket.receivedBytes).toBeLessThan(LARGE.length / 2);
    await expect.poll(() => socket.receivedBytes).toBeGreaterThan(LARGE.length);
  });
});
