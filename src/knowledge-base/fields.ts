import { z } from 'zod';
import { MAX_ID_LENGTH, pathIdProblem, textProblem } from '../base/text.ts';

/** A string that keeps a rule of the domain. */
export const stringWithRule = (problemOf: (value: string) => string | null) =>
  z
    .string('must be a string')
    .refine((value) => problemOf(value) === null, { error: ({ input }) => problemOf(String(input)) });

export const text = stringWithRule(textProblem);

/** An ID or a language code: both are segments of paths. */
export const id = stringWithRule(pathIdProblem).meta({ minLength: 1, maxLength: MAX_ID_LENGTH });

export const flag = z.boolean('must be true or false');

/** The service's whole numbers have 32 bits: see docs/service.md, "IDs and times". */
const MAX_INT32 = 2_147_483_647;

export function wholeNumber(min: number) {
  const message = `must be a whole number from ${min} to ${MAX_INT32}`;
  return z.int(message).min(min, message).max(MAX_INT32, message);
}

export const list = <T extends z.ZodType>(entry: T) => z.array(entry, 'must be a list');

/** An object without other members than these. */
export const entry = <T extends z.ZodRawShape>(members: T) => z.strictObject(members, 'must be an object');

/**
 * A list of the document; empty when it is missing. Its entries are parsed one by one, as `z.array` fails beyond
 * 100,000 problems in one entry.
 */
export const entriesOf = <T extends z.ZodType>(schema: T) =>
  z
    .array(z.unknown(), 'must be a list')
    .optional()
    .transform((items, context): z.output<T>[] =>
      (items ?? []).flatMap((item, index) => {
        const parsed = schema.safeParse(item);
        if (parsed.success) return [parsed.data];
        for (const issue of parsed.error.issues) context.addIssue({ ...issue, path: [index, ...issue.path] });
        return [];
      }),
    );
