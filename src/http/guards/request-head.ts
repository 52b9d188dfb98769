import type { IncomingMessage } from 'node:http';
import { badRequest, type Refusal } from '../responses/http-error.ts';
import type { Route } from '../route.ts';

/** A name or an address and, it may be, a port; user, path and query have no place here. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/iu;

/** One slash, then visible ASCII but no fragment, and in the path no backslash, which URLs take for a slash. */
const TARGET = /^\/(?!\/)[!"$->@-[\]-~]*(?:\?[!"$-~]*)?$/u;

/** A segment of the path that URLs take away, encoded or not, with the segment before it. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/iu;

/**
 * What speaks against a request by its first lines. Behind this the target and the host make one URL, of which nobody has
 * to fear that it cannot be read or names something else: Yoga answers those with a stack trace, and a path that a URL
 * shortens would be another one than the route was decided by. Nearly all requests name the same two, so the last that
 * were right are remembered.
 */
export function createHeadCheck(): (request: IncomingMessage, route: Route) => Refusal | null {
  let known = { url: '', host: '' };
  return ({ url = '', headers: { host = 'localhost' }, rawHeaders }, route) => {
    if (!hasOneHost(rawHeaders)) return badRequest(HOST_MESSAGE);
    if (known.url === url && known.host === host) return null;
    const problem = targetProblem(url) ?? hostProblem(host, url) ?? encodingProblem(url, route);
    if (problem === null) known = { url, host };
    return problem;
  };
}

const HOST_MESSAGE = 'The header Host must name one host.';

function targetProblem(url: string): Refusal | null {
  if (!TARGET.test(url)) return badRequest('The target of the request must be a path, beginning with one slash.');
  const [path = ''] = url.split('?', 1);
  return DOT_SEGMENT.test(path) ? badRequest('The path of the request must have no segments "." or "..".') : null;
}

const hostProblem = (host: string, url: string): Refusal | null =>
  HOST.test(host) && URL.canParse(`http://${host}${url}`) ? null : badRequest(HOST_MESSAGE);

/** The façade answers those itself: without a token they are a 401 like everything else there. */
const encodingProblem = (url: string, route: Route): Refusal | null =>
  route === 'facade' || isText(url) ? null : badRequest('The target of the request has a bad percent-encoding.');

/** Names and values take turns in the raw headers; of two hosts, `headers` keeps the first and hides the other. */
function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts <= 1;
}

function isText(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
