/** The token that the page sends. It is in memory alone: GraphiQL never sees it, so nothing can store it. */
export interface HeldToken {
  readonly token: () => string | null;
  /** True where the token was typed; false where it is that of the link. */
  readonly isTyped: () => boolean;
  /** Holds what was typed into the line above GraphiQL, rather than the token of the link. */
  readonly type: (text: string) => void;
  readonly onChange: (listener: () => void) => void;
}

const tokenOf = (text: string): string | null => (/^[\x21-\x7e]+$/u.test(text) ? text : null);

/**
 * Removes the token of a link that ends with `#token=…` from the address and the history, and holds it. A link never replaces a
 * token, since another page may have opened it.
 */
export function holdToken(): HeldToken {
  let linked: string | null = null;
  let typed: string | null = null;
  let notify = () => {};
  const replaceState = history.replaceState.bind(history);
  const take = () => {
    const token = new URLSearchParams(location.hash.slice(1)).get('token');
    if (token === null) return;
    replaceState(history.state, '', location.href.split('#', 1)[0]);
    if ((typed ?? linked) === null) linked = tokenOf(token);
    notify();
  };
  take();
  addEventListener('hashchange', take);
  // The library would put each query into the address, which a reload sends and proxies log.
  history.pushState = () => {};
  history.replaceState = () => {};
  return {
    token: () => typed ?? linked,
    isTyped: () => typed !== null,
    type(text) {
      typed = tokenOf(text.trim());
      notify();
    },
    onChange(listener) {
      notify = listener;
    },
  };
}
