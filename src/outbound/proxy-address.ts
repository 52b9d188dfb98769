/** Where to connect to, in the form that requests of Node take. It has no user and no password. */
export const addressOf = ({ protocol, hostname, port }: URL) => ({
  protocol,
  hostname: hostname.replace(/^\[|\]$/gu, ''),
  port,
});

/** The user and the password of the proxy's URL, for the proxy alone (RFC 9110, 11.7.2). */
export function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}
