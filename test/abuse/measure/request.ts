import { Agent, request as open } from 'node:http';

/** A request that can be stored and sent again. */
export interface AbuseRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answer {
  /** 0 when the connection ended without a response. */
  readonly status: number;
  readonly bytes: number;
  readonly text: string;
}

const NOTHING: Answer = { status: 0, bytes: 0, text: '' };

/** Sends all requests to one gateway on one connection. */
export interface Sender {
  send(request: AbuseRequest, signal?: AbortSignal): Promise<Answer>;
  close(): void;
}

export function createSender(origin: string): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: (request, signal) => send({ origin, agent, request, signal }),
    close: () => agent.destroy(),
  };
}

interface Sending {
  readonly origin: string;
  readonly agent: Agent;
  readonly request: AbuseRequest;
  readonly signal: AbortSignal | undefined;
}

function send({ origin, agent, request, signal }: Sending): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const body = Buffer.from(request.body);
  const length = body.length > 0 ? { 'content-length': `${body.length}` } : {};
  return new Promise((resolve) => {
    const { method, path } = request;
    const options = { agent, hostname, port, method, path, headers: { ...request.headers, ...length } };
    const sent = open(signal ? { ...options, signal } : options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(NOTHING));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, bytes: bytes.length, text: bytes.toString('latin1') });
      });
    });
    // The server has just ended a connection that was idle for long.
    const isStale = (error: NodeJS.ErrnoException) => sent.reusedSocket && error.code === 'ECONNRESET';
    sent.on('error', (error) => {
      if (isStale(error) && !signal?.aborted) resolve(send({ origin, agent: new Agent(), request, signal }));
      else resolve(NOTHING);
    });
    sent.end(body);
  });
}

/**
 * Describes what is wrong with a response, whatever the request cost; null when nothing is. Only error responses are
 * searched for traces of code, since an article may contain the same texts.
 */
export function faultOf({ status, text }: Answer): string | null {
  if (status === 500 || text.includes('"code":"INTERNAL"'))
    return `an internal error (${status}): ${text.slice(0, 200)}`;
  const isError = status >= 400 || text.startsWith('{"errors"');
  return isError && /node_modules|node:internal|\.ts:\d/u.test(text) ? 'a trace of code' : null;
}
