/**
 * The service at a URL, as everything names it that belongs to one service: with its scheme, its host in lower case, no
 * default port, no slash at the end, and nothing that is secret. Throws for a text that is no URL.
 */
export function serviceUrlOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/u, '')}`;
}
