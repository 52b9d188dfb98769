import { z } from 'zod';
import { err, ok, type Result } from '../../../base/result.ts';
import { type ArticleUpdateDraft, validateArticleUpdates } from '../../../domain/articles/bulk-updates.ts';

const TEXT = 'must be a text';
const WHOLE_NUMBER = 'must be a whole number';
const STATUSES = ['NONE', 'NEEDS_TRANSLATION', 'TRANSLATED'] as const;

const text = z.string(TEXT).nullish();
const wholeNumber = z.int32(WHOLE_NUMBER).nullish();

/** The fields of `ArticleUpdateInput`. */
const articleUpdate = z.strictObject({
  articleId: z.string('must be there, and be a text'),
  languageCode: text,
  title: text,
  content: text,
  htmlContent: text,
  categoryId: text,
  hidden: z.boolean('must be true or false').nullish(),
  versionNumber: wholeNumber,
  translationStatus: z.enum(STATUSES, `must be one of ${STATUSES.join(', ')}`).nullish(),
  source: text,
  order: wholeNumber,
} satisfies Record<keyof ArticleUpdateDraft, z.ZodType>);

export const ARTICLE_FIELDS: readonly string[] = Object.keys(articleUpdate.shape);

export const isArticleField = (name: string): boolean => ARTICLE_FIELDS.includes(name);

/** Parses the fields of one article, by the rules that the gateway has. The errors are all its problems. */
export function parseArticleFields(
  fields: Readonly<Record<string, unknown>>,
): Result<ArticleUpdateDraft, readonly string[]> {
  const parsed = articleUpdate.safeParse(fields);
  if (!parsed.success) return err(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`));
  const problems = [...validateArticleUpdates([parsed.data], 1)].map(({ message }) => message);
  return problems.length === 0 ? ok(parsed.data) : err(problems);
}

/** The text in a cell that stands for null, as PostgreSQL and MySQL write it. */
const NULL_CELL = '\\N';

const parseText = (cell: string): unknown => cell;

const parseNumber = (cell: string): unknown => (/^-?\d{1,15}$/u.test(cell) ? Number(cell) : cell);

const CELL_PARSERS = new Map<string, (cell: string) => unknown>(
  Object.entries({
    articleId: parseText,
    languageCode: parseText,
    title: parseText,
    content: parseText,
    htmlContent: parseText,
    categoryId: parseText,
    hidden: (cell) => ({ true: true, false: false })[cell.toLowerCase()] ?? cell,
    versionNumber: parseNumber,
    translationStatus: parseText,
    source: parseText,
    order: parseNumber,
  } satisfies Record<keyof ArticleUpdateDraft, (cell: string) => unknown>),
);

/** The value of a field in a cell. Undefined, which leaves the field out, for an empty cell. */
export function parseCell(field: string, cell: string): unknown {
  if (cell === '') return undefined;
  return cell === NULL_CELL ? null : (CELL_PARSERS.get(field)?.(cell) ?? cell);
}
