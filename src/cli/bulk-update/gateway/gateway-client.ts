import { z } from 'zod';
import { err, ok, type Result } from '../../../base/result.ts';
import { HiddenTokens } from '../../../domain/callers/hidden-tokens.ts';
import {
  failureOfEntry,
  failureOfMutation,
  failureOfResponse,
  failureOfSend,
  type GatewayFailure,
  mutationErrorShape,
} from './gateway-failures.ts';

export interface GatewayAddress {
  readonly url: string;
  /** The headers that say who calls. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** An operation with the shape of its answer. */
export interface GatewayOperation<Data> {
  readonly document: string;
  readonly data: z.ZodType<Data>;
}

/** An operation whose only field is called `result`, and may be an error. */
export type GatewayMutation<Payload> = GatewayOperation<{ result: Payload | z.infer<typeof mutationErrorShape> }>;

export interface GatewayClient {
  /** Sends an operation once. The variables are a JSON text. */
  ask<Data>(operation: GatewayOperation<Data>, variables: string): Promise<Result<Data, GatewayFailure>>;
}

/** The longest that one request takes, with the upload of a part. */
const REQUEST_TIMEOUT_MS = 120_000;

/** Bytes of an answer. A page of outcomes has less. */
const MAX_ANSWER_BYTES = 64 * 1024 ** 2;

const answerShape = z.object({
  data: z.unknown(),
  errors: z
    .array(z.object({ message: z.string(), extensions: z.record(z.string(), z.unknown()).optional() }))
    .optional(),
});

/** Sends GraphQL to a gateway. The signal ends what is in flight. */
export function createGatewayClient({ url, credentials }: GatewayAddress, signal: AbortSignal): GatewayClient {
  const headers = { ...credentials, 'content-type': 'application/json', accept: 'application/json' };
  const tokens = new HiddenTokens();
  for (const [name, value] of Object.entries(credentials)) tokens.addHeader(name, value);
  return {
    ask: async ({ document, data }, variables) => {
      const body = `{"query":${JSON.stringify(document)},"variables":${variables}}`;
      const signals = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
      const sent = await attempt(async () => {
        // A redirect could lead to a host that must not see the token.
        const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: signals });
        return { response, text: tokens.mask(await readText(response)) };
      });
      if (!sent.ok) return sent;
      const { response, text } = sent.value;
      const answer = answerShape.safeParse(parseJson(text));
      if (!answer.success) return err(failureOfResponse(response, tokens));
      const parsed = data.safeParse(answer.data.data);
      if (parsed.success) return ok(parsed.data);
      const [first] = answer.data.errors ?? [];
      return err(first === undefined ? failureOfResponse(response, tokens) : failureOfEntry(first, response));
    },
  };
}

/** The shape of the answer to a mutation. */
export const mutationDataOf = <Payload>(payload: z.ZodType<Payload>) =>
  z.object({ result: z.union([payload, mutationErrorShape]) });

/** The payload of a mutation; an error in its place is a failure. */
export function mutationPayload<Payload extends object>(
  answer: Result<{ result: Payload | z.infer<typeof mutationErrorShape> }, GatewayFailure>,
): Result<Payload, GatewayFailure> {
  if (!answer.ok) return answer;
  const { result } = answer.value;
  return 'retryable' in result ? err(failureOfMutation(result)) : ok(result);
}

async function attempt<Value>(work: () => Promise<Value>): Promise<Result<Value, GatewayFailure>> {
  try {
    return ok(await work());
  } catch (error) {
    return err(failureOfSend(error));
  }
}

async function readText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_ANSWER_BYTES) throw new Error('the answer is too large');
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
