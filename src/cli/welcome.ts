import { resolve } from 'node:path';
import { formatJsonLine } from '../core/base/logger.ts';
import { shellWord, toPrintable, toPrintableJson } from '../core/base/printable.ts';
import type { Config } from '../server/config.ts';
import type { Access } from '../server/process/access.ts';
import type { ListenAddress } from '../server/process/http-server.ts';

interface WelcomeOptions {
  readonly address: ListenAddress;
  readonly config: Pick<Config, 'backend' | 'persistedDocuments' | 'console'>;
  readonly access: Access;
  /** The command that finds out what the service does. */
  readonly checkCommand: string;
}

/** The text on a terminal after the start: the URL, the token, and a command to copy. */
export function welcomeMessage(options: WelcomeOptions): string {
  const { address, config, access, checkCommand } = options;
  const trustedOnly = config.persistedDocuments.mode === 'only';
  const url = graphqlUrl(address.host, address.port);
  return [
    ...(config.console ? [`The console, for docs teams: ${consoleUrlOf(url)}${tokenFragment(access)}`] : []),
    `kb-gateway is listening on ${url} (${toPrintable(backendName(config.backend))})`,
    ...(trustedOnly ? [] : [`GraphiQL, in a browser: ${url}${tokenFragment(access)}`]),
    ...(access.kind === 'generated' ? [`API token: ${access.tokens[0]}`] : []),
    ...(config.backend.kind === 'rest' ? [`First find out how the service behaves: ${checkCommand}`] : []),
    '',
    ...(trustedOnly ? [TRUSTED_ONLY] : exampleLines(options)),
    '',
    '',
  ].join('\n');
}

/** The line on stdout after the start where it is no terminal, with the absolute path of the file with a generated token. */
export function listeningLine(
  { address, config }: Pick<WelcomeOptions, 'address' | 'config'>,
  tokenFile: string | null,
): string {
  const url = graphqlUrl(address.host, address.port);
  const fields = {
    url,
    console: config.console ? consoleUrlOf(url) : undefined,
    tokenFile: tokenFile === null ? undefined : resolve(tokenFile),
    ...address,
    backend: backendName(config.backend),
  };
  return formatJsonLine({ time: new Date().toISOString(), level: 'info', message: 'listening', fields });
}

const TRUSTED_ONLY = 'Only trusted documents are executed (PERSISTED_DOCUMENTS_MODE=only).';

function exampleLines({ address: { host, port }, access }: WelcomeOptions): readonly string[] {
  const { hint, header } = credentialsOf(access);
  const body = shellWord(toPrintableJson({ query: EXAMPLE_QUERY }));
  return [
    `Try it${hint}:`,
    `curl -sS ${graphqlUrl(host, port)} -H 'content-type: application/json' -H ${header} -d ${body}`,
  ];
}

const graphqlUrl = (host: string, port: number): string => `http://${urlHost(host)}:${port}/graphql`;

const consoleUrlOf = (url: string): string => url.replace(/graphql$/u, 'console');

/** The wildcard address is replaced by the loopback address. IPv6 addresses are put into brackets. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host.replace('%', '%25')}]` : host;
}

/** The place where the backend keeps its data, without secrets. */
export function backendName(backend: Config['backend']): string {
  if (backend.kind === 'rest') return `in front of the service at ${backend.baseUrl}`;
  const path = /^sqlite:(.+)$/su.exec(backend.databaseUrl)?.[1];
  if (path === ':memory:') return 'over an embedded store in memory';
  if (path !== undefined) return `over the embedded store in ${path}`;
  const { host, pathname, searchParams } = new URL(backend.databaseUrl);
  return `over the embedded store in PostgreSQL, ${searchParams.get('host') ?? host}${pathname}`;
}

/** The pages read the token from the fragment of their URLs, which browsers do not send to servers. */
const tokenFragment = ({ kind, tokens, clients }: Access): string =>
  kind === 'generated' && !clients ? `#token=${tokens[0]}` : '';

/** The header with the credentials, as a word of the shell, and what has to be put into it. */
function credentialsOf({ kind, tokens, clients }: Access): { readonly header: string; readonly hint: string } {
  if (clients)
    return { header: "'authorization: Bearer YOUR_JWT'", hint: ", with a client's JWT in place of YOUR_JWT" };
  switch (kind) {
    case 'generated':
      return { header: shellWord(`X-Api-Token: ${tokens[0]}`), hint: '' };
    // A configured token is not printed, since stdout is often stored. The shell knows no token of a file or of .env.
    case 'configured':
      return { header: `"X-Api-Token: \${API_TOKEN%%,*}"`, hint: ', with API_TOKEN set in the shell' };
    case 'service':
      return {
        header: "'X-Api-Token: YOUR_API_TOKEN'",
        hint: ", with the service's API token in place of YOUR_API_TOKEN",
      };
  }
}

const EXAMPLE_QUERY = '{ readerGroups { nodes { groupId title } } }';
