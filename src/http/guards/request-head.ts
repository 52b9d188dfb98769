import type { IncomingMessage } from 'node:http';
import { badRequest, type HttpError } from '../responses/http-error.ts';
import type { Route } from '../route.ts';

/** A name or an address with an optional port, and neither user, path nor query. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/iu;

/** One slash, then visible ASCII without a fragment. URLs read a backslash in the path as a slash. */
const TARGET = /^\/(?!\/)[!"$->@-[\]-~]*(?:\?[!"$-~]*)?$/u;

/** A segment that URLs remove from the path, encoded or not. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/iu;

/**
 * Checks that target and host make a valid URL, whose path is the one that the route was decided by. Yoga answers an
 * invalid URL with a stack trace. The last valid pair is remembered, since nearly all requests have the same one.
 */
export function createHeadCheck(): (request: IncomingMessage, route: Route) => HttpError | null {
  let lastValid = { url: '', host: '' };
  return ({ url = '', headers: { host = 'localhost' }, rawHeaders, httpVersion }, route) => {
    const hosts = countHosts(rawHeaders);
    if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return badRequest(HOST_MESSAGE);
    if (lastValid.url === url && lastValid.host === host) return null;
    const error = targetError(url) ?? hostError(host, url) ?? encodingError(url, route);
    if (error === null) lastValid = { url, host };
    return error;
  };
}

const HOST_MESSAGE = 'The header Host must name one host.';

function targetError(url: string): HttpError | null {
  if (!TARGET.test(url)) return badRequest('The target of the request must be a path, beginning with one slash.');
  const [path = ''] = url.split('?', 1);
  return DOT_SEGMENT.test(path) ? badRequest('The path of the request must have no segments "." or "..".') : null;
}

const hostError = (host: string, url: string): HttpError | null =>
  HOST.test(host) && URL.canParse(`http://${host}${url}`) ? null : badRequest(HOST_MESSAGE);

/** The façade reports bad encodings itself: without a token they are a 401 like everything else there. */
const encodingError = (url: string, route: Route): HttpError | null =>
  route === 'facade' || isDecodable(url) ? null : badRequest('The target of the request has a bad percent-encoding.');

/** The raw headers alternate names and values. `headers` would hide a second host. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
