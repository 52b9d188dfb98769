import {
  contentTypeProblem,
  type HeaderReader,
  type JsonBodyFormat,
  type JsonParseFailure,
  type JsonParseOptions,
  parseBoundedJson,
} from '../base/json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { type BackendError, unavailable } from '../domain/errors.ts';
import { rejection } from './errors.ts';

/** The whole body of a request. */
export interface FacadeBody {
  /** The reason why the body was not received. Null when it was. */
  readonly failure: BackendError | null;
  /** Empty when there was no body, and after `drop`. */
  readonly bytes: Uint8Array;
  /** Releases the memory of the bytes. */
  drop(): void;
}

/** The media types that the service takes (docs/service.md, "Status codes"). A byte order mark is ignored. */
const SERVICE_JSON: JsonBodyFormat = {
  mediaType: /^(?:application\/(?:[^\s/;+]+\+)*json|text\/json)$/u,
  decoder: new TextDecoder('utf-8', { fatal: true }),
};

/**
 * Parses the JSON body of a request; undefined when there is none. The headers of an empty body are not checked:
 * `curl -d ""` declares a form, and sends an empty body.
 */
export async function parseBody(
  body: FacadeBody,
  headers: HeaderReader,
  options: JsonParseOptions,
): Promise<Result<unknown, BackendError>> {
  const { bytes, failure } = body;
  if (failure !== null) return err(failure);
  if (bytes.length === 0) return ok(undefined);
  const problem = contentTypeProblem(headers, SERVICE_JSON);
  if (problem !== null) return err(rejection(415, problem));
  if (isBlank(bytes)) return ok(undefined);
  const parsed = await parseBoundedJson({ bytes, decoder: SERVICE_JSON.decoder }, options);
  body.drop();
  return parsed.ok ? parsed : err(parseFailureRejection(parsed.error));
}

/** True for nothing but JSON's white space, with or without a byte order mark. */
function isBlank(bytes: Uint8Array): boolean {
  const start = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0;
  for (let at = start; at < bytes.length; at++) if (!WHITE_SPACE.has(bytes[at] ?? 0)) return false;
  return true;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const WHITE_SPACE: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);

function parseFailureRejection(failure: JsonParseFailure): BackendError {
  switch (failure.kind) {
    case 'encoding':
      return rejection(400, '$: The request body is not UTF-8.');
    case 'limit':
      return rejection(400, `$: The request body ${failure.problem}.`);
    case 'syntax': {
      const position = failure.position === null ? '' : ` (position ${failure.position})`;
      return rejection(400, `$: The request body is not JSON${position}.`);
    }
    case 'out-of-memory':
      return unavailable('The service has no memory left for this at the moment. Try again.');
  }
}
