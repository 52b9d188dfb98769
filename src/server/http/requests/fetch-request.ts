import type { RoutedRequest } from '../route.ts';

/** The methods of requests that have a caller. Browsers send no credentials with OPTIONS. */
const METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'POST']);

/**
 * The request as the Fetch API has it, without its body; null where the answer is the same for every caller. `ending` is its
 * signal, and is aborted once the response is closed.
 */
export function toFetchRequest(
  { request, response, route }: RoutedRequest,
  basePath: string,
  ending: AbortController,
): Request | null {
  const { method, url = '', socket } = request;
  if ((route !== 'graphql' && route !== 'mcp') || !METHODS.has(method)) return null;
  response.once('close', () => ending.abort());
  const target = new URL(`http${'encrypted' in socket && socket.encrypted ? 's' : ''}://localhost${basePath}${url}`);
  // Unlike a URL made of it, this takes a host and nothing else.
  target.host = request.headers.host ?? '';
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, value.toString());
  return new Request(target, { ...(method !== undefined && { method }), headers, signal: ending.signal });
}
