import type { Socket } from 'node:net';
import type { Got, Request } from 'got';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Headers } from '../../v2/rate-limit.ts';
import { type CallFailure, callFailureOf, type Progress, TOO_LARGE } from './http/request.ts';
import { MAX_ANSWER_BYTES, MAX_BYTES_AT_ONCE, readAnswerBody } from './http/response-body.ts';
import { Gate } from './rate-limit/semaphore.ts';

/** A request as got takes it. */
export interface HttpRequest {
  readonly url: string;
  readonly options: {
    readonly method: 'GET' | 'PUT';
    readonly headers: Readonly<Record<string, string>>;
    readonly timeout: { readonly request: number };
  };
  /** Its length stands in the headers. */
  readonly body?: Uint8Array | undefined;
}

export interface HttpAnswer {
  readonly httpStatus: number;
  readonly headers: Headers;
  /** The JSON that came; undefined where none came that can be read. */
  readonly body: unknown;
}

export type Sent = Result<HttpAnswer, CallFailure>;

/** So many answers are unpacked and parsed at one time: a small one may become a large one. */
const UNPACKING = 4;

/** What of all answers together is in memory. */
export interface Reading {
  bytes: number;
  readonly unpacking: Gate;
}

export const createReading = (waiting: number): Reading => ({
  bytes: 0,
  unpacking: new Gate({ slots: UNPACKING, waiting }),
});

/** One request and its answer; of a request without an answer, whether it may have arrived. */
export async function exchange(
  http: Got,
  { url, options, body: payload }: HttpRequest,
  reading: Reading,
): Promise<Sent> {
  // As a stream: got's promise of the same takes a sixth more time (decision 23).
  const stream = http.stream(url, options);
  // Written into it: a body among the options is copied, and waits for a turn of the event loop before it ends.
  if (payload) stream.end(payload);
  const progress = watchConnection(stream, url.startsWith('https:') ? 'secureConnect' : 'connect');
  const incoming: Incoming = { bytes: 0, chunks: [] };
  try {
    const end = await receive(stream, incoming, reading);
    if (end instanceof Error) return err(callFailureOf(end, stream.response === undefined, progress));
    const isReadable = end === 'whole' && (await reading.unpacking.enter(options.timeout.request)) === 'entered';
    if (!isReadable) return err(TOO_LARGE);
    const { statusCode = 0, headers = {} } = stream.response ?? {};
    const [first] = incoming.chunks;
    const bytes = first && incoming.chunks.length === 1 ? first : Buffer.concat(incoming.chunks);
    const body = await readAnswerBody(bytes, headers['content-encoding']).finally(() => reading.unpacking.leave());
    return ok({ httpStatus: statusCode, headers, body });
  } finally {
    reading.bytes -= incoming.bytes;
  }
}

/** Follows a request to its connection. */
function watchConnection(stream: Request, connected: 'connect' | 'secureConnect'): Progress {
  const progress = { wasConnected: false, wasReused: false };
  const watch = (socket: Socket) => {
    progress.wasConnected = !socket.connecting;
    progress.wasReused = progress.wasConnected;
    if (progress.wasConnected) return;
    socket.once(connected, () => {
      progress.wasConnected = true;
    });
  };
  stream.once('request', (request) => {
    if (request.socket) watch(request.socket);
    else request.once('socket', watch);
  });
  return progress;
}

/** What has come of an answer. */
interface Incoming {
  bytes: number;
  readonly chunks: Buffer[];
}

/** Reads the answer to its end, which may be an error, or that it is too large, alone or with all that are read at this time. */
function receive(stream: Request, incoming: Incoming, reading: Reading): Promise<'whole' | 'too large' | Error> {
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      incoming.bytes += chunk.length;
      reading.bytes += chunk.length;
      incoming.chunks.push(chunk);
      if (incoming.bytes <= MAX_ANSWER_BYTES && reading.bytes <= MAX_BYTES_AT_ONCE) return;
      resolve('too large');
      stream.destroy();
    });
    stream.once('end', () => resolve('whole'));
    // It stays: after the first error there may be another, which is nobody's. One of writing leaves the stream as it is.
    stream.on('error', (error) => {
      resolve(error);
      stream.destroy();
    });
  });
}
