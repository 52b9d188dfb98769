const range = (first: number, last: number): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));

/** Every control character, separator of lines, and mark that changes the direction of a text. */
export const UNPRINTABLES: readonly string[] = [
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  ...range(0x2028, 0x202e),
  ...range(0x200e, 0x200f),
  ...range(0x2066, 0x2069),
  '\u061c',
];

const ANY = new RegExp(
  `[${UNPRINTABLES.map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}]`,
  'gu',
);

/** The unprintable characters that stand raw in lines, each once, as `U+202E`. Line feeds end the lines. */
export function rawIn(lines: string): readonly string[] {
  const found = lines.match(ANY) ?? [];
  const names = found.map((one) => `U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
  return [...new Set(names)].filter((name) => name !== 'U+000A');
}
