import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { list, times } from '../../support/repeat.ts';
import { type Answer, createSender } from '../measure/request.ts';
import { type Attack, type AttackContext, graphql, MB } from './attack.ts';

/* Untrusted callers who make the gateway keep what they send, or what it sends to them. */

/** The longest that the attackers send, and then hold their connections open, in milliseconds. */
const MAX_SEND_MS = 40_000;
const HOLD_MS = 3_000;
const BODY_BYTES = 10 * 1_048_576;
const PIECE = Buffer.alloc(MB, ' ');

export interface Crowd {
  readonly clients: number;
  /** The lines of the head, without the length of the body. */
  readonly head: string;
  /** The bytes of the body that are sent, of the 10 MB that are announced. */
  readonly bytes: number;
}

/** Opens the connections, sends a body on each that never ends, and returns all responses meanwhile. */
async function hold({ origin, signal }: AttackContext, { clients, head, bytes }: Crowd): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const { hostname, port } = new URL(origin);
  const sockets = Array.from({ length: clients }, () => {
    const socket = connect(Number(port), hostname).on('error', () => {});
    socket.on('data', (text) => answers.push(answerOf(text.toString('latin1'))));
    socket.write(`${head}Content-Length: ${BODY_BYTES}\r\n\r\n`);
    return socket;
  });
  const sent = Promise.all(sockets.map((socket) => pour(socket, bytes)));
  await Promise.race([sent, sleep(MAX_SEND_MS, undefined, { signal }).catch(() => {})]);
  await sleep(HOLD_MS, undefined, { signal }).catch(() => {});
  for (const socket of sockets) socket.destroy();
  return answers;
}

async function pour(socket: Socket, bytes: number): Promise<void> {
  for (let left = bytes; left > 0 && !socket.destroyed && socket.writable; left -= PIECE.length) {
    const isWritten = socket.write(PIECE.subarray(0, Math.min(left, PIECE.length)));
    if (isWritten) continue;
    await new Promise<void>((resolve) => {
      socket.once('drain', resolve).once('close', resolve);
    });
  }
}

const answerOf = (text: string): Answer => ({
  status: Number(/^HTTP\/1\.1 (\d{3})/u.exec(text)?.[1] ?? 0),
  bytes: text.length,
  text,
});

/** Uses a connection of its own. */
async function answerOfIds(origin: string, signal: AbortSignal): Promise<Answer> {
  const sender = createSender(origin);
  const groups = times(50, (n) => `a${n}: readerGroup(groupId: "b-members-${n % 20}") { readerIds }`);
  const { status, bytes } = await sender.send(graphql('known', `{ ${groups} }`), signal);
  sender.close();
  return { status, bytes, text: '' };
}

const head = (lines: string, path = '/graphql', method = 'POST') =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${lines}`;

const crowd = (name: string, target: Attack['target'], more: Partial<Crowd>): Attack => ({
  name,
  target,
  token: 'none',
  isCrowd: true,
  run: (context) => hold(context, { clients: 300, head: head(''), bytes: BODY_BYTES - 1, ...more }),
  complaint: (answers) => {
    const rejections = answers.filter(({ status }) => status === 503);
    const haveRetryAfter = rejections.every(({ text }) => /^retry-after: /imu.test(text));
    return haveRetryAfter ? null : 'a 503 came without Retry-After';
  },
});

export const MEMORY: readonly Attack[] = [
  crowd('300 untrusted callers with 10 MB less a byte each', 'store', {}),
  crowd('300 untrusted callers with 10 MB less a byte each, over a service', 'service', {}),
  crowd('300 made-up tokens with 10 MB less a byte each', 'service', { head: head('api_token: made-up\r\n') }),
  crowd('300 untrusted callers outside the fast path', 'store', { head: head('', '/graphql?') }),
  crowd('300 untrusted callers of the REST API', 'store', { head: head('', '/v2/Articles/bulkupdate', 'PUT') }),
  {
    name: '60 concurrent responses of 300,000 items',
    target: 'store',
    token: 'known',
    isCrowd: true,
    run: ({ origin, signal }) => Promise.all(list(60, () => answerOfIds(origin, signal))),
  },
  crowd('2,000 untrusted callers with 400 kB each', 'store', { clients: 2_000, bytes: 400_000 }),
];
