import type { Server } from 'node:http';
import { type Answer, takenBy } from './in-flight-responses.ts';

/** What is asked of those who read answers. */
export interface ReadingRules {
  readonly checkMs: number;
  /** In each window an answer is to get on by so many bytes, or come to its end. */
  readonly windowMs: number;
  readonly windowBytes: number;
}

/** A poor mobile line takes 32 kB a second. Who takes nothing is gone after two windows: the first fills the sockets. */
const RULES: ReadingRules = {
  checkMs: 1_000,
  windowMs: 8_000,
  windowBytes: 256 * 1024,
};

/** Since when, and from where, an answer is to get on. */
interface Window {
  readonly since: number;
  readonly taken: number;
}

/**
 * Ends connections whose clients do not take what they asked for, or take it by the spoonful: each holds an answer in
 * memory, whose sum `MemoryBudget` bounds. Node's own timeouts do not know them: to those, a client who goes on sending is
 * alive.
 */
export function dropSlowReaders(server: Server, answers: Iterable<Answer>, rules: ReadingRules = RULES): void {
  const windows = new WeakMap<Answer, Window>();
  const timer = setInterval(() => check(answers, windows, rules), rules.checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

function check(answers: Iterable<Answer>, windows: WeakMap<Answer, Window>, rules: ReadingRules): void {
  const now = performance.now();
  for (const answer of answers) {
    const { socket, response } = answer;
    if (!response.headersSent) continue;
    const taken = takenBy(socket);
    const window = windows.get(answer) ?? { since: now, taken };
    const isOver = now - window.since >= rules.windowMs;
    const isStuck = isOver && taken - window.taken < rules.windowBytes;
    windows.set(answer, isOver ? { since: now, taken } : window);
    if (isStuck) socket.destroy();
  }
}
