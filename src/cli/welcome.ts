import type { Access } from './access/access.ts';
import type { Address } from './server/http-server.ts';

export interface Welcome {
  readonly address: Address;
  readonly access: Access;
  /** The ID of a demo article, to try an update on; null where something else is served. */
  readonly demoArticle: string | null;
}

/** What is printed once calls can be answered: where, with which token, and a command that works when pasted. */
export function welcome({ address, access, demoArticle }: Welcome): string {
  const url = `http://${urlHost(address.host)}:${address.port}/graphql`;
  const query = demoArticle === null ? LIST_GROUPS : updateOf(demoArticle);
  const headers = ["-H 'content-type: application/json'", ...tokenHeader(access)].join(' ');
  return [
    `kb-gateway is listening on ${url}`,
    `GraphiQL, in a browser: ${url}${tokenFragment(access)}`,
    ...(access.kind === 'generated' ? [`API token: ${access.tokens[0]}`] : []),
    '',
    `Try it${placeholder(access)}:`,
    `curl -sS ${url} ${headers} -d '${JSON.stringify({ query })}'`,
    '',
    '',
  ].join('\n');
}

function placeholder({ kind, clients }: Access): string {
  if (clients) return ", with a client's JWT in place of YOUR_JWT";
  return kind === 'service' ? ", with the service's API token in place of YOUR_API_TOKEN" : '';
}

/** A browser sends nothing of it to anybody; GraphiQL's page takes the token from there. A JWT can't be handed out. */
const tokenFragment = ({ kind, tokens, clients }: Access): string =>
  kind === 'generated' && !clients ? `#token=${tokens[0]}` : '';

/** What is configured is somebody's secret, and stdout is kept by whatever runs us: the shell fills that one in. */
function tokenHeader({ kind, tokens, clients }: Access): readonly string[] {
  if (clients) return ["-H 'authorization: Bearer YOUR_JWT'"];
  switch (kind) {
    case 'generated':
      return [`-H 'api_token: ${tokens[0]}'`];
    case 'configured':
      return [`-H "api_token: \${API_TOKEN%%,*}"`];
    case 'service':
      return ["-H 'api_token: YOUR_API_TOKEN'"];
  }
}

/** An address that means all addresses is reached by the loopback one; an IPv6 address stands in brackets. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host.replace('%', '%25')}]` : host;
}

const LIST_GROUPS = '{ readerGroups { nodes { groupId title } } }';

function updateOf(articleId: string): string {
  const article = `{ articleId: ${JSON.stringify(articleId)}, title: "Hello, gateway" }`;
  const updated = '... on ArticleUpdated { articleId article { title modifiedAt } }';
  const failed = '... on ArticleUpdateFailed { articleId details }';
  const payload = `... on BulkUpdateArticlesPayload { results { __typename ${updated} ${failed} } }`;
  const result = `__typename ${payload} ... on Error { code message }`;
  return `mutation { bulkUpdateArticles(input: { articles: [${article}] }) { ${result} } }`;
}
