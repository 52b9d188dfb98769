// The only place that encodes texts for terminals, logs and audit logs. scripts/writers.ts keeps other code from it.

/**
 * Characters that a terminal, an editor or a log viewer acts on instead of showing them: control characters, ends of
 * lines, marks that change the direction of a text, and whatever else has no shape of its own.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const UNPRINTABLE_IN_LINES = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu;

/** Nearly all texts are of these characters alone, which is fast to check. */
const ASCII = /^[ -~]*$/u;

/** Somebody else's text as a part of a line for people: each unprintable character becomes its escape in JSON. */
export const toPrintable = (text: string): string => (ASCII.test(text) ? text : text.replace(UNPRINTABLE, escapeOf));

/** Lines for people, whose line feeds and tabs stay. */
export const toPrintableLines = (text: string): string => text.replace(UNPRINTABLE_IN_LINES, escapeOf);

/** JSON on one line, which is parsed to the same value as that of `JSON.stringify`. */
export const toPrintableJson = (value: unknown): string => toPrintable(JSON.stringify(value) ?? 'null');

/** A printable text as one word of a POSIX shell. */
export const shellWord = (text: string): string => `'${toPrintable(text).replaceAll("'", "'\\''")}'`;

/** A character beyond U+FFFF becomes two escapes, as in JSON. */
function escapeOf(character: string): string {
  let escapes = '';
  for (let at = 0; at < character.length; at += 1) {
    escapes += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return escapes;
}
