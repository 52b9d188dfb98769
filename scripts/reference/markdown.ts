/** A text of several lines as one cell of a table. */
export const cell = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s*\n\s*/gu, ' ')
    .replaceAll('|', String.raw`\|`);

export const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** The parts of a page, with an empty line between them. Empty parts are left out. */
export const pageOf = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`;

export const GENERATED = '<!-- npm run reference writes this page. -->';
