// The only file that encodes texts for terminals, logs and audit logs. scripts/writers.ts finds other code that does.

/**
 * Characters that a terminal, an editor or a log viewer interprets instead of showing them: control characters, ends of
 * lines, marks that change the direction of a text, and other invisible characters.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const UNPRINTABLE_IN_LINES = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu;

/** Nearly all texts have only these characters, which is fast to check. */
const ASCII = /^[ -~]*$/u;

/** Encodes a foreign text as a part of a line for people: each unprintable character becomes its escape in JSON. */
export const toPrintable = (text: string): string => (ASCII.test(text) ? text : text.replace(UNPRINTABLE, escapeOf));

/** Encodes lines for people, which keep their line feeds and tabs. */
export const toPrintableLines = (text: string): string => text.replace(UNPRINTABLE_IN_LINES, escapeOf);

/** Encodes JSON on one line. It is parsed to the same value as that of `JSON.stringify`. */
export const toPrintableJson = (value: unknown): string => toPrintable(JSON.stringify(value) ?? 'null');

/** Quotes a printable text as one word of a POSIX shell. */
export const shellWord = (text: string): string => `'${toPrintable(text).replaceAll("'", "'\\''")}'`;

/** A character beyond U+FFFF becomes two escapes, as in JSON. */
function escapeOf(character: string): string {
  let escapes = '';
  for (let at = 0; at < character.length; at += 1) {
    escapes += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return escapes;
}
