import { Buffer } from 'node:buffer';

/** Encodes a global ID: base64url of a JSON array of the type's name and the service's IDs. It is opaque to clients. */
export function encodeGlobalId(typeName: string, parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([typeName, ...parts])).toString('base64url');
}

export interface GlobalId {
  readonly typeName: string;
  readonly parts: readonly (string | number)[];
}

/** Characters of a global ID or of a cursor. Three IDs of 512 characters, with all of them escaped, take less. */
export const MAX_OPAQUE_LENGTH = 16_384;

/** Null when the text is no global ID of this gateway. */
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
  const isValidPart = (part: unknown) => (typeof part === 'string' && part !== '') || Number.isSafeInteger(part);
  return typeof typeName === 'string' &&
    parts.every((part) => typeof part === 'string' || typeof part === 'number') &&
    parts.every(isValidPart)
    ? { typeName, parts }
    : null;
}
