/** The beginning of GraphiQL's page. */
const START = '<meta charset="utf-8" />';

/**
 * Runs in GraphiQL's page before anything else does. It takes the token of a link that ends with `#token=…` out of the
 * address and the history, keeps it in memory, and sends it with calls to this gateway for which nobody typed a token.
 * GraphiQL itself never sees it, so nothing can store it. Many proxies drop the header api_token for its underscore.
 */
const SCRIPT = String.raw`
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

/** GraphiQL's page, which is the same for everybody, with that script at its beginning. */
export function withTokenFromLink(page: string): string {
  if (!page.includes(START)) throw new Error('The page of GraphiQL does not begin as expected.');
  return page.replace(START, () => `${START}\n<script>${SCRIPT}</script>`);
}
