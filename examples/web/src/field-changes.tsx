export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

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
