import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Plugin } from 'graphql-yoga';
import { withTokenFromLink } from './graphiql-token.ts';

const OPENING_EXAMPLE = `# Press the play button (or Ctrl-Enter). The docs are behind the book at the top left.
query ReaderGroups {
  readerGroups(first: 5) {
    nodes {
      groupId
      title
      accessScope {
        level
      }
    }
  }
}
`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  vary: 'accept-encoding',
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export interface GraphiQLOptions {
  /** Whether clients are known by their JWT, which is then what the page asks for. */
  readonly byJwt: boolean;
}

/** As bytes, which all connections share while they are sent. */
interface Page {
  readonly plain: Buffer<ArrayBuffer>;
  readonly zipped: Buffer<ArrayBuffer>;
}

/**
 * GraphiQL for a browser at `/graphql`, whole in one page, so that it needs no other host. The page is the same for
 * everybody and holds no token. It weighs 9 MB, so it is loaded only when it is first asked for.
 */
export function useGraphiQL({ byJwt }: GraphiQLOptions): Plugin {
  let rendered: Promise<Page> | null = null;
  const pageOnce = (): Promise<Page> => {
    rendered ??= renderPage(byJwt ? { authorization: 'Bearer ' } : { 'X-Api-Token': '' });
    return rendered;
  };
  return {
    onRequest: async ({ request, url, fetchAPI, endResponse }) => {
      if (request.method !== 'GET' || !request.headers.get('accept')?.includes('text/html')) return;
      if (url.pathname === '/') {
        endResponse(new fetchAPI.Response(null, { status: 302, headers: { location: '/graphql' } }));
      } else if (url.pathname === '/graphql') {
        const { plain, zipped } = await pageOnce();
        const isZipped = /\bgzip\b(?!;q=0)/u.test(request.headers.get('accept-encoding') ?? '');
        // A copy each time: the fetch implementation writes the content-length of one answer into what it is given.
        const headers = { ...HEADERS, ...(isZipped && { 'content-encoding': 'gzip' }) };
        endResponse(new fetchAPI.Response(isZipped ? zipped : plain, { headers }));
      }
    },
  };
}

async function renderPage(headers: object): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({
    title: 'kb-gateway',
    defaultQuery: OPENING_EXAMPLE,
    headers: JSON.stringify(headers, null, 2),
    shouldPersistHeaders: false,
  });
  const plain = Buffer.from(withTokenFromLink(html));
  return { plain, zipped: Buffer.from(await promisify(gzip)(plain)) };
}
