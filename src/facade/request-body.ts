import { type BackendError, unavailable } from '../domain/errors.ts';
import type { JsonBounds } from '../domain/json/json-scanner.ts';
import { type JsonFault, type ParseRoom, parseJson } from '../domain/json/parse-json.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { refused } from './route-handler.ts';

/** The body of a request, whole. */
export interface RequestBody {
  /** Why it could not be taken; null where nothing went wrong. */
  readonly failure: BackendError | null;
  /** Empty where there was none, and once it was dropped. */
  readonly bytes: Uint8Array;
  /** Whatever is done from now on takes no memory for the bytes. */
  drop(): void;
}

export interface BodyOptions {
  readonly headers: Headers;
  readonly jsonBounds: JsonBounds;
  readonly room: ParseRoom;
}

/** The service takes these (facts, 3c). */
const JSON_TYPE = /^(?:application\/(?:[^\s/;+]+\+)*json|text\/json)$/u;

/**
 * Parses the JSON body of a request; undefined where there is none. What a client says of a body is judged only when
 * there is one: `curl -d ""` sends a form without content, and that is an empty body, not a form.
 */
export async function parseBody(body: RequestBody, options: BodyOptions): Promise<Result<unknown, BackendError>> {
  const { bytes, failure } = body;
  if (failure !== null) return err(failure);
  if (bytes.length === 0) return ok(undefined);
  const problem = typeProblem(options.headers);
  if (problem !== null) return err(refused(415, problem));
  if (isBlank(bytes)) return ok(undefined);
  const parsed = await parseJson({ bytes, decode }, options.jsonBounds, options.room);
  body.drop();
  return parsed.ok ? parsed : err(failureOf(parsed.error));
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

/** A byte order mark, which the decoder leaves out, and the blanks of JSON. */
function isBlank(bytes: Uint8Array): boolean {
  const start = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0;
  for (let at = start; at < bytes.length; at++) if (!BLANKS.has(bytes[at] ?? 0)) return false;
  return true;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function failureOf(fault: JsonFault): BackendError {
  switch (fault.kind) {
    case 'encoding':
      return refused(400, '$: The request body is not UTF-8.');
    case 'limit':
      return refused(400, `$: The request body ${fault.problem}.`);
    case 'syntax': {
      const place = fault.position === null ? '' : ` (position ${fault.position})`;
      return refused(400, `$: The request body is not JSON${place}.`);
    }
    case 'no-room':
      return unavailable('The service has no memory left for this at the moment. Try again.');
  }
}
