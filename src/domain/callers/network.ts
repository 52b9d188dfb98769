/**
 * The network that a client's IP address belongs to: an IPv4 address is its own, since few clients have more than one.
 * Of IPv6 it is the /64, since that is the least that a client is given.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [left = '', right] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = left === '' ? [] : left.split(':');
  const after = right ? right.split(':').length : 0;
  while (right !== undefined && groups.length < 8 - after) groups.push('0');
  return `${groups.slice(0, 4).join(':').toLowerCase()}::/64`;
}
