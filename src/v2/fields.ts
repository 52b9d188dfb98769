import { z } from 'zod';

/**
 * Single members of the service's answers, read as tolerantly as its documentation is loose: a member that is missing or
 * of another type is null, so that one odd member does not cost the whole answer.
 */
const orNull = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .transform((value) => value ?? null)
    .catch(null);

export const text = orNull(z.string());

export const whole = orNull(z.int());

export const flag = orNull(z.boolean());

/** The service's "no value", which it writes as the first day of its calendar. */
const NO_DATE = '0001-01-01';

/** A day, a time of day behind it or not, and a zone or not. */
const TIME = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?<zone>Z|[+-]\d\d:?\d\d)?)?$/u;

/** A time without a zone is UTC (contract, section 2). */
export const time = text.transform((value) => {
  const parts = value === null || value.startsWith(NO_DATE) ? null : TIME.exec(value);
  if (value === null || parts === null) return null;
  const date = new Date(parts.groups?.['zone'] ? value : `${value}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
});

/** A list whose entries are read one by one: those that can't be read are left out. */
export const listOf = <T extends z.ZodType>(entry: T) =>
  z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((entries) =>
      (entries ?? []).flatMap((raw) => {
        const parsed = entry.safeParse(raw);
        return parsed.success ? [parsed.data] : [];
      }),
    );
