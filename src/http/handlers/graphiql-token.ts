/** The beginning of GraphiQL's page. */
const PAGE_START = '<meta charset="utf-8" />';

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

/** Adds the script to the beginning of GraphiQL's page. */
export function withTokenFromLink(page: string): string {
  if (!page.includes(PAGE_START)) throw new Error('The page of GraphiQL does not begin as expected.');
  return page.replace(PAGE_START, () => `${PAGE_START}\n<script>${TOKEN_SCRIPT}</script>`);
}
