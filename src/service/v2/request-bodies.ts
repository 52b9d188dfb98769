import { z } from 'zod';
import { EMPTY_BULK_UPDATE_TEXT } from '../../core/articles/bulk-updates.ts';
import { MAX_BODY_FINDINGS } from '../../core/base/limits.ts';
import { err, mapOk, ok, type Result } from '../../core/base/result.ts';
import { idProblem, textProblem } from '../../core/base/text.ts';
import { createServiceError, type ServiceError } from '../../core/notices.ts';

const stringWithRule = (problemOf: (value: string) => string | null) =>
  z.string().superRefine((value, context) => {
    const problem = problemOf(value);
    if (problem !== null) context.addIssue(problem);
  });

/** A text that every store returns unchanged. */
export const storableText = stringWithRule(textProblem);

export const storableId = stringWithRule(idProblem);

/** A list that is not read further once it has more findings than a response. */
export const requestList = <T extends z.ZodType>(item: T) =>
  z.array(z.unknown()).transform((entries, context): z.output<T>[] => {
    const read: z.output<T>[] = [];
    for (const [index, entry] of entries.entries()) {
      const parsed = item.safeParse(entry);
      if (parsed.success) read.push(parsed.data);
      else for (const issue of parsed.error.issues) context.addIssue({ ...issue, path: [index, ...issue.path] });
      if (context.issues.length > MAX_BODY_FINDINGS) break;
    }
    return read;
  });

/** Decodes a list. An absent body, null and `[]` are the same documented error: see docs/contract.md, "Store bulk update". */
export function decodeListBody<T>(
  schema: z.ZodType<readonly T[]>,
  body: unknown,
): Result<readonly T[], readonly ServiceError[]> {
  const items = decodeBody(schema, body ?? []);
  return items.ok && items.value.length === 0 ? err([createServiceError(EMPTY_BULK_UPDATE_TEXT, '400')]) : items;
}

/** Decodes one item. An absent body and null are the documented error of an empty list. */
export const decodeItemBody = <T>(
  schema: z.ZodType<T>,
  body: unknown,
): Result<readonly T[], readonly ServiceError[]> =>
  body == null ? decodeListBody(requestList(schema), body) : mapOk(decodeBody(schema, body), (item) => [item]);

/** Decodes a body. The error has one finding for each member that does not fit the schema, with its path. */
export function decodeBody<T extends z.ZodType>(
  schema: T,
  body: unknown,
): Result<z.output<T>, readonly ServiceError[]> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return ok(parsed.data);
  // A finding about the body as a whole has no path.
  const findings = parsed.error.issues.map(({ path, message, code }) =>
    createServiceError(
      path.length === 0 && code === 'custom' ? message : `${z.core.toDotPath(['$', ...path])}: ${message}`,
    ),
  );
  if (findings.length <= MAX_BODY_FINDINGS) return err(findings);
  return err([...findings.slice(0, MAX_BODY_FINDINGS), createServiceError('There is more that does not fit.')]);
}
