import { z } from 'zod';

/** Null for a member that is missing or of another type, so that one odd member does not cost the whole response. */
const lenient = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .transform((value) => value ?? null)
    .catch(null);

export const lenientText = lenient(z.string());

export const lenientInteger = lenient(z.int());

export const lenientBoolean = lenient(z.boolean());

/** Stands for no value: see docs/service.md, "IDs and times". */
const NO_DATE = '0001-01-01';

/** A date with an optional time and zone. */
const TIME_FORMAT = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?<zone>Z|[+-]\d\d:?\d\d)?)?$/u;

/** A time without a zone is UTC: see docs/contract.md, "Times". */
export const lenientTime = lenientText.transform((value) => {
  const parts = value === null || value.startsWith(NO_DATE) ? null : TIME_FORMAT.exec(value);
  if (value === null || parts === null) return null;
  const date = new Date(parts.groups?.['zone'] ? value : `${value}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
});

/** Omits the entries that cannot be read. */
export const lenientList = <T extends z.ZodType>(entry: T) =>
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
