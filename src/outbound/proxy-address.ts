import { isIP } from 'node:net';

/**
 * The address to connect to, in the form that requests of Node take. It has no user and no password. Node would take the name
 * that a certificate must have from the header `Host`, which names the host behind a proxy.
 */
export function addressOf({ protocol, hostname: urlHost, port }: URL) {
  const hostname = urlHost.replace(/^\[|\]$/gu, '');
  // TLS names no IP address to the server. Node then checks the certificate for `hostname`.
  return { protocol, hostname, port, ...(protocol === 'https:' && { servername: isIP(hostname) ? '' : hostname }) };
}

/** The user and the password of the proxy's URL, for the proxy alone (RFC 9110, 11.7.2). */
export function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}
