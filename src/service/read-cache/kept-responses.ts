import { LRUCache } from 'lru-cache';
import type { Ok } from '../../core/base/result.ts';

export interface KeptResponse {
  /** `performance.now()` when the call was sent. */
  readonly sentAt: number;
  /** All requests use the payload and what is decoded from it, so nobody may change them. */
  readonly payload: Ok<unknown>;
}

interface Entry extends KeptResponse {
  readonly tokenKey: string;
  readonly bytes: number;
}

/** The bytes of an entry besides its payload and key: the objects, and the entries of the maps. */
const ENTRY_BYTES = 512;

/** The fraction of all bytes that one response may take, and that all responses of one token may take. */
const RESPONSE_QUOTA = 1 / 8;
const TOKEN_QUOTA = 1 / 2;

/**
 * Keeps responses within a number of bytes. The least recently used ones are removed first: those of the same token
 * where that has used up its quota, so that no token replaces the responses of all others.
 */
export class KeptResponses {
  readonly #maxBytes: number;
  readonly #bytesByToken = new Map<string, number>();
  readonly #entries: LRUCache<string, Entry>;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => bytes,
      dispose: ({ tokenKey, bytes }) => this.#count(tokenKey, -bytes),
    });
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  find(key: string): KeptResponse | undefined {
    return this.#entries.get(key);
  }

  /** Replaces the response of the key. Returns false where the response is too large to be kept. */
  tryAdd(key: string, tokenKey: string, response: KeptResponse): boolean {
    this.#entries.delete(key);
    const maxBytes = this.#maxBytes * RESPONSE_QUOTA;
    const bytes = ENTRY_BYTES + 2 * key.length + payloadSizeOf(response.payload.value, maxBytes);
    if (bytes > maxBytes) return false;
    for (const leastRecent of this.#entries.rkeys()) {
      if ((this.#bytesByToken.get(tokenKey) ?? 0) + bytes <= this.#maxBytes * TOKEN_QUOTA) break;
      if (this.#entries.peek(leastRecent)?.tokenKey === tokenKey) this.#entries.delete(leastRecent);
    }
    this.#entries.set(key, { ...response, tokenKey, bytes });
    this.#count(tokenKey, bytes);
    return true;
  }

  #count(tokenKey: string, bytes: number): void {
    const bytesOfToken = (this.#bytesByToken.get(tokenKey) ?? 0) + bytes;
    if (bytesOfToken > 0) this.#bytesByToken.set(tokenKey, bytesOfToken);
    else this.#bytesByToken.delete(tokenKey);
  }
}

/**
 * The memory of a value of parsed JSON and of what is decoded from it, besides the characters. It was measured as 24 to
 * 41 bytes for the values of articles, trees, groups and readers.
 */
const BYTES_PER_VALUE = 48;

/** Texts with other characters take two bytes for each. */
const LATIN_1 = /^[\0-\xff]*$/u;

/** Estimates the memory of a kept payload. Stops counting beyond `maxBytes`. */
function payloadSizeOf(payload: unknown, maxBytes: number): number {
  let bytes = 0;
  const count = (value: unknown): void => {
    bytes += BYTES_PER_VALUE;
    if (typeof value === 'string') bytes += LATIN_1.test(value) ? value.length : 2 * value.length;
    if (typeof value !== 'object' || value === null) return;
    for (const member of Object.values(value)) {
      if (bytes > maxBytes) return;
      count(member);
    }
  };
  count(payload);
  return bytes;
}
