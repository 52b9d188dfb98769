/**
 * What no text may hold, because no store gives it back unchanged: halves of a surrogate pair have no UTF-8 form, and
 * PostgreSQL refuses U+0000. Null where the text is sound.
 */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the character U+0000';
  if (!text.isWellFormed()) return 'must be well-formed Unicode: it contains half of a surrogate pair';
  return null;
}

/**
 * UTF-16 units. Those of the service have 36. Longer ones name nothing, and two of this length still fit into the address
 * of a call, every character of them escaped, which servers take up to some 16 kB of.
 */
const MAX_ID_LENGTH = 512;

/** The same for an ID. IDs are opaque; all that is known of them is that they are not empty (service facts 3d). */
export function idProblem(id: string): string | null {
  if (id === '') return 'must not be empty';
  return id.length > MAX_ID_LENGTH ? `must have at most ${MAX_ID_LENGTH} characters` : textProblem(id);
}

/** An ID that is a segment of a path: `.` and `..` would name another path. */
export function pathIdProblem(id: string): string | null {
  return id === '.' || id === '..' ? `must not be "${id}"` : idProblem(id);
}
