import type { IncomingMessage } from 'node:http';
import { JWKS_TIMEOUT_MS, MAX_JWKS_BYTES } from '../../core/base/limits.ts';
import { decodeText } from '../../core/base/text.ts';
import { createOutboundRoute } from '../../service/calls/outbound-route.ts';

/** What an issuer publishes, and the proxy in front of it. */
export interface JsonSource {
  readonly url: string;
  readonly accept: string;
  /** It is fetched directly when this is null or absent. */
  readonly proxyUrl?: string | null;
  readonly userAgent: string;
}

/** Fetches JSON by one request on a connection of its own. Redirects are not followed. */
export async function fetchJson({ url, accept, proxyUrl = null, userAgent }: JsonSource) {
  const target = new URL(url);
  const { request, connection, pathPrefix, headers } = createOutboundRoute(target, proxyUrl, {});
  // The signal also ends a response without an end, and a tunnel without an answer.
  const signal = AbortSignal.timeout(JWKS_TIMEOUT_MS);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    const path = `${pathPrefix}${target.pathname}${target.search}`;
    request({ ...connection, path, headers: { accept, 'user-agent': userAgent, ...headers }, signal })
      .once('response', resolve)
      .on('error', reject)
      .end();
  });
  try {
    if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response) {
      bytes += chunk.byteLength;
      if (bytes > MAX_JWKS_BYTES) throw new Error(`more than ${MAX_JWKS_BYTES} bytes`);
      chunks.push(chunk);
    }
    return JSON.parse(decodeText(Buffer.concat(chunks)) ?? '');
  } finally {
    response.destroy();
  }
}
