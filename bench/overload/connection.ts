import { connect, type Socket } from 'node:net';
import { type Message, MessageReader } from '../harness/message-reader.ts';

/** Milliseconds after which an idle connection is not used again: the gateway closes it after 5 s. */
const MAX_IDLE_MS = 3_000;

/** Fewer than the 28,000 ports that Linux gives to clients of one address. */
const MAX_CONNECTIONS = 15_000;

/** Answers null where the connection ended before the answer. */
type OnAnswer = (answer: Message | null) => void;

/** One connection, with one request in flight at most. Bare, so that the load generator costs little. */
class Connection {
  readonly #socket: Socket;
  readonly #reader = new MessageReader();
  #pending: OnAnswer | null = null;
  idleSince = 0;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => {
      const answer = this.#reader.push(chunk);
      if (answer !== null) this.#settle(answer);
    });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#settle(null));
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  send(request: Buffer, onAnswer: OnAnswer): void {
    this.#pending = onAnswer;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #settle(answer: Message | null): void {
    const pending = this.#pending;
    this.#pending = null;
    pending?.(answer);
  }
}

/** Connections of clients that keep them alive. One more is opened for each request that finds none idle. */
export class Connections {
  readonly #port: number;
  readonly #idle: Connection[] = [];
  #inFlight = 0;
  /** The requests that were not sent, since too many are in flight. */
  notSent = 0;
  /** The most requests in flight at one time. */
  mostInFlight = 0;

  constructor(port: number) {
    this.#port = port;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  send(request: Buffer, onAnswer: OnAnswer): void {
    if (this.#inFlight >= MAX_CONNECTIONS) {
      this.notSent += 1;
      onAnswer(null);
      return;
    }
    const connection = this.#takeIdle() ?? new Connection(this.#port);
    this.#inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.#inFlight);
    connection.send(request, (answer) => {
      this.#inFlight -= 1;
      connection.idleSince = performance.now();
      if (connection.isOpen && answer !== null) this.#idle.push(connection);
      onAnswer(answer);
    });
  }

  close(): void {
    for (const connection of this.#idle) connection.close();
    this.#idle.length = 0;
  }

  /** The one that was used last. Where it is idle for too long, all others are as well. */
  #takeIdle(): Connection | null {
    for (let last = this.#idle.pop(); last !== undefined; last = this.#idle.pop()) {
      if (last.isOpen && performance.now() - last.idleSince < MAX_IDLE_MS) return last;
      last.close();
    }
    return null;
  }
}
