import type { IncomingMessage } from 'node:http';
import { badRequest, type Refusal } from './refusal.ts';

/** A name or an address and, it may be, a port; user, path and query have no place here. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/iu;

/** One slash, then visible ASCII but no fragment, and in the path no backslash, which URLs take for a slash. */
const TARGET = /^\/(?!\/)[!"$->@-[\]-~]*(?:\?[!"$-~]*)?$/u;

/**
 * What speaks against a request by its first lines. Behind this the target and the host make one URL, of which nobody has
 * to fear that it cannot be read or names something else: Yoga answers those with a stack trace.
 */
export function headProblem({ url = '', headers, rawHeaders }: IncomingMessage): Refusal | null {
  if (!TARGET.test(url)) return badRequest('The target of the request must be a path, beginning with one slash.');
  const { host = 'localhost' } = headers;
  const isHost = HOST.test(host) && hasOneHost(rawHeaders);
  if (!isHost || !URL.canParse(`http://${host}${url}`)) return badRequest('The header Host must name one host.');
  // The façade answers those itself: without a token they are a 401 like everything else there.
  if (!isText(url) && !isFacadeTarget(url)) return badRequest('The target of the request has a bad percent-encoding.');
  return null;
}

/** Names and values take turns in the raw headers; of two hosts, `headers` keeps the first and hides the other. */
function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  return hosts <= 1;
}

export const isFacadeTarget = (url: string): boolean => /^\/v2(?![^/?])/iu.test(url);

function isText(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
