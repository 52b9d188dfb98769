import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 when the connection ended without a response. */
  readonly status: number;
  /** Names in lower case; the last value of a repeated header. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Sends bytes as they are, valid or not, and reads until the server ends the connection: requests should have the
 * header `Connection: close`.
 */
export function sendRaw(url: string, request: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
    // An error ends the connection without a response, which has the status 0.
    socket.on('error', () => {});
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks).toString('latin1'))));
    socket.write(typeof request === 'string' ? Buffer.from(request, 'latin1') : request);
  });
}

export interface RawRequest {
  readonly method?: string;
  readonly target?: string;
  /** Header lines as they are sent; `Host` (unless `host` is null) and `Connection: close` are added. */
  readonly headers?: readonly string[];
  readonly host?: string | null;
  readonly body?: string | Buffer;
}

/** The bytes of a request, which may be invalid. */
export function rawRequest({
  method = 'GET',
  target = '/graphql',
  headers = [],
  host = 'a',
  body = '',
}: RawRequest): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(host === null ? [] : [`Host: ${host}`]),
    'Connection: close',
    ...(bytes.length > 0 && !headers.some((line) => /^transfer-encoding:/iu.test(line))
      ? [`Content-Length: ${bytes.length}`]
      : []),
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.toLowerCase(), value.join(':').trim()] as const;
    }),
  );
  const body = rest.join('\r\n\r\n');
  const isChunked = headers.get('transfer-encoding') === 'chunked';
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body: isChunked ? joinChunks(body) : body };
}

function joinChunks(body: string): string {
  const size = Number.parseInt(body, 16);
  if (!size) return '';
  const start = body.indexOf('\r\n') + 2;
  return body.slice(start, start + size) + joinChunks(body.slice(start + size + 2));
}
