import { createHook } from 'node:async_hooks';
import { Agent, createServer, get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { LoopTurns } from '../../src/http/requests/loop-turns.ts';
import { portOf } from '../support/ports.ts';

/** More than a turn has for the requests that begin in it. */
const BUSY_MS = 5;

function blockEventLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Counts the turns of the event loop. */
function countTurns() {
  let turns = 0;
  let immediate = setImmediate(function count() {
    turns += 1;
    immediate = setImmediate(count);
  });
  return { now: () => turns, end: () => clearImmediate(immediate) };
}

const answered = (port: number, agent: Agent) =>
  new Promise<void>((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent }, (response) => response.resume().on('end', resolve)).on('error', reject);
  });

describe('requests that have all arrived', () => {
  it('do not all begin in one turn of the event loop, but one after the other', async () => {
    const turns = new LoopTurns();
    const counter = countTurns();
    const arrived: string[] = [];
    const begun: string[] = [];
    const begunIn: number[] = [];
    const server = createServer(async (incoming, response) => {
      const name = `${incoming.socket.remotePort}`;
      arrived.push(name);
      const turn = turns.waitForTurn();
      if (turn !== null) await turn;
      begun.push(name);
      begunIn.push(counter.now());
      blockEventLoop(BUSY_MS);
      response.end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const port = portOf(server.address());
    const agent = new Agent({ keepAlive: true });
    const askTwenty = () => Promise.all(Array.from({ length: 20 }, () => answered(port, agent)));
    // Each new connection is accepted in a turn of its own, so that the first requests do not come together.
    await askTwenty();
    for (const list of [arrived, begun, begunIn]) list.length = 0;
    await askTwenty();
    agent.destroy();
    counter.end();
    server.close();
    expect(begun).toEqual(arrived);
    const perTurn = new Map<number, number>();
    for (const turn of begunIn) perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
    // One may begin before the waiting ones have their turn.
    expect(Math.max(...perTurn.values())).toBeLessThanOrEqual(2);
  });

  it('are not all tried in every turn', async () => {
    let immediates = 0;
    const init = (_id: number, type: string) => {
      if (type === 'Immediate') immediates += 1;
    };
    const hook = createHook({ init }).enable();
    const turns = new LoopTurns();
    const begin = () => blockEventLoop(BUSY_MS);
    await Promise.all(Array.from({ length: 200 }, () => turns.waitForTurn()?.then(begin) ?? begin()));
    hook.disable();
    // One turn for each, with 64 that are tried in it; all of them would be 20,000.
    expect(immediates).toBeLessThan(200 * 70);
  });

  it('begin at once where there is time', () => {
    const beginTwo = () => {
      const turns = new LoopTurns();
      return { turns, waits: [turns.waitForTurn(), turns.waitForTurn()] };
    };
    // Another process may take the core, and so the time, between two requests.
    const turns = Array.from({ length: 10 }, beginTwo).find(({ waits }) => waits.every((wait) => wait === null))?.turns;
    if (turns === undefined) throw new Error('No two requests began in one turn.');
    blockEventLoop(BUSY_MS);
    expect(turns.waitForTurn()).toBeInstanceOf(Promise);
  });
});

describe('a queue of requests', () => {
  const waitOften = (turns: LoopTurns, count: number) => Array.from({ length: count }, () => turns.waitForTurn());

  it('holds 1,000 of a burst, and 256 once it has not been empty for a second', async () => {
    const turns = new LoopTurns();
    turns.waitForTurn();
    blockEventLoop(BUSY_MS);
    const waits = waitOften(turns, 255);
    blockEventLoop(1_100);
    expect(turns.isFull).toBe(false);
    waits.push(...waitOften(turns, 1));
    expect(turns.isFull).toBe(true);

    await Promise.all(waits);
    expect(turns.isFull).toBe(false);
    turns.waitForTurn();
    blockEventLoop(BUSY_MS);
    const burst = waitOften(turns, 999);
    expect(turns.isFull).toBe(false);
    burst.push(...waitOften(turns, 1));
    expect(turns.isFull).toBe(true);
    await Promise.all(burst);
  });
});
