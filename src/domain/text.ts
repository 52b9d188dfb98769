/**
 * What no text may hold, because no store gives it back unchanged: halves of a surrogate pair have no UTF-8 form, and
 * PostgreSQL refuses U+0000. Null where the text is sound.
 */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the character U+0000';
  if (!text.isWellFormed()) return 'must be well-formed Unicode: it contains half of a surrogate pair';
  return null;
}

/** The same for an ID. IDs are opaque; all that is known of them is that they are not empty (service facts 3d). */
export function idProblem(id: string): string | null {
  return id === '' ? 'must not be empty' : textProblem(id);
}

/** An ID that is a segment of a path: `.` and `..` would name another path. */
export function pathIdProblem(id: string): string | null {
  return id === '.' || id === '..' ? `must not be "${id}"` : idProblem(id);
}
