import { Buffer } from 'node:buffer';

/** A global ID says which type it names and by which parts: base64url of a JSON list. Its form is nobody's business. */
export function encodeGlobalId(typeName: string, parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([typeName, ...parts])).toString('base64url');
}

export interface GlobalId {
  readonly typeName: string;
  readonly parts: readonly (string | number)[];
}

/**
 * Characters of a global ID or of a cursor. Three IDs of 512 characters, all of them escaped, come to less; longer texts are
 * not looked at.
 */
export const MAX_OPAQUE_LENGTH = 16_384;

/** Null where the text is no global ID of this gateway. */
export function decodeGlobalId(id: string): GlobalId | null {
  if (id.length > MAX_OPAQUE_LENGTH) return null;
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(id, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(decoded)) return null;
  const [typeName, ...parts]: unknown[] = decoded;
  const sound = (part: unknown) => (typeof part === 'string' && part !== '') || Number.isSafeInteger(part);
  return typeof typeName === 'string' &&
    parts.every((part) => typeof part === 'string' || typeof part === 'number') &&
    parts.every(sound)
    ? { typeName, parts }
    : null;
}
