import { LRUCache } from 'lru-cache';
import type { Ok } from '../../core/base/result.ts';

export interface KeptResponse {
  /** `performance.now()` when the call was sent. */
  readonly sentAt: number;
  /** All requests use the payload and what is decoded from it, so nobody may change them. */
  readonly payload: Ok<unknown>;
}

/** The bytes of an entry besides its payload and key: the objects, and the entries of the maps. */
const ENTRY_BYTES = 512;

/** The fraction of all bytes that one response may take. */
const RESPONSE_QUOTA = 1 / 8;

/** Keeps responses within a number of bytes. The least recently used ones are removed first. */
export class KeptResponses {
  readonly #maxBytesOfOne: number;
  readonly #entries: LRUCache<string, KeptResponse>;

  constructor(maxBytes: number) {
    this.#maxBytesOfOne = maxBytes * RESPONSE_QUOTA;
    this.#entries = new LRUCache({ maxSize: maxBytes });
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  find(key: string): KeptResponse | undefined {
    return this.#entries.get(key);
  }

  /** Replaces the response of the key. Returns false where the response is too large to be kept. */
  tryAdd(key: string, response: KeptResponse): boolean {
    const size = ENTRY_BYTES + 2 * key.length + payloadSizeOf(response.payload.value, this.#maxBytesOfOne);
    const isKept = size <= this.#maxBytesOfOne;
    if (isKept) this.#entries.set(key, response, { size });
    else this.#entries.delete(key);
    return isKept;
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
