import { z } from 'zod';
import { type ServiceError, serviceError } from '../domain/notices.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { idProblem, textProblem } from '../domain/text.ts';

/** So many findings are named. A body with more is wrong beyond doubt, and its answer is to stay small. */
const MAX_FINDINGS = 100;

const ruledBy = (problemOf: (value: string) => string | null) =>
  z.string().superRefine((value, context) => {
    const problem = problemOf(value);
    if (problem !== null) context.addIssue(problem);
  });

/** Text that every store gives back unchanged. */
export const soundText = ruledBy(textProblem);

/** The same for an ID, which is not empty. */
export const soundId = ruledBy(idProblem);

/** A list that is not read to its end once there is more wrong with it than an answer names. */
export const requestList = <T extends z.ZodType>(item: T) =>
  z.array(z.unknown()).transform((entries, context): z.output<T>[] => {
    const read: z.output<T>[] = [];
    for (const [index, entry] of entries.entries()) {
      const parsed = item.safeParse(entry);
      if (parsed.success) read.push(parsed.data);
      else for (const issue of parsed.error.issues) context.addIssue({ ...issue, path: [index, ...issue.path] });
      if (context.issues.length > MAX_FINDINGS) break;
    }
    return read;
  });

/** Reads a request body whose shape is promised; what does not fit is named, place by place. */
export function decodeBody<T extends z.ZodType>(
  schema: T,
  body: unknown,
): Result<z.output<T>, readonly ServiceError[]> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return ok(parsed.data);
  const findings = parsed.error.issues.map(({ path, message }) => serviceError(`${placeOf(path)}: ${message}`));
  if (findings.length <= MAX_FINDINGS) return err(findings);
  return err([...findings.slice(0, MAX_FINDINGS), serviceError('There is more that does not fit.')]);
}

const placeOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((place, key) => (typeof key === 'number' ? `${place}[${key}]` : `${place}.${String(key)}`), '$');
