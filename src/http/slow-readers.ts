import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const CHECK_MS = 1_000;

/** Nothing of an answer was taken for so long. Node sees it after this time or twice it, so within 20 s in any case. */
const STALLED_MS = 8_000;

/** An answer has this long, and a second more for each of so many bytes: 32 kB a second is a poor mobile line. */
const GRACE_MS = 15_000;
const BYTES_PER_SECOND = 32_768;

/** Bytes that all answers together may wait with. Those that began first end first where it is more. */
const MAX_WAITING_BYTES = 512 * 1024 ** 2;

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
export function dropSlowReaders(server: Server): void {
  const answers = new Set<Answer>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answer: Answer = { socket, response, deadline: null };
    answers.add(answer);
    response.once('close', () => answers.delete(answer));
  });
  const timer = setInterval(() => check(answers), CHECK_MS).unref();
  server.once('close', () => clearInterval(timer));
}

function check(answers: ReadonlySet<Answer>): void {
  const now = performance.now();
  let waiting = 0;
  // The youngest first: what is beyond the room for all of them are the oldest.
  for (const answer of [...answers].reverse()) {
    const { socket, response } = answer;
    if (!response.headersSent) continue;
    waiting += socket.writableLength;
    if (answer.deadline === null) {
      answer.deadline = now + GRACE_MS + (socket.writableLength / BYTES_PER_SECOND) * 1_000;
      socket.setTimeout(STALLED_MS);
    }
    if (now > answer.deadline || waiting > MAX_WAITING_BYTES) socket.destroy();
  }
}
