import type { IncomingMessage } from 'node:http';
import type { HttpError } from '../responses/http-error.ts';

/** The body types that a page of another site can make a browser send without a preflight request. */
const SIMPLE_CONTENT_TYPES = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain', '']);

/** Each of these headers makes a browser send a preflight request first. */
const PREFLIGHTED_HEADERS = ['graphql-require-preflight', 'api_token', 'x-api-token', 'authorization'];

const CSRF_PREVENTED: HttpError = {
  status: 403,
  code: 'CSRF_PREVENTED',
  message:
    'A browser could send this request for any site. Send the header graphql-require-preflight, or POST application/json.',
};

/** Refuses a GraphQL request that a browser would send for another site without a preflight request. */
export function csrfError({ method, headers }: IncomingMessage): HttpError | null {
  const contentType = headers['content-type'] ?? '';
  if (method === 'POST' && contentType === 'application/json') return null;
  if (method === 'OPTIONS' || PREFLIGHTED_HEADERS.some((name) => headers[name] !== undefined)) return null;
  const [mediaType = ''] = contentType.split(';', 1);
  const isSimple = method === 'GET' || SIMPLE_CONTENT_TYPES.has(mediaType.trim().toLowerCase());
  return isSimple ? CSRF_PREVENTED : null;
}
