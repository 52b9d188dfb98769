import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** Bodies are hashed in chunks of this size: a chunk takes about a millisecond. */
const HASH_CHUNK_BYTES = 1024 * 1024;

/** Returns the strong ETag of a representation, which is its media type and its body. */
export async function entityTagOf(mediaType: string, body: Uint8Array): Promise<string> {
  const hash = createHash('sha256').update(`${mediaType}\n`);
  for (let at = 0; at < body.length; at += HASH_CHUNK_BYTES) {
    if (at > 0) await setImmediate();
    hash.update(body.subarray(at, at + HASH_CHUNK_BYTES));
  }
  return `"${hash.digest('base64url')}"`;
}

/** True when `If-None-Match` names the ETag. It is compared weakly, since proxies that compress make ETags weak. */
export function matchesEntityTag(ifNoneMatch: string, entityTag: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//u, ''));
  return tags.includes('*') || tags.includes(entityTag);
}
