import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import { MAX_ID_LENGTH } from '../../core/base/limits.ts';
import { exportedBytesOf, isTooLarge, jsonBytesOf, mayBeTooLarge } from '../import/article-sizes.ts';
import { readStoredArticle, type StoredArticle } from '../import/export-knowledge-base.ts';
import type { StoreDatabase } from '../tables/tables.ts';
import { newContentOf, type TargetVersion } from './article-changes.ts';
import { type ArticleTarget, isComplete } from './article-targets.ts';

/** An item of a write, with what it changes of its version, or of the draft that is made of it. */
interface GrowingItem {
  readonly update: ArticleUpdate;
  readonly target: ArticleTarget | undefined;
  readonly isForked: boolean;
}

type CompleteItem = GrowingItem & { readonly target: ArticleTarget & TargetVersion };

const hasTarget = (item: GrowingItem): item is CompleteItem => item.target !== undefined && isComplete(item.target);

/** What a new version has in addition to its texts: an account, and in an export a number that is public. */
const ROOM_FOR_VERSION = 24 * MAX_ID_LENGTH;

/** A translation that the item makes. */
const emptyVersion = ({ language_code, version_number }: TargetVersion): StoredArticle['versions'][number] => ({
  ...{ lang_code: language_code, version_number, title: '', content: null, translation_option: null, status: 0 },
  ...{ description: null, created_at: null, created_by: null, authors: [] },
});

/** The items after which no export would write their articles any more. */
export async function findTooLargeItems(
  transaction: StoreDatabase,
  items: readonly GrowingItem[],
): Promise<ReadonlySet<ArticleUpdate>> {
  const complete = items.filter(hasTarget);
  const tooLarge = new Set<ArticleUpdate>();
  if (!mayBeTooLarge(largestOf(complete))) return tooLarge;
  for (const [articleId, ofArticle] of Map.groupBy(complete, ({ target }) => target.article_id)) {
    const article = mayBeTooLarge(largestOf(ofArticle)) ? await readStoredArticle(transaction, articleId) : null;
    if (article === null) continue;
    const growth = new ArticleGrowth(article);
    for (const item of ofArticle) if (!growth.add(item)) tooLarge.add(item.update);
  }
  return tooLarge;
}

/** The bytes that no article of the items exceeds: those of the largest one, and all that the items add. */
function largestOf(items: readonly CompleteItem[]): number {
  let stored = 0;
  let added = 0;
  for (const item of items) {
    const bytes = Number(item.target.article_bytes);
    stored = Math.max(stored, bytes);
    added += addedBytesOf(item, bytes);
  }
  return stored + added;
}

/** No fork copies more than what is stored. */
const addedBytesOf = ({ update, target, isForked }: CompleteItem, stored: number): number =>
  Buffer.byteLength(update.title ?? '') +
  Buffer.byteLength(newContentOf(update, target) ?? '') +
  (isForked ? stored : 0);

/** The size of an article after one item and the next. */
class ArticleGrowth {
  #bytes: number;
  readonly #versions: Map<string, StoredArticle['versions'][number]>;

  constructor(article: StoredArticle) {
    this.#bytes = exportedBytesOf(article);
    this.#versions = new Map(
      article.versions.map((version) => [`${version.version_number} ${version.lang_code}`, version]),
    );
  }

  /** False where the item would make the article too large. One that makes it smaller is never refused. */
  add(item: CompleteItem): boolean {
    const { target, isForked } = item;
    const source = `${target.version_number} ${target.language_code}`;
    const key = isForked ? `fork of ${source}` : source;
    const known = this.#versions.get(key);
    const before = known ?? this.#versions.get(source) ?? emptyVersion(target);
    const after = { ...before, ...newTextsOf(item) };
    const growth = jsonBytesOf(after) + (known === undefined ? ROOM_FOR_VERSION : -jsonBytesOf(known));
    if (growth > 0 && isTooLarge(this.#bytes + growth)) return false;
    this.#bytes += growth;
    this.#versions.set(key, after);
    return true;
  }
}

function newTextsOf({ update, target }: CompleteItem): { title?: string; content?: string } {
  const content = newContentOf(update, target);
  return { ...(update.title != null && { title: update.title }), ...(content !== null && { content }) };
}
