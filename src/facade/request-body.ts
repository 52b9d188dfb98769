import type { BackendError } from '../domain/errors.ts';
import { type JsonBounds, jsonProblem } from '../domain/json-bounds.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { refused } from './call.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  readonly jsonBounds: JsonBounds;
  /** How long the whole body may take to arrive. */
  readonly timeoutMs: number;
}

/** The service takes these (facts, 3c). */
const JSON_TYPE = /^(?:application\/(?:[^\s/;+]+\+)*json|text\/json)$/u;

/**
 * Reads the JSON body of a request; undefined where there is none. What a client says of a body is judged only when
 * there is one: `curl -d ""` sends a form without content, and that is an empty body, not a form.
 */
export async function readBody(request: Request, limits: BodyLimits): Promise<Result<unknown, BackendError>> {
  const bytes = await readBytes(request, limits);
  if (!bytes.ok || bytes.value.length === 0) return bytes.ok ? ok(undefined) : bytes;
  const problem = typeProblem(request.headers);
  if (problem !== null) return err(refused(415, problem));
  return parse(bytes.value, limits.jsonBounds);
}

function typeProblem(headers: Headers): string | null {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') return 'The content encoding of the request body must be identity.';
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  if (!JSON_TYPE.test(type.trim())) return 'The media type of the request body must be application/json.';
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-?8"?$/u.test(charset)
    ? null
    : 'The charset of the request body must be UTF-8.';
}

/** Reads no further than the limits. What is left unread is the server's to throw away. */
async function readBytes({ headers, body }: Request, limits: BodyLimits): Promise<Result<Uint8Array, BackendError>> {
  const { maxBytes, timeoutMs } = limits;
  if (Number(headers.get('content-length')) > maxBytes) return err(tooLarge(maxBytes));
  if (body === null) return ok(new Uint8Array());
  const late = new AbortController();
  const { promise: lateAnswer, resolve } = Promise.withResolvers<Result<never, BackendError>>();
  const timeout = setTimeout(() => {
    late.abort();
    resolve(err(refused(408, 'The request body did not arrive in time.')));
  }, timeoutMs);
  try {
    return await Promise.race([readAll(body.getReader(), maxBytes, late.signal), lateAnswer]);
  } finally {
    clearTimeout(timeout);
  }
}

const tooLarge = (maxBytes: number) => refused(413, `The request body must have at most ${maxBytes} bytes.`);

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  late: AbortSignal,
): Promise<Result<Uint8Array, BackendError>> {
  let bytes = new Uint8Array();
  let size = 0;
  while (!late.aborted) {
    // A stream fails in one way only: the caller went away before its end.
    const chunk = await reader.read().catch(() => null);
    if (chunk === null) break;
    if (chunk.done) return ok(bytes.subarray(0, size));
    if (size + chunk.value.length > maxBytes) return err(tooLarge(maxBytes));
    bytes = withRoom(bytes, size + chunk.value.length);
    bytes.set(chunk.value, size);
    size += chunk.value.length;
  }
  return err(refused(400, 'The request body was cut off.'));
}

/** Grows by doubling, so that a body in pieces of one byte costs no more than one in a single piece. */
function withRoom(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  if (size <= bytes.length) return bytes;
  const larger = new Uint8Array(Math.max(size, 2 * bytes.length));
  larger.set(bytes);
  return larger;
}

/** No error of the parsers is passed on: theirs quote the body. */
function parse(bytes: Uint8Array, bounds: JsonBounds): Result<unknown, BackendError> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return err(refused(400, '$: The request body is not UTF-8.'));
  }
  if (!/\S/u.test(text)) return ok(undefined);
  const problem = jsonProblem(text, bounds);
  if (problem !== null) return err(refused(400, `$: The request body ${problem}.`));
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    const place = / at position (\d+)/u.exec(error instanceof Error ? error.message : '')?.[1];
    return err(refused(400, `$: The request body is not JSON${place ? ` (position ${place})` : ''}.`));
  }
}
