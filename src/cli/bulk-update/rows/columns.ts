import { toPrintable } from '../../../base/printable.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { closestName } from '../../../base/spelling.ts';
import { ARTICLE_FIELDS, isArticleField } from './article-fields.ts';

/** The field of each mapped column; null for a column that is ignored. */
export type ColumnMapping = ReadonlyMap<string, string | null>;

/** Members and columns that the command itself adds to rows have this prefix, and are ignored when they are read. */
const IGNORED_PREFIX = '_';

export const isIgnoredMember = (name: string): boolean => name.startsWith(IGNORED_PREFIX);

/** Parses `Column=field,…`. Nothing after the equals sign ignores the column. */
export function parseColumns(text: string): Result<ColumnMapping, string> {
  const mapping = new Map<string, string | null>();
  for (const pair of text.split(',')) {
    const equals = pair.lastIndexOf('=');
    const column = pair.slice(0, Math.max(equals, 0)).trim();
    const field = pair.slice(equals + 1).trim();
    if (equals === -1 || column === '')
      return err(`--columns takes Column=field,…; "${toPrintable(pair)}" has no such form.`);
    if (mapping.has(column)) return err(`--columns has the column "${toPrintable(column)}" twice.`);
    if (field !== '' && !isArticleField(field)) return err(`--columns: ${unknownField(field)}`);
    mapping.set(column, field === '' ? null : field);
  }
  return ok(mapping);
}

/** The field that a column sets; null when the column is ignored. */
export function fieldOfColumn(column: string, mapping: ColumnMapping): string | null {
  const mapped = mapping.get(column);
  if (mapped !== undefined) return mapped;
  return isIgnoredMember(column) ? null : column;
}

/** The problems of a header, given the columns that it has. */
export function* columnProblems(columns: readonly string[], mapping: ColumnMapping): Generator<string> {
  for (const column of mapping.keys()) {
    if (!columns.includes(column)) yield `there is no column "${toPrintable(column)}", which --columns names.`;
  }
  const columnOfField = new Map<string, string>();
  for (const column of columns) {
    const field = fieldOfColumn(column, mapping);
    if (field === null) continue;
    const other = columnOfField.get(field);
    if (other !== undefined)
      yield `the columns "${toPrintable(other)}" and "${toPrintable(column)}" both set ${field}.`;
    if (!isArticleField(field)) yield `${unknownField(field)} ${HINT}`;
    columnOfField.set(field, column);
  }
  if (!columnOfField.has('articleId')) yield 'no column sets articleId.';
}

const HINT = 'Map the column with --columns "Column=field", or ignore it with --columns "Column=".';

export function unknownField(name: string): string {
  const closest = closestName(name, ARTICLE_FIELDS);
  return `an article has no field "${toPrintable(name)}"${closest === null ? '.' : `; is ${closest} meant?`}`;
}
