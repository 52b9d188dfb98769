import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { lazily } from '../../../core/base/lazily.ts';
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

interface GraphiQLOptions {
  /** True where the page asks for a JWT instead of an API token. */
  readonly byJwt: boolean;
  /** False where the page opens without examples, which would name parts of the schema. */
  readonly showsSchema: boolean;
}

/**
 * GraphiQL for a browser at `/graphql`, as one page that needs no other host. The page is the same for everybody and
 * holds no token. It has 2 MB, so it is rendered at the first request for it.
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

/**
 * The page as bytes, which all connections share while they are sent. The library stays at 5.15.1: from the next release on, its
 * page has the editor of VS Code, and thrice as many bytes.
 */
async function renderPage({ byJwt, showsSchema }: GraphiQLOptions) {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const defaultTabs = showsSchema ? [...GRAPHIQL_TABS] : [EMPTY_TAB];
  const html = renderGraphiQL({ title: 'kb-gateway', defaultTabs, shouldPersistHeaders: false });
  const plain = Buffer.from(adaptPage(html, byJwt));
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

const ARTICLES_QUERY = `# The first articles, and those in whose texts the
# words stand. The next page: after: "the endCursor".
query Articles {
  list: articles(first: 3) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      articleId
      title
    }
  }
  search: articles(first: 3, filter: { text: "lamp" }) {
    nodes {
      articleId
      title
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

const CREATE = `# A new draft. With the same key, the next press
# gives the same answer, and creates nothing.
mutation CreateArticle {
  createArticles(
    idempotencyKey: "clean-a-lamp"
    input: {
      userId: "embedded-store"
      articles: [
        { title: "Clean a lamp", projectVersionId: "fernlight-2", categoryId: "rooms", content: "Use a dry cloth." }
      ]
    }
  ) {
    __typename
    ... on CreateArticlesPayload {
      replayed
      results {
        __typename
        title
        details
        ... on ArticleCreated {
          articleId
          article {
            slug
          }
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

const PUBLISH = `# The latest version becomes the public one.
# The team account of the store does it.
mutation PublishArticle {
  publishArticles(
    input: { articles: [{ articleId: "unpack-the-hub" }], userId: "embedded-store" }
  ) {
    __typename
    ... on PublishArticlesPayload {
      results {
        __typename
        details
        ... on ArticleUpdated {
          evidence
          publication
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
  { query: ARTICLES_QUERY },
  { query: PREVIEW, variables: VARIABLES },
  { query: BULK_UPDATE, variables: VARIABLES },
  { query: CREATE },
  { query: PUBLISH },
  { query: GROUP_UPDATE },
];

/** The only tab where the schema is not shown to everybody. */
const EMPTY_TAB: GraphiQLTab = { query: '# The schema is not shown here. Every operation needs a token.\n' };

/** GraphiQL moves a tab away from the pointer at the first press on it, so that the click misses the tab. */
const STYLE = `<style>
  .graphiql-tab { transform: none !important; }
  .graphiql-container { height: calc(100vh - 40px) !important; }
  #token { align-items: center; background: #eceef1; color: #1f2933; display: flex; font: 14px sans-serif; gap: 8px; height: 40px; padding: 0 16px; }
</style>`;

/** A token is sent as X-Api-Token, since many proxies drop the header api_token for its underscore. */
const API_TOKENS = {
  headers: ['x-api-token', 'api_token', 'authorization'],
  prefix: '',
  name: 'API token',
  source: 'Open the link that the gateway printed at its start, or type one here:',
};

/** A JWT goes beside an API token that is typed into the headers. */
const JWTS = { headers: ['authorization'], prefix: 'Bearer ', name: 'JWT', source: 'Type one here:' };

/** A function of the page: who sends a token, as the console says it. */
const callerNameOf = String.raw`(token) => {
    let claims = null;
    try {
      const [, payload, signature] = token.split('.');
      const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
      if (signature !== undefined) claims = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0))));
    } catch {}
    const claim = (name) => {
      const text = claims === null ? null : claims[name];
      return typeof text === 'string' ? text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, 100) : '';
    };
    if (claim('sub') || claim('iss')) return 'of ' + (claim('sub') || 'nobody that it names') + ' (' + claim('iss') + ')';
    return token.length < 20 ? 'which is too short to be shown' : 'which ends with …' + token.slice(-4);
  }`;

/**
 * Runs in GraphiQL's page before any other script. It removes the token of a link that ends with `#token=…` from the
 * address and the history. It keeps that token, or the one that is typed into the line above GraphiQL, in memory, and sends
 * it with calls to this gateway that have none in their typed headers. GraphiQL never sees the token, so nothing can store it.
 * A link never replaces a token, since another page may have opened it. Its history would store the typed headers, which are
 * therefore taken out of all that it stores.
 */
const tokenScript = ({ headers: names, prefix, name, source }: typeof API_TOKENS): string => String.raw`
(() => {
  let linked = null;
  let typed = null;
  const nameOf = ${callerNameOf};
  const tokenOf = (text) => (/^[\x21-\x7e]+$/.test(text) ? text : null);
  const show = () => {
    const [line] = document.querySelectorAll('#token > span');
    if (!line) return;
    const origin = typed ? 'the one that was typed here' : 'that of the link';
    line.textContent = typed ?? linked
      ? 'The ${name} that is sent: ' + origin + ', ' + nameOf(typed ?? linked) + '. The page forgets it when it is reloaded.'
      : 'The page has no ${name}, and keeps none when it is reloaded. ${source}';
  };
  const replaceState = history.replaceState.bind(history);
  const take = () => {
    const token = new URLSearchParams(location.hash.slice(1)).get('token');
    if (token === null) return;
    replaceState(history.state, '', location.href.split('#')[0]);
    if (!(typed ?? linked)) linked = tokenOf(token);
    show();
  };
  take();
  addEventListener('hashchange', take);
  // The library would put each query into the address, which a reload sends and proxies log.
  history.pushState = history.replaceState = () => {};
  addEventListener('DOMContentLoaded', () => {
    show();
    document.querySelector('#token > input').addEventListener('input', ({ target }) => {
      typed = tokenOf(target.value.trim());
      show();
    });
  });

  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (key, value) {
    setItem.call(this, key, String(value).replace(/"headers":"(?:[^"\\]|\\.)*"/g, '"headers":null'));
  };

  const send = globalThis.fetch;
  globalThis.fetch = async (resource, options = {}) => {
    const url = new URL(resource, location.href);
    const isOurs = url.origin === location.origin && url.pathname === location.pathname;
    const headers = new Headers(options.headers);
    const names = ${JSON.stringify(names)};
    const held = typed ?? linked;
    if (held === null || !isOurs || names.some((name) => headers.get(name))) return send(resource, options);
    for (const name of names) headers.delete(name);
    headers.set(names[0], '${prefix}' + held);
    return send(resource, { ...options, headers });
  };
})();
`;

/** Parts of GraphiQL's page: its beginning, that of its body, and that of its options. */
const PAGE_START = '<meta charset="utf-8" />';
const BODY_START = '<div id="root"></div>';
const OPTIONS_START = '{"title":"kb-gateway",';

/** The query with which GraphiQL opens. Where there is none, it is that of the tab; the library would show one of its own. */
const LINKED_QUERY = `"query":new URLSearchParams(location.search).get('query'),`;

/** Adds the script and the style to the beginning of GraphiQL's page, and the line on the token above GraphiQL. */
function adaptPage(page: string, byJwt: boolean): string {
  if (![PAGE_START, BODY_START, OPTIONS_START].every((part) => page.split(part).length === 2))
    throw new Error('The page of GraphiQL is not as expected.');
  const kind = byJwt ? JWTS : API_TOKENS;
  const line = `<label id="token"><span></span><input type="password" autocomplete="off" placeholder="${kind.name}" /></label>`;
  return page
    .replace(PAGE_START, () => `${PAGE_START}\n<script>${tokenScript(kind)}</script>\n${STYLE}`)
    .replace(BODY_START, () => `${line}${BODY_START}`)
    .replace(OPTIONS_START, () => `${OPTIONS_START}${LINKED_QUERY}`);
}
