import { isUtf8 } from 'node:buffer';
import { type JsonBounds, jsonProblem } from '../domain/json-bounds.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { badRequest, limitExceeded, type Refusal, unsupported } from './refusal.ts';

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

/** No error of the parser is passed on: it quotes the body. */
export function parseJsonBody(bytes: Buffer, bounds: JsonBounds): Result<unknown, Refusal> {
  if (!isUtf8(bytes)) return err(badRequest('The request body is not UTF-8.'));
  const text = bytes.toString();
  const problem = jsonProblem(text, bounds);
  if (problem !== null) return err(limitExceeded(`The request body ${problem}.`));
  try {
    return ok(JSON.parse(text));
  } catch {
    return err(badRequest('The request body is not JSON.'));
  }
}
