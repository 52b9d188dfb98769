import { isSettableStatus, STATUSES_OF_UPDATES } from '../../core/articles/articles.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { idProblem } from '../../core/base/text.ts';
import { FIELDS, FORBIDDING } from './conventions.ts';
import type { FrontMatterField } from './front-matter.ts';

type Member = keyof typeof FIELDS;

export interface FileFields {
  readonly values: { readonly [Name in Member]?: string };
  /** Why the file must not be published, as the rest of a sentence; null where it may. */
  readonly draft: string | null;
  /** The names of the fields that have no effect. */
  readonly unused: ReadonlySet<string>;
}

interface PublishingTimes {
  readonly now: Date;
  /** The date of a file that names none, which may be null. Absent where dates to come keep no file from readers. */
  readonly date?: string | null | undefined;
}

/** The values of the fields that have an effect. A problem of one that has none is no problem. */
export function readFileFields(
  fields: readonly FrontMatterField[],
  times: PublishingTimes,
): Result<FileFields, string> {
  const values: { -readonly [Name in Member]?: string } = {};
  for (const member of MEMBERS) {
    const field = fieldOf(fields, FIELDS[member]);
    if (field?.problem) return err(`line ${field.line}: ${field.name} ${field.problem}`);
    if (field?.value === undefined) continue;
    const problem = PROBLEMS[member]?.(field.value) ?? null;
    if (problem !== null) return err(`line ${field.line}: ${field.name} ${problem}`);
    values[member] = field.value;
  }
  const draft = draftOf(fields, times);
  if (!draft.ok) return draft;
  const unused = fields.map(({ name }) => name).filter((name) => !USED.has(name) && ruleOf(name) === undefined);
  const names = new Set(unused.map((name) => name.split('.', 1)[0] ?? name));
  if (values.slug !== undefined) names.add(OWN_SLUG);
  return ok({ values, draft: draft.value, unused: names });
}

/** Why a file must not be published, as the rest of a sentence. */
function draftOf(fields: readonly FrontMatterField[], { now, date }: PublishingTimes): Result<string | null, string> {
  let draft: string | null = null;
  for (const field of fields) {
    const forbids = forbidding(field, now);
    if (!forbids.ok) return forbids;
    if (forbids.value) draft = `it has ${field.name}: ${field.value}`;
  }
  const day = date === undefined ? '' : (fieldOf(fields, ['date'])?.value ?? date ?? '');
  return ok(Date.parse(day) > now.getTime() ? (draft ?? `its date is ${day}`) : draft);
}

/** How a plan names the field `slug`: it is used to find an article, and no write sets it. */
export const OWN_SLUG = 'slug (an article gets its own)';

const MEMBERS: readonly Member[] = [
  'articleId',
  'languageCode',
  'title',
  'slug',
  'categoryId',
  'hidden',
  'order',
  'translationStatus',
];

const USED: ReadonlySet<string> = new Set(MEMBERS.flatMap((member) => [...FIELDS[member]]));

const ruleOf = (name: string) => FORBIDDING.get(name.toLowerCase());

const fieldOf = (fields: readonly FrontMatterField[], names: readonly string[]): FrontMatterField | undefined =>
  names.flatMap((name) => fields.filter((field) => field.name === name)).at(0);

/** What is wrong with a value, as the rest of a sentence. */
const PROBLEMS: { readonly [Name in Member]?: (value: string) => string | null } = {
  articleId: idProblem,
  categoryId: idProblem,
  hidden: (value) => (flagOf(value) === null ? `can't be ${value}: true or false` : null),
  translationStatus: (value) =>
    isSettableStatus(value) ? null : `can't be ${value}: ${STATUSES_OF_UPDATES.join(', ')}`,
};

/** Null where the text is neither true nor false. */
export const flagOf = (value: string): boolean | null => {
  if (/^(?:true|yes|on)$/iu.test(value)) return true;
  return /^(?:false|no|off)$/iu.test(value) ? false : null;
};

/** True for a field that keeps the file from readers. One that may do so and can't be understood is a problem. */
function forbidding({ name, value, line, problem }: FrontMatterField, now: Date): Result<boolean, string> {
  const given = ruleOf(name);
  if (given === undefined || (problem === null && !value)) return ok(false);
  const flag = flagOf(value ?? '');
  const time = Date.parse(value ?? '');
  // Hugo's `published` is a date.
  const rule = given === 'false' && flag === null ? 'until' : given;
  const isUnclear = rule === 'true' || rule === 'false' ? flag === null : Number.isNaN(time);
  if (problem !== null || isUnclear) return err(`line ${line}: ${name} ${problem ?? `can't be ${value}`}`);
  if (rule === 'true' || rule === 'false') return ok(flag === (rule === 'true'));
  return ok(rule === 'until' ? time > now.getTime() : time <= now.getTime());
}
