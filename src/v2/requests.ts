import type { z } from 'zod';
import { type ServiceError, serviceError } from '../domain/notices.ts';
import { err, ok, type Result } from '../domain/result.ts';

/** Reads a request body whose shape is promised; what does not fit is named, place by place. */
export function decodeBody<T extends z.ZodType>(
  schema: T,
  body: unknown,
): Result<z.output<T>, readonly ServiceError[]> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return ok(parsed.data);
  return err(parsed.error.issues.map(({ path, message }) => serviceError(`${placeOf(path)}: ${message}`)));
}

const placeOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((place, key) => (typeof key === 'number' ? `${place}[${key}]` : `${place}.${String(key)}`), '$');
