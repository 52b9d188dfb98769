import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { lazily } from '../../../core/base/lazily.ts';
import { type GraphiQLOptions, readGraphiQL } from '../../console-files.ts';
import type { RouteHandler } from '../requests/request-body.ts';
import { sendBody } from '../responses/send-response.ts';
import { PAGE_SECURITY_HEADERS } from './page-headers.ts';

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  vary: 'accept-encoding',
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  ...PAGE_SECURITY_HEADERS,
};

/**
 * GraphiQL for a browser at `/graphql`, as one page that needs no other host, built from console/src/graphiql. The page is the
 * same for everybody and holds no token. It has 2 MB, so it is read at the first request for it.
 */
export function createGraphiQLHandler(options: GraphiQLOptions): RouteHandler {
  // All connections share the bytes while they are sent.
  const page = lazily(async () => {
    const plain = Buffer.from(await readGraphiQL(options));
    return { plain, zipped: await promisify(gzip)(plain) };
  });
  return async ({ request, outgoing }) => {
    const { plain, zipped } = await page();
    const isZipped = /\bgzip\b(?!;q=0)/u.test(request.headers['accept-encoding']?.toString() ?? '');
    const headers = { ...PAGE_HEADERS, ...(isZipped && { 'content-encoding': 'gzip' }) };
    return sendBody(outgoing, { status: 200, headers, body: isZipped ? zipped : plain, isShared: true });
  };
}
