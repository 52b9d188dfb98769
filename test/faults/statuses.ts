import { type Behaviour, envelope, hang, json, status } from '../support/faulty-service.ts';
import { expecting, type Fault, PARTLY_APPLIED, rejectedAs, UNKNOWN, updated } from './fault.ts';
import { good } from './good-service.ts';

const refusal = { success: false, errors: [{ description: 'No.', error_code: '' }] };

const always = (name: string, behaviour: Behaviour, expected: Fault['expected']): Fault => ({
  name,
  behaviour: () => behaviour,
  expected,
});

const AUTHENTICATION: readonly Fault[] = [
  always('401 without a body', status(401), rejectedAs('AuthenticationError')),
  always('401 with an envelope', json(401, refusal), rejectedAs('AuthenticationError')),
  always('401 with HTML', status(401, '<html>Sign in</html>'), rejectedAs('ServiceUnavailableError')),
  always('401 that says success', json(401, envelope([])), rejectedAs('AuthenticationError')),
  always('403 without a body', status(403), rejectedAs('AuthenticationError')),
  always('403 with an envelope', json(403, refusal), rejectedAs('AuthenticationError')),
];

const REJECTIONS: readonly Fault[] = [
  always('400 with an envelope', json(400, refusal), PARTLY_APPLIED),
  always('400 without a body', status(400), UNKNOWN),
  always('400 with HTML', status(400, '<html>Bad Request</html>'), UNKNOWN),
  always('409', json(409, refusal), PARTLY_APPLIED),
  always('422', json(422, refusal), PARTLY_APPLIED),
  always('404 without a body', status(404), rejectedAs('ServiceUnavailableError')),
  always('405', status(405), rejectedAs('ServiceUnavailableError')),
  always('413', status(413), rejectedAs('ServiceUnavailableError')),
  always('415', json(415, refusal), rejectedAs('ServiceRejectedError')),
  always('418', json(418, refusal), rejectedAs('ServiceRejectedError')),
];

/** Rejects a call once, and then responds correctly. */
const once = (headers: () => Readonly<Record<string, string>>): Behaviour => {
  const refused = new Set<unknown>();
  return (response, request) => {
    const key = `${request.method} ${JSON.stringify(request.body)}`;
    const behaviour = refused.has(key) ? good() : status(429, '', headers());
    refused.add(key);
    return behaviour(response, request);
  };
};

const again = (name: string, headers: () => Readonly<Record<string, string>>): Fault => ({
  name,
  behaviour: () => once(headers),
  expected: updated(2),
});

const limited = (name: string, headers: Readonly<Record<string, string>>): Fault =>
  always(name, status(429, '', headers), rejectedAs('RateLimitedError'));

const now = () => Date.now() / 1_000;

const RATES: readonly Fault[] = [
  again('429 with Retry-After: 0', () => ({ 'retry-after': '0' })),
  again('429 with Retry-After: 1', () => ({ 'retry-after': '1' })),
  again('429 with Retry-After as a date', () => ({ 'retry-after': new Date().toUTCString() })),
  again('429 with X-RateLimit-Reset in seconds', () => ({ 'x-ratelimit-reset': '1' })),
  again('429 with X-RateLimit-Reset since 1970', () => ({ 'x-ratelimit-reset': `${Math.floor(now())}` })),
  again('429 with X-RateLimit-Reset since 1970 in ms', () => ({ 'x-ratelimit-reset': `${Date.now()}` })),
  limited('429 with Retry-After: 3600', { 'retry-after': '3600' }),
  limited('429 with X-RateLimit-Reset in an hour since 1970', { 'x-ratelimit-reset': `${Math.ceil(now()) + 3600}` }),
  limited('429 without a time', {}),
  limited('429 with a time that is none', { 'retry-after': 'soon', 'x-ratelimit-reset': 'NaN' }),
  limited('429 with a time in 1,000 years', { 'retry-after': '31536000000' }),
];

const FAILURES: readonly Fault[] = [
  always('500 with an envelope', json(500, refusal), UNKNOWN),
  always(
    '500 that says success',
    (response, request) => {
      const { body } = request;
      const data = Array.isArray(body) ? body.map(({ article_id }) => ({ article_id, success: true })) : true;
      return json(500, envelope(data))(response, request);
    },
    UNKNOWN,
  ),
  always('500 without a body', status(500), UNKNOWN),
  always('501', status(501), UNKNOWN),
  always('502 with HTML', status(502, '<html><h1>502 Bad Gateway</h1></html>'), UNKNOWN),
  always('503 with Retry-After', status(503, '', { 'retry-after': '1' }), UNKNOWN),
  always('504', status(504), UNKNOWN),
  always('599', status(599), UNKNOWN),
  always('applied, then silence', hang(), UNKNOWN),
  always('applied, then 502', status(502), UNKNOWN),
];

const redirect = (httpStatus: number, expected: Fault['expected']): Fault => ({
  name: `${httpStatus} to another origin`,
  behaviour: (otherOrigin) => status(httpStatus, '', { location: `${otherOrigin}/v2/stolen` }),
  expected,
});

const REDIRECTS: readonly Fault[] = [
  ...[301, 302, 307, 308].map((httpStatus) => redirect(httpStatus, rejectedAs('ServiceUnavailableError'))),
  // A 303 names where to read the result of a write, not whether there is one; a read is rejected.
  redirect(
    303,
    expecting(
      ['unknown 1', 'updated 2, unknown 2, not attempted 2', 'OutcomeUnknownError', 'ServiceUnavailableError'],
      [1, 2, 1, 1],
    ),
  ),
  always('302 to nowhere', status(302), rejectedAs('ServiceUnavailableError')),
  always('304', status(304), rejectedAs('ServiceUnavailableError')),
];

export const STATUSES: readonly Fault[] = [...AUTHENTICATION, ...REJECTIONS, ...RATES, ...FAILURES, ...REDIRECTS];
