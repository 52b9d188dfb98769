import { createHook } from 'node:async_hooks';
import { Agent, createServer, get } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Share } from '../../src/base/semaphore.ts';
import { LoopTurns } from '../../src/http/requests/request-order.ts';
import { portOf } from '../support/ports.ts';

const KNOWN: Share = { key: 'known', isStranger: false };

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
      await turns.take(KNOWN);
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
    await Promise.all(Array.from({ length: 200 }, () => Promise.resolve(turns.take(KNOWN)).then(begin)));
    hook.disable();
    // One turn for each, with 8 that are tried in it; all of them would be 20,000.
    expect(immediates).toBeLessThan(200 * 12);
  });

  it('begin one in each turn while 256 are under way, until some of these have ended', async () => {
    const turns = new LoopTurns();
    for (let underWay = 0; underWay < 256; underWay += 1) await turns.take(KNOWN);
    const beginsTwoInOneTurn = async () => {
      // The last turn is over.
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
      const waits = [turns.take(KNOWN), turns.take(KNOWN)];
      await Promise.all(waits);
      for (const _ of waits) turns.end();
      return waits.every((wait) => wait === 'begin');
    };
    expect(await beginsTwoInOneTurn()).toBe(false);

    for (let ended = 0; ended < 10; ended += 1) turns.end();
    // Another process may take the core, and so the time, between two requests.
    let hasBegunTwo = false;
    for (let attempt = 0; attempt < 10 && !hasBegunTwo; attempt += 1) hasBegunTwo = await beginsTwoInOneTurn();
    expect(hasBegunTwo).toBe(true);
  });

  it('begin at once where there is time', () => {
    const beginTwo = () => {
      const turns = new LoopTurns();
      return { turns, waits: [turns.take(KNOWN), turns.take(KNOWN)] };
    };
    // Another process may take the core, and so the time, between two requests.
    const turns = Array.from({ length: 10 }, beginTwo).find(({ waits }) =>
      waits.every((wait) => wait === 'begin'),
    )?.turns;
    if (turns === undefined) throw new Error('No two requests began in one turn.');
    blockEventLoop(BUSY_MS);
    expect(turns.take(KNOWN)).toBeInstanceOf(Promise);
  });
});

describe('a queue of requests', () => {
  /** Those that wait, and what becomes of one more, for callers who take no more than their shares. */
  function fill(turns: LoopTurns, count: number) {
    const waits = Array.from({ length: count }, (_, index) => turns.take({ key: `${index % 10}`, isStranger: false }));
    expect(waits).not.toContain('full');
    return waits;
  }

  /** A queue whose turn is over, so that all have to wait. */
  function openBusyQueue(): LoopTurns {
    const turns = new LoopTurns();
    turns.take(KNOWN);
    blockEventLoop(BUSY_MS);
    return turns;
  }

  it('holds 1,000 of a burst, and 256 once it has not been empty for a second', async () => {
    const turns = openBusyQueue();
    const waits = fill(turns, 255);
    blockEventLoop(1_100);
    waits.push(...fill(turns, 1));
    expect(turns.take(KNOWN)).toBe('full');

    await Promise.all(waits);
    for (const _ of waits) turns.end();
    // The last turn is over, so that the next request begins, and does not wait as the first of the burst.
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
    expect(turns.take(KNOWN)).toBe('begin');
    blockEventLoop(BUSY_MS);
    const burst = fill(turns, 1_000);
    expect(turns.take(KNOWN)).toBe('full');
    await Promise.all(burst);
  });

  it('leaves room for others, whoever fills it: strangers of a network, all strangers, one caller', async () => {
    const turns = openBusyQueue();
    const waiting = (share: Share) => {
      let count = 0;
      while (turns.take(share) !== 'full') count += 1;
      return count;
    };
    const strangers = Array.from({ length: 5 }, (_, index) => ({ key: `network ${index}`, isStranger: true }));
    expect(strangers.map(waiting)).toEqual([62, 62, 62, 62, 2]);
    expect(waiting(KNOWN)).toBe(750);
    await new Promise((resolve) => setTimeout(resolve, 50));

    const others = openBusyQueue();
    expect(Array.from({ length: 1_000 }, () => others.take(KNOWN)).filter((turn) => turn === 'full')).toHaveLength(63);
    expect(others.take({ key: 'another', isStranger: false })).toBeInstanceOf(Promise);
  });
});
