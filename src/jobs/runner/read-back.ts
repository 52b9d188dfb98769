import type { ArticleOutcome, ReadBack } from '../../domain/articles/article-outcomes.ts';
import type { Article } from '../../domain/articles/articles.ts';
import {
  type ArticleUpdate,
  compareMembers,
  hasTexts,
  isReadable,
  withoutTexts,
} from '../../domain/articles/bulk-updates.ts';
import { isSameValue } from '../../domain/field-changes.ts';
import type { IndexedOutcome, UnknownItem } from '../../state/ledger.ts';
import type { ArticleReader, ReadArticles } from './article-reader.ts';
import type { JobWaits } from './job-waits.ts';

/** A write that was cut off may still land, so what differs is read again after these pauses. */
const PAUSES_BEFORE_READS_MS = [0, 3_000, 7_000] as const;

/** Articles that are read one by one are read so many at a time. */
const SINGLE_READS = 10;

/**
 * The clock of the service may differ from that of the ledger by so much. An article that was modified long before its
 * update began has not its text.
 */
const CLOCK_MARGIN_MS = 5 * 60_000;

/** The outcomes of unknown items that nobody is going to read back. */
export const unreadable = (items: readonly UnknownItem[]): readonly IndexedOutcome[] =>
  items.map((item) => ({ index: item.index, outcome: outcomeOf(item) }));

type Comparisons = Map<UnknownItem, Comparison>;

/** Reads the articles of unknown items, and tells what is seen of the updates. */
export async function readBack(
  reader: ArticleReader,
  waits: JobWaits,
  items: readonly UnknownItem[],
): Promise<readonly IndexedOutcome[] | 'unauthenticated'> {
  const comparisons: Comparisons = new Map(items.map((item) => [item, 'NOT_READABLE']));
  let pending = items.filter(({ update }) => isReadable(update));
  for (const pauseMs of PAUSES_BEFORE_READS_MS) {
    if (pending.length === 0) break;
    if (pauseMs > 0) await waits.sleep(pauseMs);
    const stop = await compareAll(reader, pending, comparisons);
    if (stop !== null) return stop;
    pending = pending.filter((item) => comparisons.get(item) === 'DIFFERS');
  }
  return items.map((item) => ({ index: item.index, outcome: outcomeOf(item, comparisons.get(item)) }));
}

/** Lists tell all but texts and versions, for many articles at once. */
async function compareAll(
  reader: ArticleReader,
  items: readonly UnknownItem[],
  comparisons: Comparisons,
): Promise<'unauthenticated' | null> {
  const pinned = items.filter(({ update }) => update.versionNumber != null);
  const listed = items.filter(({ update }) => update.versionNumber == null);
  const articles = await reader.read(listed.map(({ update }) => withoutTexts(update)));
  if (typeof articles === 'string') return articles;
  const singles: SingleRead[] = pinned.map((item) => ({ item, update: item.update }));
  for (const [position, item] of listed.entries()) {
    const article = articles[position] ?? null;
    const comparison = compareListed(article, item);
    if (comparison !== null) comparisons.set(item, comparison);
    // The language is known now, and needs no further call.
    else singles.push({ item, update: { ...item.update, languageCode: article?.languageCode } });
  }
  return compareSingles(reader, singles, comparisons);
}

interface SingleRead {
  readonly item: UnknownItem;
  readonly update: ArticleUpdate;
}

async function compareSingles(
  reader: ArticleReader,
  singles: readonly SingleRead[],
  comparisons: Comparisons,
): Promise<'unauthenticated' | null> {
  for (let start = 0; start < singles.length; start += SINGLE_READS) {
    const group = singles.slice(start, start + SINGLE_READS);
    const articles: ReadArticles = await reader.read(group.map(({ update }) => update));
    if (typeof articles === 'string') return articles;
    for (const [position, { item }] of group.entries())
      comparisons.set(item, compareWithUpdate(articles[position] ?? null, item.update));
  }
  return null;
}

/** Null where only a read of the article itself can tell. */
function compareListed(article: Article | null, { update, begunAt }: UnknownItem): Comparison | null {
  const comparison = compareWithUpdate(article, withoutTexts(update));
  if (article === null || comparison === 'DIFFERS' || !hasTexts(update)) return comparison;
  if (article.content !== undefined || article.htmlContent !== undefined) return compareWithUpdate(article, update);
  const { modifiedAt } = article;
  const mayHaveMoved = modifiedAt === null || modifiedAt.getTime() >= begunAt - CLOCK_MARGIN_MS;
  return mayHaveMoved ? null : 'DIFFERS';
}

function outcomeOf({ update: { articleId } }: UnknownItem, comparison: Comparison = 'NOT_READABLE'): ArticleOutcome {
  if (comparison === 'AS_ASKED') return { kind: 'updated', articleId, details: SEEN, evidence: 'READ_BACK' };
  return { kind: 'unknown', articleId, details: DETAILS[comparison], readBack: comparison };
}

const SEEN = 'No answer told the outcome, but the article was read, and is as it was asked to be.';

const DETAILS = {
  DIFFERS: 'The outcome is unknown: no answer told it, and the article was read and differs from what was asked for.',
  NOT_READABLE: 'The outcome is unknown: no answer told it, and the article could not be read, or not all of it.',
} as const satisfies Record<Exclude<Comparison, 'AS_ASKED'>, string>;

/** The finding of a comparison between an article that was read and an update of it. */
type Comparison = 'AS_ASKED' | Exclude<ReadBack, 'NOT_TRIED'>;

/**
 * Compares all that the update sets. Null is compared as well: the service does not tell what it makes of it. Where the
 * update sets what no read tells, it remains unknown whether all was applied, whatever else is seen.
 *
 * @internal Exported for tests.
 */
export function compareWithUpdate(article: Article | null, update: ArticleUpdate): Comparison {
  if (article === null || !isReadable(update)) return 'NOT_READABLE';
  const members = compareMembers(article, update).filter(({ asked }) => asked !== undefined);
  if (members.some(({ seen, asked }) => seen !== undefined && !isSameValue(seen, asked))) return 'DIFFERS';
  return members.some(({ seen }) => seen === undefined) ? 'NOT_READABLE' : 'AS_ASKED';
}
