/**
 * The network of an IP address, by which callers without a token are counted. An IPv4 address is a network of its own, since
 * few clients have more than one. An IPv6 network is a /64, the smallest that a client is given.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [beforeGap = '', afterGap] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = beforeGap === '' ? [] : beforeGap.split(':');
  const groupsAfterGap = afterGap ? afterGap.split(':').length : 0;
  while (afterGap !== undefined && groups.length < 8 - groupsAfterGap) groups.push('0');
  return `${groups.slice(0, 4).join(':').toLowerCase()}::/64`;
}

/**
 * The URL of a service in one form, by which everything that belongs to the service names it: with its scheme, its host
 * in lower case, no default port, no slash at the end, and no secret. Throws for a text that is no URL.
 */
export function serviceUrlOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/u, '')}`;
}

/** The host of a URL as sockets take it: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/gu, '');

/** The port of an http or https URL. */
export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);
