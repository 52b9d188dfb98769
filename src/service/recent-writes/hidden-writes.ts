import { LRUCache } from 'lru-cache';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import { MAX_WRITES_OF_ARTICLE, RECENT_WRITES_BYTES } from '../../core/base/limits.ts';
import { idKeyOf } from '../../core/base/text.ts';

/** An update that has set `hidden`. */
interface HiddenWrite {
  readonly token: string | null;
  readonly hidden: boolean;
  /** False where it is not known whether the service has applied the update. */
  readonly isKnown: boolean;
  /** `performance.now()` when the outcome was known. */
  readonly endedAt: number;
}

/** The bytes of an update besides its key. */
const WRITE_BYTES = 128;

/**
 * What this process has set `hidden` to, by article. All tokens of a project write to the same articles, so what one has
 * set counts for all; an unknown outcome counts for its own token alone, since a caller may be mistaken about an ID.
 */
export class HiddenWrites {
  readonly #articles = new LRUCache<string, readonly HiddenWrite[]>({
    maxSize: RECENT_WRITES_BYTES / 4,
    sizeCalculation: (writes, key) => WRITE_BYTES * writes.length + 2 * key.length,
  });

  note({ articleId, hidden }: ArticleUpdate, write: Omit<HiddenWrite, 'hidden'>): void {
    if (hidden === undefined) return;
    const key = idKeyOf(articleId);
    const earlier = this.#articles.peek(key)?.slice(1 - MAX_WRITES_OF_ARTICLE) ?? [];
    this.#articles.set(key, [...earlier, { ...write, hidden }]);
  }

  clear(): void {
    this.#articles.clear();
  }

  /** The updates of an article that count for a token, the earliest first. */
  of(articleId: string, token: string | null): readonly HiddenWrite[] {
    return this.#articles.peek(idKeyOf(articleId))?.filter((write) => write.isKnown || write.token === token) ?? [];
  }
}
