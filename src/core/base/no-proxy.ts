import { BlockList, isIP } from 'node:net';

/** An entry of `NO_PROXY`: true for the URLs of hosts that are called without a proxy. */
export type ProxyException = (url: URL) => boolean;

/** A name, which also matches all names below it. Its last label has a letter, since addresses have the same form. */
const NAME = /^(?:\*?\.)?(?<name>(?:[a-z\d_-]+\.)*[a-z\d_-]*[a-z][a-z\d_-]*)\.?$/u;

/** The first numbers of an IPv4 address, with a star for each of the others or one for all. */
const STARRED = /^(?<numbers>(?:\d{1,3}\.){1,3})\*(?:\.\*)*$/u;

/** An entry with a port. An IPv6 address has brackets then. */
const WITH_PORT = /^(?:\[(?<address>[^\]]+)\]|(?<host>[^:[\]]+))(?::(?<port>\d{1,5}))?$/u;

/**
 * Parses an entry of `NO_PROXY`: `*`, a name, an IP address, or a range of addresses as `10.0.0.0/8`, `10.*` or
 * `10.0.0.1-10.0.0.9`; a port may follow. Null for another text. Names are not resolved, so that ranges never match a
 * name.
 */
export function parseProxyException(entry: string): ProxyException | null {
  if (entry === '*') return () => true;
  const text = entry.toLowerCase();
  const groups = isIP(text) === 0 ? WITH_PORT.exec(text)?.groups : undefined;
  const matches = matcherOf(groups?.['address'] ?? groups?.['host'] ?? text);
  const port = groups?.['port'];
  if (matches === null || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return null;
  return (url) => {
    const actualPort = url.port || (url.protocol === 'https:' ? '443' : '80');
    return (port === undefined || Number(port) === Number(actualPort)) && matches(hostOf(url));
  };
}

/** The host without the brackets of an IPv6 address, and without a dot at the end. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/gu, '');

type HostMatcher = (host: string) => boolean;

function matcherOf(text: string): HostMatcher | null {
  const name = NAME.exec(text)?.groups?.['name'];
  if (name !== undefined) return (host) => host === name || host.endsWith(`.${name}`);
  const range = rangeOf(text);
  if (range === null) return null;
  return (host) => {
    const family = familyOf(host);
    return family !== null && range.check(host, family);
  };
}

function rangeOf(text: string): BlockList | null {
  const range = new BlockList();
  const numbers = STARRED.exec(text)?.groups?.['numbers']?.split('.').slice(0, -1) ?? null;
  if (numbers !== null) return rangeOf(`${[...numbers, 0, 0, 0].slice(0, 4).join('.')}/${8 * numbers.length}`);
  const [, address = text, prefix, last] = /^([^/-]+)(?:\/(\d{1,3})|-([^/-]+))?$/u.exec(text) ?? [];
  const family = familyOf(address);
  if (family === null || (last !== undefined && familyOf(last) !== family)) return null;
  try {
    if (prefix !== undefined) range.addSubnet(address, Number(prefix), family);
    else range.addRange(address, last ?? address, family);
    return range;
  } catch {
    // The prefix is too long, or the range ends before it begins.
    return null;
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address);
  if (version === 0) return null;
  return version === 4 ? 'ipv4' : 'ipv6';
}
