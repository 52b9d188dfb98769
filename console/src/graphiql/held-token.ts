import { onLinkedToken, takeLinkedToken, tokenOf } from '../linked-token.ts';

/** The token that the page sends. It is in memory alone: GraphiQL never sees it, so nothing can store it. */
export interface HeldToken {
  readonly token: () => string | null;
  /** True where the token was typed; false where it is that of the link. */
  readonly isTyped: () => boolean;
  /** Holds what was typed into the line above GraphiQL, rather than the token of the link. */
  readonly type: (text: string) => void;
  readonly onChange: (listener: () => void) => void;
}

/** Holds the token of the link. Another link never replaces a token, since another page may have opened it. */
export function holdToken(): HeldToken {
  let linked = takeLinkedToken();
  let typed: string | null = null;
  let notify = () => {};
  onLinkedToken((token) => {
    if (typed === null) linked ??= token;
    notify();
  });
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
