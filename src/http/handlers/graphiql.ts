import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { lazily } from '../../base/lazily.ts';
import { sendBody } from '../responses/send-response.ts';
import { EMPTY_TAB, GRAPHIQL_TABS, withTabs } from './graphiql-tabs.ts';
import { withTokenFromLink } from './graphiql-token.ts';
import type { RouteHandler } from './route-handler.ts';

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  vary: 'accept-encoding',
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

interface GraphiQLOptions {
  /** True where the page asks for a JWT instead of an API token. */
  readonly byJwt: boolean;
  /** False where the page opens without examples, which would name parts of the schema. */
  readonly showsSchema: boolean;
}

/** The page as bytes, which all connections share while they are sent. */
interface RenderedPage {
  readonly plain: Buffer;
  readonly zipped: Buffer;
}

/**
 * GraphiQL for a browser at `/graphql`, as one page that needs no other host. The page is the same for everybody and
 * holds no token. It has 9 MB, so it is rendered at the first request for it.
 */
export function createGraphiQLHandler(options: GraphiQLOptions): RouteHandler {
  const page = lazily(() => renderPage(options));
  return async ({ request, outgoing }) => {
    const { plain, zipped } = await page();
    const isZipped = /\bgzip\b(?!;q=0)/u.test(request.headers['accept-encoding']?.toString() ?? '');
    const headers = { ...PAGE_HEADERS, ...(isZipped && { 'content-encoding': 'gzip' }) };
    return sendBody(outgoing, { status: 200, headers, body: isZipped ? zipped : plain });
  };
}

async function renderPage({ byJwt, showsSchema }: GraphiQLOptions): Promise<RenderedPage> {
  const headers = JSON.stringify(byJwt ? { authorization: 'Bearer ' } : { 'X-Api-Token': '' }, null, 2);
  const tabs = showsSchema ? GRAPHIQL_TABS : [EMPTY_TAB];
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({
    title: 'kb-gateway',
    defaultTabs: tabs.map((tab) => ({ ...tab, headers })),
    headers,
    shouldPersistHeaders: false,
  });
  const plain = Buffer.from(withTokenFromLink(withTabs(html)));
  return { plain, zipped: await promisify(gzip)(plain) };
}
