import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../harness/message-reader.ts';
import { Connections } from './connection.ts';
import type { Ending, Mix } from './mix.ts';

const TICK_MS = 1;
/** An answer that is not there by then counts as lost. */
const LAST_ANSWER_MS = 60_000;

/** Requests of a period, by how they ended. */
export class Tally {
  readonly counts: Record<Ending, number> = {
    answered: 0,
    refused: 0,
    limited: 0,
    unavailable: 0,
    wrong: 0,
    lost: 0,
  };
  /** Milliseconds until the answers that are right, and until the refusals with 503. */
  readonly answeredMs: number[] = [];
  readonly refusedMs: number[] = [];
  withoutRetryAfter = 0;
  /** A wrong answer, shortened. */
  example = '';

  count(ending: Ending, answer: Message | null, ms: number): void {
    this.counts[ending] += 1;
    if (ending === 'answered') this.answeredMs.push(ms);
    if (ending === 'refused') this.refusedMs.push(ms);
    const isRefusal = ending === 'refused' || ending === 'limited';
    if (isRefusal && !answer?.head.includes('\r\nretry-after: ')) this.withoutRetryAfter += 1;
    if (ending === 'wrong') this.example = `${answer?.startLine} ${answer?.body.toString()}`.slice(0, 500);
  }
}

/** Sends one request, and counts how it ended. */
function sendOne(connections: Connections, mix: Mix, tally: Tally): Promise<void> {
  const { bytes, end } = mix.next();
  const begun = performance.now();
  return new Promise((resolve) => {
    connections.send(bytes, (answer) => {
      tally.count(end(answer), answer, performance.now() - begun);
      resolve();
    });
  });
}

export interface ClosedLoop {
  readonly port: number;
  readonly mix: Mix;
  readonly clients: number;
  readonly milliseconds: number;
}

/** Clients that send their next request after the answer to the last one. */
export async function runClosedLoop({ port, mix, clients, milliseconds }: ClosedLoop): Promise<Tally> {
  const connections = new Connections(port);
  const tally = new Tally();
  const until = performance.now() + milliseconds;
  const runClient = async () => {
    while (performance.now() < until) await sendOne(connections, mix, tally);
  };
  await Promise.all(Array.from({ length: clients }, runClient));
  connections.close();
  return tally;
}

export interface OpenLoop {
  readonly port: number;
  readonly mix: Mix;
  readonly perSecond: number;
  readonly milliseconds: number;
}

export interface OpenLoopReport {
  readonly tally: Tally;
  readonly sentPerSecond: number;
  /** Right answers within the period. */
  readonly answeredPerSecond: number;
  readonly notSent: number;
  readonly mostInFlight: number;
}

/** Requests that arrive at a rate, whether the earlier ones have been answered or not. */
export async function runOpenLoop({ port, mix, perSecond, milliseconds }: OpenLoop): Promise<OpenLoopReport> {
  const connections = new Connections(port);
  const tally = new Tally();
  const begun = performance.now();
  let sent = 0;
  for (let elapsed = 0; elapsed < milliseconds; elapsed = performance.now() - begun) {
    for (; sent < (elapsed / 1_000) * perSecond; sent += 1) void sendOne(connections, mix, tally);
    await sleep(TICK_MS);
  }
  const seconds = (performance.now() - begun) / 1_000;
  const rates = { sentPerSecond: sent / seconds, answeredPerSecond: tally.counts.answered / seconds };
  const lastAnswerAt = performance.now() + LAST_ANSWER_MS;
  while (connections.inFlight > 0 && performance.now() < lastAnswerAt) await sleep(TICK_MS);
  tally.counts.lost += connections.inFlight;
  connections.close();
  return { tally, ...rates, notSent: connections.notSent, mostInFlight: connections.mostInFlight };
}
