import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** What is asked of those who read answers. */
export interface ReadingRules {
  readonly checkMs: number;
  /** How long nothing of an answer may be taken. Node sees it after this time or twice it. */
  readonly stalledMs: number;
  /** How long taking an answer may last, and a second more for each of `bytesPerSecond`. */
  readonly graceMs: number;
  readonly bytesPerSecond: number;
  /** What all answers together may wait with. Where it is more, those that began first end first. */
  readonly maxWaitingBytes: number;
}

/** Who takes nothing is gone within 20 s. 32 kB a second is a poor mobile line. */
const RULES: ReadingRules = {
  checkMs: 1_000,
  stalledMs: 8_000,
  graceMs: 15_000,
  bytesPerSecond: 32_768,
  maxWaitingBytes: 512 * 1024 ** 2,
};

interface Answer {
  readonly socket: IncomingMessage['socket'];
  readonly response: ServerResponse;
  /** `performance.now()` by which it is to be taken whole; null while nothing of it is written. */
  deadline: number | null;
}

/**
 * Ends connections whose clients do not take what they asked for, or take it by the spoonful: each holds an answer in
 * memory. Node's own timeouts end with the request.
 */
export function dropSlowReaders(server: Server, rules: ReadingRules = RULES): void {
  const answers = new Set<Answer>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answer: Answer = { socket, response, deadline: null };
    answers.add(answer);
    response.once('close', () => answers.delete(answer));
  });
  const timer = setInterval(() => check(answers, rules), rules.checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

function check(answers: ReadonlySet<Answer>, rules: ReadingRules): void {
  const now = performance.now();
  let waiting = 0;
  // The youngest first: what is beyond the room for all of them are the oldest.
  for (const answer of [...answers].reverse()) {
    const { socket, response } = answer;
    if (!response.headersSent) continue;
    waiting += socket.writableLength;
    if (answer.deadline === null) {
      answer.deadline = now + rules.graceMs + (socket.writableLength / rules.bytesPerSecond) * 1_000;
      socket.setTimeout(rules.stalledMs);
    }
    if (now > answer.deadline || waiting > rules.maxWaitingBytes) socket.destroy();
  }
}
