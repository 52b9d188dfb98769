import type { IncomingMessage } from 'node:http';
import type { JSONWebKeySet } from 'jose';
import { JWKS_TIMEOUT_MS, MAX_JWKS_BYTES } from '../base/limits.ts';
import { createOutboundRoute } from '../base/outbound-route.ts';

/** The URL of the keys, and the way there. */
export interface JwksSource {
  readonly jwksUrl: string;
  /** The name of its setting in messages. */
  readonly setting?: string;
  /** The proxy in front of it. Keys are fetched directly when it is null or absent. */
  readonly proxyUrl?: string | null;
  readonly userAgent: string;
}

/** Fetches keys by one request of its own connection. Redirects are not followed. */
export async function fetchJwks(source: JwksSource): Promise<JSONWebKeySet> {
  const response = await requestJwks(source, AbortSignal.timeout(JWKS_TIMEOUT_MS));
  try {
    if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response) {
      bytes += chunk.byteLength;
      if (bytes > MAX_JWKS_BYTES) throw new Error(`more than ${MAX_JWKS_BYTES} bytes`);
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } finally {
    response.destroy();
  }
}

/** The signal also ends a response that does not end, and a tunnel that nobody answers. */
function requestJwks(
  { jwksUrl, proxyUrl = null, userAgent }: JwksSource,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(jwksUrl);
  const { request, connection, pathPrefix, headers } = createOutboundRoute(url, proxyUrl, {});
  const accept = 'application/json, application/jwk-set+json';
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    request({
      ...connection,
      path: `${pathPrefix}${url.pathname}${url.search}`,
      headers: { accept, 'user-agent': userAgent, ...headers },
      signal,
    })
      .once('response', resolve)
      .on('error', reject)
      .end();
  });
}
