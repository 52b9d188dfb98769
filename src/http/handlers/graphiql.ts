import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { lazily } from '../../base/lazily.ts';
import type { RouteHandler } from '../requests/request-body.ts';
import { sendBody } from '../responses/send-response.ts';

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
    return sendBody(outgoing, { status: 200, headers, body: isZipped ? zipped : plain, isShared: true });
  };
}

/** The page as bytes, which all connections share while they are sent. */
async function renderPage({ byJwt, showsSchema }: GraphiQLOptions) {
  const headers = JSON.stringify(byJwt ? { authorization: 'Bearer ' } : { 'X-Api-Token': '' }, null, 2);
  const tabs = showsSchema ? GRAPHIQL_TABS : [EMPTY_TAB];
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({
    title: 'kb-gateway',
    defaultTabs: tabs.map((tab) => ({ ...tab, headers })),
    headers,
    shouldPersistHeaders: false,
  });
  const plain = Buffer.from(adaptPage(html));
  return { plain, zipped: await promisify(gzip)(plain) };
}

/** A tab of GraphiQL. */
interface GraphiQLTab {
  readonly query: string;
  readonly variables?: string;
}

const QUERY = `# Press the play button (or Ctrl-Enter).
# The docs are behind the book at the top left.
# The other tabs use the IDs of the demo.
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

const PREVIEW = `# Tells what the update of the next tab would
# change, and writes nothing.
mutation PreviewArticles($input: BulkUpdateArticlesInput!) {
  previewBulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPreview {
      results {
        articleId
        changes {
          field
          from
          to
        }
        issues {
          message
        }
      }
    }
    ... on MutationError {
      code
      message
    }
  }
}
`;

const BULK_UPDATE = `# Each article has an outcome of its own.
# The second one does not exist, so it fails.
mutation UpdateArticles($input: BulkUpdateArticlesInput!) {
  bulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPayload {
      results {
        __typename
        articleId
        details
        retryable
        ... on ArticleUpdated {
          article {
            title
          }
        }
      }
    }
    ... on MutationError {
      code
      message
      retryable
      mayHaveApplied
    }
  }
}
`;

const ARTICLES = [
  { articleId: 'unpack-the-hub', title: 'First steps', hidden: false },
  { articleId: 'no-such-article', title: 'Lost' },
];
const VARIABLES = JSON.stringify({ input: { articles: ARTICLES } }, null, 2);

const GROUP_UPDATE = `# The group may read the listed categories.
# Its title and members are left out, so they stay.
mutation UpdateGroup {
  updateReaderGroup(
    input: {
      groupId: "partners"
      accessScope: {
        categories: [
          { projectVersionId: "fernlight-2", categoryId: "rooms", languageCode: "en" }
          { projectVersionId: "fernlight-2", categoryId: "scenes", languageCode: "en" }
        ]
      }
    }
  ) {
    __typename
    ... on UpdateReaderGroupPayload {
      readerGroup {
        title
        accessScope {
          level
        }
      }
    }
    ... on MutationError {
      code
      message
    }
  }
}
`;

/**
 * The tabs with which GraphiQL opens: each runs as it is over the demo.
 *
 * @internal Exported for tests.
 */
export const GRAPHIQL_TABS: readonly GraphiQLTab[] = [
  { query: QUERY },
  { query: PREVIEW, variables: VARIABLES },
  { query: BULK_UPDATE, variables: VARIABLES },
  { query: GROUP_UPDATE },
];

/** The only tab where the schema is not shown to everybody. */
const EMPTY_TAB: GraphiQLTab = { query: '# The schema is not shown here. Every operation needs a token.\n' };

/** GraphiQL moves a tab away from the pointer at the first press on it, so that the click misses the tab. */
const STYLE = '<style>.graphiql-tab { transform: none !important; }</style>';

/**
 * Runs in GraphiQL's page before any other script. It removes the token of a link that ends with `#token=…` from the
 * address and the history, keeps it in memory, and sends it with calls to this gateway that have no typed token.
 * GraphiQL never sees the token, so nothing can store it. It is sent as X-Api-Token, since many proxies drop the header
 * api_token for its underscore.
 */
const TOKEN_SCRIPT = String.raw`
(() => {
  let held = null;
  const take = () => {
    const token = new URLSearchParams(location.hash.slice(1)).get('token');
    if (token === null) return;
    history.replaceState(history.state, '', location.href.split('#')[0]);
    if (/^[\x21-\x7e]+$/.test(token)) held = token;
  };
  take();
  addEventListener('hashchange', take);

  const send = globalThis.fetch;
  globalThis.fetch = async (resource, options = {}) => {
    const url = new URL(resource, location.href);
    const isOurs = url.origin === location.origin && url.pathname === location.pathname;
    const headers = new Headers(options.headers);
    const isTyped = ['api_token', 'x-api-token', 'authorization'].some((name) => headers.get(name));
    if (held === null || !isOurs || isTyped) return send(resource, options);
    headers.delete('api_token');
    headers.set('x-api-token', held);
    return send(resource, { ...options, headers });
  };
})();
`;

/** The beginning of GraphiQL's page. */
const PAGE_START = '<meta charset="utf-8" />';

/** Adds the script and the style to the beginning of GraphiQL's page. */
function adaptPage(page: string): string {
  if (!page.includes(PAGE_START)) throw new Error('The page of GraphiQL does not begin as expected.');
  return page.replace(PAGE_START, () => `${PAGE_START}\n<script>${TOKEN_SCRIPT}</script>\n${STYLE}`);
}
