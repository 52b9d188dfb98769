import { shellWord, toPrintableJson } from '../base/printable.ts';

interface CurlOptions {
  readonly host: string;
  /** A number, or a placeholder for one. */
  readonly port: number | string;
  /** The header with the token, as a word of the shell. */
  readonly tokenHeader: string;
  readonly query: string;
}

/** A command for a shell that sends a query to a gateway. */
export const curlCommand = ({ host, port, tokenHeader, query }: CurlOptions): string =>
  [
    `curl -sS ${graphqlUrl(host, port)}`,
    "-H 'content-type: application/json'",
    `-H ${tokenHeader}`,
    `-d ${shellWord(toPrintableJson({ query }))}`,
  ].join(' ');

export const graphqlUrl = (host: string, port: number | string): string => `http://${urlHost(host)}:${port}/graphql`;

/** The wildcard address is replaced by the loopback address. IPv6 addresses are put into brackets. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host.replace('%', '%25')}]` : host;
}

export const JWT_HEADER = "'authorization: Bearer YOUR_JWT'";

/** A configured token is secret, and stdout is often stored. So a command takes it from the environment of the shell. */
export const CONFIGURED_TOKEN_HEADER = `"api_token: \${API_TOKEN%%,*}"`;

/** The hint beside that command: a token may also come from a file or from .env, which the shell does not know. */
export const CONFIGURED_TOKEN_HINT = 'API_TOKEN set in the shell';
