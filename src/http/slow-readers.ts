import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** What is asked of those who read answers. */
export interface ReadingRules {
  readonly checkMs: number;
  /** In each window an answer is to get on by so many bytes, or come to its end. */
  readonly windowMs: number;
  readonly windowBytes: number;
  /** What all answers together may wait with. Where it is more, those that began first end first. */
  readonly maxWaitingBytes: number;
}

/** A poor mobile line takes 32 kB a second. Who takes nothing is gone after two windows: the first fills the sockets. */
const RULES: ReadingRules = {
  checkMs: 1_000,
  windowMs: 8_000,
  windowBytes: 256 * 1024,
  maxWaitingBytes: 256 * 1024 ** 2,
};

interface Answer {
  readonly socket: IncomingMessage['socket'];
  readonly response: ServerResponse;
  /** What its connection had taken before it. */
  readonly takenBefore: number;
  /** Since when, and from where, it is to get on; null while nothing of it is written. */
  window: { readonly since: number; readonly taken: number } | null;
}

/**
 * Ends connections whose clients do not take what they asked for, or take it by the spoonful: each holds an answer in
 * memory. Node's own timeouts do not know them: to those, a client who goes on sending is alive.
 */
export function dropSlowReaders(server: Server, rules: ReadingRules = RULES): void {
  const answers = new Map<ServerResponse, Answer>();
  const forget = function (this: ServerResponse): void {
    answers.delete(this);
  };
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    answers.set(response, { socket, response, takenBefore: takenBy(socket), window: null });
    response.on('close', forget);
  });
  const timer = setInterval(() => check([...answers.values()], rules), rules.checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

const takenBy = ({ bytesWritten, writableLength }: IncomingMessage['socket']): number => bytesWritten - writableLength;

function check(answers: readonly Answer[], rules: ReadingRules): void {
  const now = performance.now();
  let waiting = 0;
  // The youngest first: what is beyond the room for all of them are the oldest.
  for (const answer of answers.toReversed()) {
    const { socket, response, takenBefore } = answer;
    if (!response.headersSent) continue;
    const taken = takenBy(socket);
    const left = Number(response.getHeader('content-length') ?? 0) - (taken - takenBefore);
    const isLarge = left > rules.windowBytes;
    if (isLarge) waiting += left;
    answer.window ??= { since: now, taken };
    const isOver = now - answer.window.since >= rules.windowMs;
    const isStuck = isOver && taken - answer.window.taken < rules.windowBytes;
    if (isOver) answer.window = { since: now, taken };
    if (isStuck || (isLarge && waiting > rules.maxWaitingBytes)) socket.destroy();
  }
}
