import { type ArticleOutcome, notAttemptedAfter, type ReadBack } from '../../core/articles/article-outcomes.ts';
import type { Article } from '../../core/articles/articles.ts';
import {
  type ArticleUpdate,
  compareMembers,
  isReadable,
  isStoredAs,
  setsUnlisted,
  withoutUnlisted,
} from '../../core/articles/bulk-updates.ts';
import { RequestSummary } from '../../core/callers/request-report.ts';
import { type ClaimedJob, type JobSettings, jobCaller } from '../job-context.ts';
import type { IndexedOutcome, LedgerItem, UnknownItem } from '../state/ledger.ts';
import type { JobKind, ReadArticles, ReadChunk } from './job-kind.ts';
import { GO_ON, nextStepAfterError, sentChunkOf } from './sent-chunks.ts';

/** The articles that are read one by one together. */
const SINGLE_READS = 10;

/** Updates of articles of which no snapshot is kept. It compares nothing. */
export const createUpdates = (job: ClaimedJob): JobKind => ({
  phase: 'update',
  maxItems: job.context.settings.bulkSize,
  endsAfterUnknown: true,
  comparesRevisions: true,
  copyItems: null,
  readBefore: job.context.settings.keepsHidden ? (items) => reserveReads(job, items) : null,
  compare: null,
  send: async (items, call) => {
    const updates = items.map(({ update, fork }) => ({
      ...update,
      ...(fork?.draftVersionNumber !== undefined && { isForked: true }),
    }));
    const summary = new RequestSummary();
    const result = await job.context.backend.bulkUpdateArticles({ ...jobCaller(job, summary), ...call }, updates);
    return { ...sentChunkOf(items, result), period: summary.writePeriod };
  },
  report: ({ index }, outcome) => ({ index, outcome }),
  note: null,
  readBack: readBackUpdates,
});

/** The most calls of a chunk with the reads that it needs, as a rule: the project versions and a category tree. */
const CALLS_WITH_READS = 3;

/** The settings that decide how many calls a job takes. */
export type CallSettings = Pick<JobSettings, 'bulkSize' | 'keepsHidden'>;

/** The calls that so many items take. */
export const callsOfUpdates = (items: number, { bulkSize, keepsHidden }: CallSettings): number =>
  Math.ceil(items / bulkSize) * (keepsHidden ? CALLS_WITH_READS : 1);

/** Reserves the call of a chunk together with the reads that are a part of it; null where there are none. */
async function reserveReads(job: ClaimedJob, items: readonly LedgerItem[]): Promise<ReadChunk | null> {
  if (items.every(({ update }) => update.hidden !== undefined && update.ifRevision === undefined)) return null;
  const [first, ...others] = items;
  const isOneRead = others.length === 0 && first?.update.languageCode != null;
  const least = isOneRead ? 2 : CALLS_WITH_READS;
  const reserved = await job.context.backend.reserveCalls?.(jobCaller(job), { least, most: CALLS_WITH_READS });
  if (reserved?.ok !== false) return { items, reserved: reserved?.value, next: GO_ON };
  const { error } = reserved;
  if (error.kind !== 'too-costly') return { items: [], next: nextStepAfterError(error) };
  const outcome = notAttemptedAfter(error);
  const ended = items.map(({ index, update: { articleId } }) => ({ index, outcome: { ...outcome, articleId } }));
  return { items: [], ended, next: GO_ON };
}

/** Lists show all but texts and versions, for many articles at once. The others are read one by one. */
async function readBackUpdates(items: readonly UnknownItem[], read: ReadArticles): Promise<readonly IndexedOutcome[]> {
  const comparisons = new Map<number, Comparison>();
  const readable = items.filter(({ update }) => isReadable(update));
  const singles = readable.filter(({ update }) => update.versionNumber != null);
  const listed = readable.filter(({ update }) => update.versionNumber == null);
  const articles = await read(listed.map(({ update }) => withoutUnlisted(update)));
  for (const [position, item] of listed.entries()) {
    const article = articles[position] ?? null;
    const comparison = compareListed(article, item);
    if (comparison !== null) comparisons.set(item.index, asFarAsShown(article, comparison));
    // The language is known now, and needs no further call.
    else singles.push({ ...item, update: { ...item.update, languageCode: article?.languageCode } });
  }
  for (let start = 0; start < singles.length; start += SINGLE_READS) {
    const group = singles.slice(start, start + SINGLE_READS);
    const single = await read(group.map(({ update }) => update));
    for (const [position, { index, update }] of group.entries()) {
      const article = single[position] ?? null;
      comparisons.set(index, asFarAsShown(article, compareWithUpdate(article, update)));
    }
  }
  return items.map((item) => ({ index: item.index, outcome: outcomeOf(item, comparisons.get(item.index)) }));
}

/** The finding of a comparison between an article that was read and an update of it. */
type Comparison = 'AS_ASKED' | Exclude<ReadBack, 'NOT_TRIED'>;

/** An article that is as asked may be an old one, where the read does not show another write of the gateway. */
const asFarAsShown = (article: Article | null, comparison: Comparison): Comparison =>
  comparison === 'AS_ASKED' && article?.unshown !== undefined ? 'DIFFERS' : comparison;

/** Null where only a read of the article itself can show it. */
function compareListed(article: Article | null, { update }: UnknownItem): Comparison | null {
  const comparison = compareWithUpdate(article, withoutUnlisted(update));
  if (article === null || comparison === 'DIFFERS' || !setsUnlisted(update)) return comparison;
  const hasText = article.content !== undefined || article.htmlContent !== undefined;
  return hasText ? compareWithUpdate(article, update) : null;
}

function outcomeOf({ update: { articleId } }: UnknownItem, comparison: Comparison = 'NOT_READABLE'): ArticleOutcome {
  if (comparison === 'AS_ASKED') return { kind: 'updated', articleId, details: SEEN, evidence: 'READ_BACK' };
  return { kind: 'unknown', articleId, details: DETAILS[comparison], readBack: comparison };
}

const SEEN = 'No answer reported the outcome, but the article was read, and is as it was asked to be.';

const DETAILS = {
  DIFFERS:
    'The outcome is unknown: no answer reported it, and the article was read and differs from what was asked for.',
  NOT_READABLE: 'The outcome is unknown: no answer reported it, and the article could not be read, or not all of it.',
} as const satisfies Record<Exclude<Comparison, 'AS_ASKED'>, string>;

/**
 * Compares all that the update sets, as the service may have stored it. Null is compared as well, since the service does not
 * document what it makes of it. An update that sets what no read shows is not readable, whatever else is seen.
 *
 * @internal Exported for tests.
 */
export function compareWithUpdate(article: Article | null, update: ArticleUpdate): Comparison {
  if (article === null || !isReadable(update)) return 'NOT_READABLE';
  const members = compareMembers(article, update).filter(({ asked }) => asked !== undefined);
  const differs = members.some(
    ({ field, seen, asked }) => seen !== undefined && !isStoredAs(field ?? 'htmlContent', seen, asked),
  );
  if (differs) return 'DIFFERS';
  return members.some(({ seen }) => seen === undefined) ? 'NOT_READABLE' : 'AS_ASKED';
}
