import type { ChangedField } from './generated/graphql.ts';

export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** The record is total, so a new field of the schema does not compile without a name. */
const NAMES: Record<ChangedField, string> = {
  TITLE: 'title',
  DESCRIPTION: 'description',
  CONTENT: 'content',
  HTML_CONTENT: 'content',
  CATEGORY_ID: 'category',
  HIDDEN: 'hidden',
  TRANSLATION_STATUS: 'translation',
  ORDER: 'order',
  SOURCE: 'source',
  STATUS: 'status',
  PUBLIC_VERSION_NUMBER: 'public version',
};

export const withFieldName = (change: FieldChange & { field: ChangedField }): FieldChange => ({
  ...change,
  field: NAMES[change.field],
});

export function FieldChanges({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) return null;
  return (
    <ul>
      {changes.map(({ field, from, to }) => (
        <li key={field}>
          {field}: <del>{textOf(from)}</del> → <ins>{textOf(to)}</ins>
        </li>
      ))}
    </ul>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
