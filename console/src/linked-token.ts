/** Takes a member of the fragment out of the address and the history; null where there is none. */
export function takeFromFragment(name: string): string | null {
  const params = new URLSearchParams(location.hash.slice(1));
  const text = params.get(name);
  if (text === null) return null;
  params.delete(name);
  const rest = params.size > 0 ? `#${params}` : location.pathname + location.search;
  // GraphiQL's page puts another function in the place of `history.replaceState`.
  History.prototype.replaceState.call(history, null, '', rest);
  return text;
}

/** The text as a token; null where a header cannot hold it. */
export const tokenOf = (text: string | null): string | null => (/^[\x21-\x7e]+$/u.test(text ?? '') ? text : null);

export const takeLinkedToken = (): string | null => tokenOf(takeFromFragment('token'));

/** Calls back for each link with a token that is pasted into the address. Returns a function that ends this. */
export function onLinkedToken(take: (token: string) => void): () => void {
  const onChange = () => {
    const token = takeLinkedToken();
    if (token !== null) take(token);
  };
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}
