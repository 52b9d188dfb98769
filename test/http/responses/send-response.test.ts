import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MemoryBudget, memoryShares } from '../../../src/http/memory/memory-budget.ts';
import { sendResponse } from '../../../src/http/responses/send-response.ts';

const LARGE = Buffer.alloc(8 * 1024 ** 2, 'x');

/** Takes whatever it is given at once, as a socket does until it is full. */
class Greedy extends Duplex {
  taken = 0;
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.taken += chunk.length;
    done();
  }
  override _read(): void {}
}

describe('a large answer', () => {
  it('lets others have their turn before all of it is written', async () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const greedy = new Greedy();
    response.assignSocket(Object.assign(new Socket(), { write: greedy.write.bind(greedy) }));
    const memory = new MemoryBudget(memoryShares(0)).beginAnyhow({ isKnown: () => true });
    const sent = sendResponse({ response, memory, refuse: null }, new Response(LARGE));
    await setImmediate();
    await setImmediate();
    expect(greedy.taken).toBeLessThan(LARGE.length / 2);
    await sent;
    expect(greedy.taken).toBeGreaterThan(LARGE.length);
  });
});
