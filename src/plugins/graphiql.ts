import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Plugin } from 'graphql-yoga';

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

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/iu;

export interface GraphiQLOptions {
  /**
   * The token to fill in, or null for none. It is given only to a page that was asked for by a loopback name, so that no
   * other name that was pointed at this machine is handed it.
   */
  readonly token: string | null;
  /** Whether clients are known by their JWT, which is then what the page asks for. */
  readonly byJwt: boolean;
}

/** As bytes, which all connections share while they are sent. */
interface Page {
  readonly plain: Buffer<ArrayBuffer>;
  readonly zipped: Buffer<ArrayBuffer>;
}

/**
 * GraphiQL for a browser at `/graphql`, whole in one page, so that it needs no other host. The page weighs 9 MB, so it is
 * loaded only when it is first asked for.
 */
export function useGraphiQL({ token, byJwt }: GraphiQLOptions): Plugin {
  const pages = new Map<boolean, Promise<Page>>();
  const pageFor = (isFilledIn: boolean): Promise<Page> => {
    const page =
      pages.get(isFilledIn) ??
      renderPage(byJwt ? { authorization: 'Bearer ' } : { api_token: isFilledIn ? token : '' });
    pages.set(isFilledIn, page);
    return page;
  };
  return {
    onRequest: async ({ request, url, fetchAPI, endResponse }) => {
      if (request.method !== 'GET' || !request.headers.get('accept')?.includes('text/html')) return;
      if (url.pathname === '/') {
        endResponse(new fetchAPI.Response(null, { status: 302, headers: { location: '/graphql' } }));
      } else if (url.pathname === '/graphql') {
        const isFilledIn = token !== null && LOOPBACK_HOST.test(request.headers.get('host') ?? '');
        const { plain, zipped } = await pageFor(isFilledIn);
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
  const plain = Buffer.from(html);
  return { plain, zipped: Buffer.from(await promisify(gzip)(plain)) };
}
