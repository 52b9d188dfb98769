import { connect, type Socket } from 'node:net';
import { startBystander } from './bystander.ts';
import { type Target, TOKEN } from './target.ts';

export interface SlowReport {
  /** When the gateway held no connection any more, in milliseconds; null when that took longer than `maxMs`. */
  readonly goneMs: number | null;
  /** The longest that another client waited meanwhile. */
  readonly worstOtherMs: number;
  readonly maxMemoryMb: number;
}

/** The behaviour of a slow client on its connection. */
type SlowBehaviour = (socket: Socket) => void;

const EACH_MS = 1_000;

function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text.charAt(at++ % text.length)), EACH_MS);
  socket.once('close', () => clearInterval(timer));
}

const HEAD = `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\napi_token: ${TOKEN}\r\n`;

/** A request whose response has 9 MB, more than the socket buffers of both sides hold. */
const LARGE = 'GET /graphql HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n';

/** The ways in which a client can be slow. */
export const SLOW_BEHAVIOURS: Readonly<Record<string, SlowBehaviour>> = {
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
  'read nothing of a response': (socket) => {
    socket.pause();
    socket.write(LARGE);
  },
  'read nothing, and keep sending': (socket) => {
    socket.pause();
    socket.write(LARGE);
    drip(socket, '\r\n');
  },
  'read little by little': (socket) => {
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), 5 * EACH_MS);
    });
    socket.write(LARGE);
  },
};

export interface SlowPlan {
  readonly clients: number;
  /** The longest time that the gateway is watched, in milliseconds. */
  readonly maxMs: number;
}

/** Opens slow clients concurrently, and waits until the gateway has closed all of them. */
export async function runSlowClients(
  target: Target,
  slowness: SlowBehaviour,
  { clients, maxMs }: SlowPlan,
): Promise<SlowReport> {
  const bystander = await startBystander(target.url);
  const before = await target.openFiles();
  const begun = performance.now();
  const sockets = Array.from({ length: clients }, () => {
    const socket = connect(target.port, target.host).on('error', () => {});
    socket.once('connect', () => slowness(socket));
    return socket;
  });
  let goneMs: number | null = null;
  let maxMemoryMb = 0;
  while (goneMs === null && performance.now() - begun < maxMs) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    maxMemoryMb = Math.max(maxMemoryMb, await target.memoryMb());
    const isThere = performance.now() - begun > 2 * EACH_MS;
    if (isThere && (await target.openFiles()) <= before) goneMs = Math.round(performance.now() - begun);
  }
  const worstOtherMs = await bystander.worstMs();
  await bystander.stop();
  for (const socket of sockets) socket.destroy();
  return { goneMs, worstOtherMs, maxMemoryMb };
}
