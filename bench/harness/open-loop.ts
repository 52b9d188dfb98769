import { connect, type Socket } from 'node:net';
import { sharedNow } from './clock.ts';
import { type Message, MessageReader } from './message-reader.ts';
import { type ArrivalsJob, type ArrivalsResult, handleMethod, type TimedAnswer } from './rpc.ts';

// The load generator of open loops: requests are sent at the times of a plan, whatever is still unanswered. It is run
// compiled, with bodies that were built before, and reads the clock as the first thing when an answer comes, so that
// little of what it measures is its own. How much that is, the answers of the service without a gateway show.

/** A plan whose last answer takes longer than this fails, in milliseconds. */
const ANSWER_TIMEOUT_MS = 60_000;

/** A connection with at most one request under way. */
class Connection {
  readonly #socket: Socket;
  readonly #reader = new MessageReader();
  #onAnswer: ((message: Message, answeredAt: number) => void) | null = null;
  isClosed = false;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => {
      const answeredAt = sharedNow();
      const message = this.#reader.push(chunk);
      if (message) this.#onAnswer?.(message, answeredAt);
    });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.isClosed = true;
    });
  }

  opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once('connect', resolve);
      this.#socket.once('error', reject);
    });
  }

  send(request: Buffer, onAnswer: (message: Message, answeredAt: number) => void): void {
    this.#onAnswer = onAnswer;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Connections that are kept. Each is used in its turn, so that a server closes none of them as idle. */
class Connections {
  readonly #port: number;
  readonly #idle: Connection[];
  readonly #all: Connection[];

  constructor(port: number, count: number) {
    this.#port = port;
    this.#all = Array.from({ length: count }, () => new Connection(port));
    this.#idle = [...this.#all];
  }

  opened(): Promise<unknown> {
    return Promise.all(this.#all.map((connection) => connection.opened()));
  }

  take(): Connection {
    const idle = this.#idle.shift();
    if (idle === undefined) {
      const another = new Connection(this.#port);
      this.#all.push(another);
      return another;
    }
    return idle.isClosed ? this.take() : idle;
  }

  giveBack(connection: Connection): void {
    this.#idle.push(connection);
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }
}

async function perform({ port, connections: count, arrivals }: ArrivalsJob): Promise<ArrivalsResult> {
  const requests = arrivals.map(({ request }) => Buffer.from(request));
  const connections = new Connections(port, count);
  await connections.opened();
  const answers: TimedAnswer[] = [];
  const delays: number[] = [];
  let failure: string | null = null;
  const finished = Promise.withResolvers<void>();
  const timeout = setTimeout(finished.resolve, (arrivals.at(-1)?.atMs ?? 0) + ANSWER_TIMEOUT_MS);
  const send = (index: number): void => {
    const connection = connections.take();
    const sentAt = sharedNow();
    delays.push(sentAt - dueAt(index));
    connection.send(requests[index] ?? Buffer.alloc(0), (message, answeredAt) => {
      const problem = findProblem(message, arrivals[index]?.mark ?? '');
      failure ??= problem;
      answers.push({ index, sentAt, answeredAt, isRight: problem === null });
      connections.giveBack(connection);
      if (answers.length === arrivals.length) finished.resolve();
    });
  };
  const begunAt = sharedNow();
  const dueAt = (index: number) => begunAt + (arrivals[index]?.atMs ?? 0);
  const sendFrom = (index: number): void => {
    let next = index;
    for (; next < arrivals.length && dueAt(next) <= sharedNow(); next += 1) send(next);
    if (next < arrivals.length) setTimeout(sendFrom, dueAt(next) - sharedNow(), next);
  };
  sendFrom(0);
  await finished.promise;
  clearTimeout(timeout);
  connections.close();
  return { answers, failure, delays };
}

/** Null where the answer is a success and has the text that a correct one contains. */
function findProblem({ startLine, body }: Message, mark: string): string | null {
  const text = body.toString();
  if (startLine.startsWith('HTTP/1.1 200 ') && text.includes(mark)) return null;
  return `expected ${mark}: ${startLine} ${text.slice(0, 300)}`;
}

handleMethod('arrivals', perform);
