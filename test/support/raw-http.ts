import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 where the connection ended without an answer. */
  readonly status: number;
  /** Names in lower case; of a name that comes twice, the last. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Sends bytes as they are, malformed or not, and reads until the server ends the connection: requests should carry
 * `Connection: close`.
 */
export function sendRaw(url: string, request: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
    // What ends a connection early is an answer too: that of nobody.
    socket.on('error', () => {});
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks).toString('latin1'))));
    socket.write(typeof request === 'string' ? Buffer.from(request, 'latin1') : request);
  });
}

export interface RawRequest {
  readonly method?: string;
  readonly target?: string;
  /** Lines as they are sent; `Host` and `Connection: close` are added where `host` is not null. */
  readonly headers?: readonly string[];
  readonly host?: string | null;
  readonly body?: string | Buffer;
}

/** The bytes of a request; whatever is odd about it is left as it is. */
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
