import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { boundedBytes } from '../../core/base/bounded-file.ts';
import { isObject, jsonIn } from '../../core/base/json.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { HiddenTokens } from '../../core/callers/hidden-tokens.ts';
import type { InputIssue } from '../../core/errors.ts';
import { TOO_LARGE_CODES } from '../../core/plans/plan-gateway.ts';

export interface GatewayAddress {
  readonly url: string;
  /** The headers that say who calls. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** An operation with the shape of its answer. The only field of a mutation is called `result`. */
export interface GatewayOperation<Data> {
  readonly document: string;
  readonly data: z.ZodType<Data>;
}

export const operation = <Data>(document: string, data: z.ZodType<Data>): GatewayOperation<Data> => ({
  document,
  data,
});

/**
 * The reason why a call has no result. `again`: the call may have had an effect, and the same call may succeed later.
 * `too-large`: smaller calls may succeed.
 */
export interface GatewayFailure {
  readonly kind: 'again' | 'too-large' | 'refused';
  readonly message: string;
  /** Milliseconds to wait; 0 where the gateway does not say how long. */
  readonly retryAfterMs: number;
  readonly issues: readonly InputIssue[];
  /** True where the gateway says that nothing was written. */
  readonly isUnapplied?: boolean;
}

export type GatewayAnswer<Data> = Result<Data, GatewayFailure>;

/** The longest that one request takes, with the upload of a part. */
const REQUEST_TIMEOUT_MS = 120_000;

/** Bytes of an answer. A page of outcomes has less. */
const MAX_ANSWER_BYTES = 64 * 1024 ** 2;

/** The longest that one call is repeated. */
const MAX_REPEAT_MS = 180_000;

/** Sends GraphQL to a gateway. The variables of an operation are a JSON text. */
export class GatewayClient {
  readonly signal: AbortSignal;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #print: (text: string) => void;
  readonly #tokens = new HiddenTokens();
  #lastMessage = '';

  /** The signal ends what is in flight. `print` gets the reason why a call is repeated. */
  constructor({ url, credentials }: GatewayAddress, signal: AbortSignal, print: (text: string) => void) {
    this.signal = signal;
    this.#url = url;
    this.#headers = { ...credentials, 'content-type': 'application/json', accept: 'application/json' };
    this.#print = print;
    for (const [name, value] of Object.entries(credentials)) this.#tokens.addHeader(name, value);
  }

  /** Sends an operation once. */
  async ask<Data>({ document, data }: GatewayOperation<Data>, variables: string): Promise<GatewayAnswer<Data>> {
    const sent = await this.#send(`{"query":${JSON.stringify(document)},"variables":${variables}}`);
    if (!sent.ok) return sent;
    const { response, text } = sent.value;
    const answer = answerShape.safeParse(jsonIn(text));
    if (!answer.success) return err(failureOf(response, null));
    const failed = failedMutation.safeParse(answer.data.data);
    if (failed.success) return err(failureOf(response, failed.data.result));
    const parsed = data.safeParse(answer.data.data);
    const [first] = answer.data.errors ?? [];
    // In a query, null may mean that a value could not be read. The result of a mutation is what was done.
    if (parsed.success && (first === undefined || isMutationAnswer(answer.data.data))) return ok(parsed.data);
    return err(failureOf(response, first === undefined ? null : { ...first.extensions, message: first.message }));
  }

  /**
   * Repeats an operation that is safe to repeat while it fails by its connection or by a temporary error. The answer
   * counts the attempts that were made.
   */
  async repeat<Data>(
    operation: GatewayOperation<Data>,
    variables: string,
  ): Promise<{ readonly answer: GatewayAnswer<Data>; readonly attempts: number }> {
    const end = performance.now() + MAX_REPEAT_MS;
    for (let attempts = 1; ; attempts += 1) {
      const answer = await this.ask(operation, variables);
      this.signal.throwIfAborted();
      if (answer.ok || answer.error.kind !== 'again' || performance.now() > end) return { answer, attempts };
      this.#printOnce(answer.error.message);
      await pause(this.signal, answer.error.retryAfterMs);
    }
  }

