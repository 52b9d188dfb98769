import { connect, type Socket } from 'node:net';
import { startBystander } from './bystander.ts';
import { type Target, TOKEN } from './target.ts';

export interface SlowReport {
  /** When the gateway held none of them any more, in milliseconds; null where that was not in the time given. */
  readonly goneMs: number | null;
  /** The longest that another client had to wait meanwhile. */
  readonly worstOtherMs: number;
  readonly mostMemoryMb: number;
}

/** What a slow client does with its connection, all along. */
type Slowness = (socket: Socket) => void;

const EACH_MS = 1_000;

function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text.charAt(at++ % text.length)), EACH_MS);
  socket.once('close', () => clearInterval(timer));
}

const HEAD = `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\napi_token: ${TOKEN}\r\n`;

/** Answered by 9 MB, more than the sockets of both sides hold between them. */
const LARGE = 'GET /graphql HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n';

/** The ways to be slow. */
export const SLOWNESS: Readonly<Record<string, Slowness>> = {
  'send nothing': () => {},
  'send headers by the byte': (socket) => {
    socket.write('POST /graphql HTTP/1.1\r\nX: ');
    drip(socket, 'x');
  },
  'send a body by the byte': (socket) => {
    socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{`);
    drip(socket, ' ');
  },
  'send chunks by the byte': (socket) => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    drip(socket, '1\r\n \r\n');
  },
  'read nothing of an answer': (socket) => {
    socket.pause();
    socket.write(LARGE);
  },
  'read nothing, and send on': (socket) => {
    socket.pause();
    socket.write(LARGE);
    drip(socket, '\r\n');
  },
  'read by the spoonful': (socket) => {
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), 5 * EACH_MS);
    });
    socket.write(LARGE);
  },
};

export interface SlowPlan {
  readonly clients: number;
  /** How long the gateway is watched. */
  readonly mostMs: number;
}

/** Lets so many clients be slow at once, and watches until the gateway is rid of them. */
export async function beSlow(target: Target, slowness: Slowness, { clients, mostMs }: SlowPlan): Promise<SlowReport> {
  const bystander = await startBystander(target.url);
  const before = (await target.openFiles()) ?? 0;
  const begun = performance.now();
  const sockets = Array.from({ length: clients }, () => {
    const socket = connect(target.port, target.host).on('error', () => {});
    socket.once('connect', () => slowness(socket));
    return socket;
  });
  let goneMs: number | null = null;
  let mostMemoryMb = 0;
  while (goneMs === null && performance.now() - begun < mostMs) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    mostMemoryMb = Math.max(mostMemoryMb, (await target.memoryMb()) ?? 0);
    const isThere = performance.now() - begun > 2 * EACH_MS;
    if (isThere && ((await target.openFiles()) ?? 0) <= before) goneMs = Math.round(performance.now() - begun);
  }
  const worstOtherMs = await bystander.worstMs();
  await bystander.stop();
  for (const socket of sockets) socket.destroy();
  return { goneMs, worstOtherMs, mostMemoryMb };
}
