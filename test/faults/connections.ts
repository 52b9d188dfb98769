import { setTimeout as sleep } from 'node:timers/promises';
import { type Behaviour, cutWithin, drip, endless, hang, reset } from '../support/faulty-service.ts';
import { expecting, type Fault, UNKNOWN, UNSENT, updated } from './fault.ts';
import { good, goodAnswer } from './good-service.ts';

/** Writes these bytes in place of a response, and then ends the connection or leaves it open. */
const raw =
  (text: string, end: 'ends' | 'stays open' = 'ends'): Behaviour =>
  (response) => {
    if (end === 'ends') response.socket?.end(text);
    else response.socket?.write(text);
  };

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Writes the parts repeatedly until the client ends the connection. */
const dripping =
  (first: string, part: string, pauseMs: number): Behaviour =>
  async ({ socket }) => {
    socket?.write(first);
    while (socket && !socket.destroyed) {
      socket.write(part);
      await sleep(pauseMs);
    }
  };

/** A correct response whose announced length is wrong by `off` bytes. */
const wrongLength =
  (off: number): Behaviour =>
  ({ socket }, request) => {
    const body = JSON.stringify(goodAnswer(request));
    socket?.end(`${HEAD}content-length: ${body.length + off}\r\n\r\n${body}`);
  };

/** Resets a connection that was used before, and responds correctly on a new one. */
const cutWhereUsed = (): Behaviour => (response, request) =>
  (response.socket?.bytesWritten ? reset() : good())(response, request);

const unknown = (name: string, behaviour: Behaviour): Fault => ({
  name,
  behaviour: () => behaviour,
  expected: UNKNOWN,
});

export const CONNECTIONS: readonly Fault[] = [
  { name: 'connection refused', upstream: () => 'http://127.0.0.1:1', expected: UNSENT },
  { name: 'unknown host', upstream: () => 'http://service.invalid', expected: UNSENT },
  { name: 'no TLS where TLS is expected', upstream: ({ host }) => `https://${host}`, expected: UNSENT },
  unknown('silence', hang()),
  unknown('connection reset before the answer', reset()),
  unknown('connection closed before the answer', raw('')),
  unknown('silence within the head', raw('HTTP/1.1 200 OK\r\ncontent-ty', 'stays open')),
  unknown('connection closed within the head', raw('HTTP/1.1 200 OK\r\ncontent-ty')),
  unknown('silence within the body', raw(`${HEAD}content-length: 100\r\n\r\n{"data": [`, 'stays open')),
  unknown('connection cut within the body', cutWithin(200, '{"data": [')),
  unknown(
    'connection closed within the last chunk',
    raw(`${HEAD}transfer-encoding: chunked\r\n\r\na\r\n{"data": [\r\n`),
  ),
  unknown('chunk of no size', raw(`${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n{"data": [\r\n0\r\n\r\n`)),
  unknown('chunk longer than announced', raw(`${HEAD}transfer-encoding: chunked\r\n\r\n3\r\n{"data": [\r\n0\r\n\r\n`)),
  unknown('content-length that is no number', raw(`${HEAD}content-length: ten\r\n\r\n{}`)),
  unknown('content-length below 0', raw(`${HEAD}content-length: -1\r\n\r\n{}`)),
  unknown('two lengths that differ', raw(`${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`)),
  unknown(
    'length and chunks',
    raw(`${HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  ),
  unknown('content-length longer than the body', wrongLength(10)),
  unknown('content-length shorter than the body', wrongLength(-10)),
  unknown('bytes that are no HTTP', raw('\x00\x01\x02SSH-2.0-OpenSSH\r\n\r\n')),
  unknown('a page without a head', raw('<html>Bad Gateway</html>')),
  unknown('status that is no number', raw('HTTP/1.1 abc OK\r\n\r\n')),
  unknown('header of 100 kB', raw(`${HEAD}x-large: ${'x'.repeat(100_000)}\r\ncontent-length: 2\r\n\r\n{}`)),
  unknown('headers without end', dripping(HEAD, `x-more: ${'x'.repeat(1_000)}\r\n`, 1)),
  unknown('header with a line break', raw(`${HEAD}x: a\rb\r\ncontent-length: 2\r\n\r\n{}`)),
  unknown(
    'Switching Protocols',
    raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
  ),
  unknown('Early Hints without end', dripping('', 'HTTP/1.1 103 Early Hints\r\n\r\n', 20)),
  unknown('head that drips', dripping('HTTP/1.1 200 OK\r\nx: ', 'x', 20)),
  unknown('body that drips', drip()),
  unknown('body without end', endless()),
  { name: 'connection closed while idle', idle: 'closed', expected: updated() },
  {
    name: 'idle connection reset under the next call',
    idle: 'kept',
    behaviour: cutWhereUsed,
    expected: expecting(
      ['unknown 1', 'updated 2, unknown 2, not attempted 2', 'OutcomeUnknownError', 'updated'],
      [1, 2, 1, 3],
    ),
  },
];
