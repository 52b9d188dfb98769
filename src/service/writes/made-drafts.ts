import type { UpdateTarget } from '../../core/articles/bulk-updates.ts';
import { forkKeyOf } from '../../core/articles/forks.ts';
import { MAX_ARTICLE_LAG_MS, MAX_REMEMBERED_CREATES } from '../../core/base/limits.ts';

/** The drafts that this process has made, so that a read which does not show one yet leads to no second one. */
export class MadeDrafts {
  /** The latest draft of each text, the oldest first. */
  readonly #drafts = new Map<string, { readonly versionNumber: number; readonly madeAt: number }>();

  note(target: UpdateTarget, versionNumber: number): void {
    const key = keyOf(target);
    this.#drafts.delete(key);
    this.#drafts.set(key, { versionNumber, madeAt: performance.now() });
    const [oldest] = this.#drafts.keys();
    if (this.#drafts.size > MAX_REMEMBERED_CREATES && oldest !== undefined) this.#drafts.delete(oldest);
  }

  /** The draft that reads may not show yet; null where there is none. */
  find(target: UpdateTarget): number | null {
    const draft = this.#drafts.get(keyOf(target));
    return draft !== undefined && performance.now() - draft.madeAt < MAX_ARTICLE_LAG_MS ? draft.versionNumber : null;
  }

  /** True for a draft that belongs to another fork of this process. */
  isOfOther(target: UpdateTarget, versionNumber: number): boolean {
    return versionNumber <= (this.#drafts.get(keyOf(target))?.versionNumber ?? 0);
  }
}

const keyOf = ({ articleId, languageCode }: UpdateTarget): string => forkKeyOf({ articleId, languageCode });
