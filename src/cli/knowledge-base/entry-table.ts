import type { EntryCounts } from '../../backend/local/import/add-knowledge-base.ts';

/** The numbers of entries as a table for people, with a column for each of the counts. */
export function entryTable(columns: Readonly<Record<string, EntryCounts>>): string {
  const row = (name: string, cells: readonly unknown[]) =>
    `${name.padEnd(20)}${cells.map((cell) => `${cell}`.padStart(15)).join('')}\n`;
  const counts = Object.values(columns);
  return [
    row('', Object.keys(columns)),
    ...ROWS.map(([name, key]) =>
      row(
        name,
        counts.map((count) => count[key]),
      ),
    ),
  ].join('');
}

const ROWS: readonly (readonly [name: string, key: keyof EntryCounts])[] = [
  ['project versions', 'projectVersions'],
  ['languages', 'languages'],
  ['categories', 'categories'],
  ['articles', 'articles'],
  ['language versions', 'languageVersions'],
  ['readers', 'readers'],
  ['invited SSO users', 'invitedSsoUsers'],
  ['reader groups', 'readerGroups'],
];
