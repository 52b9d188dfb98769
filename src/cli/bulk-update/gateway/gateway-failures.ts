import { z } from 'zod';
import { toPrintable } from '../../../base/printable.ts';
import type { HiddenTokens } from '../../../domain/callers/hidden-tokens.ts';
import type { InputIssue } from '../../../domain/errors.ts';

/**
 * The reason why a call has no result. `unreachable`: the connection failed, and the call may have had an effect.
 * `again`: the same call may succeed later. `too-large`: smaller calls may succeed.
 */
export interface GatewayFailure {
  readonly kind: 'unreachable' | 'again' | 'too-large' | 'refused';
  readonly message: string;
  /** Null where the gateway does not say how long to wait. */
  readonly retryAfterMs: number | null;
  /** The problems of the input. */
  readonly issues: readonly InputIssue[];
}

const gatewayFailure = (
  kind: GatewayFailure['kind'],
  message: string,
  { retryAfterMs = null, issues = [] }: Partial<GatewayFailure> = {},
): GatewayFailure => ({ kind, message: toPrintable(message), retryAfterMs, issues });

/** The members of `MutationError`, and those of its types that tell how to go on. */
export const mutationErrorShape = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  issues: z.array(z.object({ path: z.array(z.string()), message: z.string() })).optional(),
  retryAfterSeconds: z.number().nullish(),
});

/** The fragment of a document that selects them. */
export const MUTATION_ERROR_FIELDS = `... on MutationError { code message retryable }
    ... on ValidationError { issues { path message } }
    ... on RateLimitedError { retryAfterSeconds }`;

/** The codes of calls that the gateway refuses for their size. */
const TOO_LARGE_CODES: ReadonlySet<string> = new Set([
  'REQUEST_ENTITY_TOO_LARGE',
  'LIMIT_EXCEEDED',
  'QUERY_TOO_COSTLY',
]);

const AGAIN_CODES: ReadonlySet<string> = new Set(['RATE_LIMITED', 'UNAVAILABLE']);

/** An issue of the list as a whole is about its length. */
const isAboutLength = ({ path }: InputIssue): boolean => path.at(-1) === 'articles';

export function failureOfMutation({
  code,
  message,
  retryable,
  issues = [],
  retryAfterSeconds,
}: z.infer<typeof mutationErrorShape>): GatewayFailure {
  const isTooLarge = TOO_LARGE_CODES.has(code) || (issues.length > 0 && issues.every(isAboutLength));
  const kind = isTooLarge ? 'too-large' : retryable ? 'again' : 'refused';
  const [issue] = issues;
  return gatewayFailure(kind, isTooLarge && issue ? issue.message : message, {
    issues,
    retryAfterMs: millisecondsOf(retryAfterSeconds),
  });
}

interface ErrorEntry {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** The failure that an entry of `errors` tells. */
export function failureOfEntry({ message, extensions = {} }: ErrorEntry, response: Response): GatewayFailure {
  const code = String(extensions['code']);
  const retryAfterMs = millisecondsOf(extensions['retryAfterSeconds']) ?? retryAfterOf(response);
  if (TOO_LARGE_CODES.has(code)) return gatewayFailure('too-large', message);
  const isAgain = AGAIN_CODES.has(code) || extensions['retryable'] === true || isAgainStatus(response.status);
  return gatewayFailure(isAgain ? 'again' : 'refused', message, { retryAfterMs });
}

/** The failure of an answer that is no GraphQL. */
export function failureOfResponse(response: Response, tokens: HiddenTokens): GatewayFailure {
  const { status, headers } = response;
  if (status === 413) return gatewayFailure('too-large', 'a request is too large for what is in front of the gateway.');
  if (isAgainStatus(status)) {
    return gatewayFailure('again', `the gateway answers HTTP ${status}.`, { retryAfterMs: retryAfterOf(response) });
  }
  const location = tokens.mask(headers.get('location') ?? '');
  if (status >= 300 && status < 400) {
    return gatewayFailure(
      'refused',
      `the gateway redirects to ${location}; give that address with --url if you trust it.`,
    );
  }
  return gatewayFailure('refused', `what answers there is no kb-gateway (HTTP ${status}).`);
}

/** The failure of a call without an answer: Node has the reason in `cause`. */
export function failureOfSend(error: unknown): GatewayFailure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = code || (cause instanceof Error ? cause.message : String(cause));
  return gatewayFailure('unreachable', `the gateway cannot be reached (${reason}).`);
}

const isAgainStatus = (status: number): boolean => status === 429 || (status >= 500 && status !== 501);

const millisecondsOf = (seconds: unknown): number | null =>
  typeof seconds === 'number' && seconds >= 0 ? seconds * 1_000 : null;

function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/u.test(text) ? Number(text) * 1_000 : null;
}