  /** Prints a message that comes several times in a row only once. */
  #printOnce(message: string): void {
    if (message !== this.#lastMessage) this.#print(`waiting: ${message}`);
    this.#lastMessage = message;
  }

  async #send(body: string): Promise<GatewayAnswer<{ readonly response: Response; readonly text: string }>> {
    const signal = AbortSignal.any([this.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
    try {
      // A redirect could lead to a host that must not see the token.
      const init = { method: 'POST', headers: this.#headers, body, redirect: 'manual', signal } as const;
      const response = await fetch(this.#url, init);
      return ok({ response, text: this.#tokens.mask(await readText(response)) });
    } catch (error) {
      const message = `the gateway cannot be reached (${toPrintable(reasonOf(error))}).`;
      return err({ kind: 'again', message, retryAfterMs: 0, issues: [] });
    }
  }
}

/** The pause between two calls, in milliseconds. */
const PAUSE_MS = 1_000;

/** A wait that the gateway itself asks for is bounded, so that the command never sleeps for hours. */
const MAX_PAUSE_MS = 60_000;

/** Throws when the signal ends the pause. */
export const pause = (signal: AbortSignal, atLeastMs = 0): Promise<void> =>
  sleep(Math.min(Math.max(PAUSE_MS, atLeastMs), MAX_PAUSE_MS), undefined, { signal });

/** The details of an error: the members of `MutationError`, or the extensions of an entry of `errors`. */
const errorDetails = z.object({
  code: z.string().optional(),
  retryable: z.boolean().optional(),
  mayHaveApplied: z.boolean().optional(),
  issues: z.array(z.object({ path: z.array(z.string()), message: z.string() })).optional(),
  retryAfterSeconds: z.number().nonnegative().nullish(),
});

const answerShape = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.object({ message: z.string(), extensions: errorDetails.catch({}) })).optional(),
});

const mutationErrorShape = errorDetails.extend({ message: z.string() });

const failedMutation = z.object({ result: mutationErrorShape });

const isMutationAnswer = (data: unknown): boolean => isObject(data) && 'result' in data;

/** The part of a document that selects the members of an error. */
export const MUTATION_ERROR_FIELDS = `... on MutationError { code message retryable mayHaveApplied }
    ... on ValidationError { issues { path message } }
    ... on RateLimitedError { retryAfterSeconds }`;

async function readText({ body }: Response): Promise<string> {
  const bytes = boundedBytes(body ?? [], { name: 'the answer', maxBytes: MAX_ANSWER_BYTES });
  return new TextDecoder().decode(Buffer.concat(await Array.fromAsync(bytes)));
}

/** An issue of the list as a whole is about its length. */
const isAboutLength = ({ path }: InputIssue): boolean => path.at(-1) === 'articles';

/** The failure that an answer reports; the error is null where the answer is no GraphQL. */
function failureOf({ status, headers }: Response, error: z.infer<typeof mutationErrorShape> | null): GatewayFailure {
  const { code = '', retryable = false, issues = [], retryAfterSeconds } = error ?? {};
  const isAboutSize = TOO_LARGE_CODES.has(code) || (issues.length > 0 && issues.every(isAboutLength));
  const isTooLarge = isAboutSize || (error === null && status === 413);
  const isPassing = retryable || status === 429 || (status >= 500 && status !== 501);
  const seconds = Number(retryAfterSeconds ?? headers.get('retry-after'));
  return {
    kind: isTooLarge ? 'too-large' : isPassing ? 'again' : 'refused',
    message: toPrintable(error?.message ?? `HTTP ${status} is no answer of a kb-gateway.`),
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : 0,
    issues,
    isUnapplied: error?.mayHaveApplied === false,
  };
}

/** The reason why a call has no answer, which is in the `cause` of the error of Node. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return cause instanceof Error ? cause.message : String(cause);
}
