import { isUtf8 } from 'node:buffer';
import type { JsonBounds } from '../domain/json/json-scanner.ts';
import { type JsonFault, type ParseRoom, parseJson } from '../domain/json/parse-json.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { badRequest, limitExceeded, noRoom, type Refusal, unsupported } from './responses/http-error.ts';

interface HeaderReader {
  get(name: string): string | null;
}

/** What speaks against a body by its headers: it is JSON, in UTF-8, as it is. */
export function mediaProblem(headers: HeaderReader): Refusal | null {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') return unsupported('The content encoding of the request body must be identity.');
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json') {
    return unsupported('The media type of the request body must be application/json.');
  }
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/u.test(charset)) {
    return unsupported('The charset of the request body must be UTF-8.');
  }
  return null;
}

type Parsed = Result<unknown, Refusal>;

/** A small body is parsed at once. */
export function parseJsonBody(bytes: Buffer, bounds: JsonBounds, room: ParseRoom): Parsed | Promise<Parsed> {
  const parsed = parseJson({ bytes, decode: () => (isUtf8(bytes) ? bytes.toString() : null) }, bounds, room);
  return parsed instanceof Promise ? parsed.then(refusing) : refusing(parsed);
}

const refusing = (parsed: Result<unknown, JsonFault>): Parsed =>
  parsed.ok ? ok(parsed.value) : err(refusalOf(parsed.error));

function refusalOf(fault: JsonFault): Refusal {
  switch (fault.kind) {
    case 'encoding':
      return badRequest('The request body is not UTF-8.');
    case 'limit':
      return limitExceeded(`The request body ${fault.problem}.`);
    case 'syntax':
      return badRequest('The request body is not JSON.');
    case 'no-room':
      return noRoom;
  }
}
