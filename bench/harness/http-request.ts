interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** Null for a request without a body. */
  readonly body: unknown;
  readonly token: string;
}

/** The bytes of a request over HTTP/1.1. */
export function bytesOf({ method, path, body, token }: HttpRequest): Buffer {
  const payload = Buffer.from(body === null ? '' : JSON.stringify(body));
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    'content-type: application/json',
    `api_token: ${token}`,
    `content-length: ${payload.length}`,
    '\r\n',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head), payload]);
}
