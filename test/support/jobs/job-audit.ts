import { isDeepStrictEqual } from 'node:util';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import type { JobResult, PolledJob } from './job-client.ts';
import { publicationKeyOf, type RecordedItem, type RecordingService } from './recording-service.ts';

/** A job as its client knows it at its end. */
export interface EndedJob {
  readonly job: PolledJob;
  readonly articles: readonly ArticleUpdate[];
  readonly results: readonly JobResult[];
  readonly publishes?: boolean;
}

/** The knowledge of a service about the items that it got. */
type ServiceRecord = Pick<RecordingService, 'ledger' | 'articles' | 'publications'>;

/** A job's results beside the ledger of the service. Each list must be empty. */
export interface JobAudit {
  /** Items that were sent twice, a PUT that was refused for the rate limit left out. */
  readonly sentTwice: readonly string[];
  /** Outcomes that the ledger contradicts. */
  readonly contradicted: readonly string[];
  /** Items that were sent before an earlier item of the same article. */
  readonly outOfOrder: readonly string[];
  /** Counts that differ from the results, and results that are missing. */
  readonly miscounted: readonly string[];
  readonly counts: AuditCounts;
}

export interface AuditCounts {
  readonly items: number;
  /**
   * Items without an answer that the gateway recorded, whose articles are as they asked for at the end. Articles of two such
   * items are left out: a read may be older than the other one, so these may remain unknown.
   */
  readonly lostAnswers: number;
  /** Those among them that became updated. */
  readonly resolved: number;
  readonly unknown: number;
  /** Items that the job told to be published. */
  readonly published: number;
}

const NOTHING: JobAudit = {
  sentTwice: [],
  contradicted: [],
  outOfOrder: [],
  miscounted: [],
  counts: { items: 0, lostAnswers: 0, resolved: 0, unknown: 0, published: 0 },
};

export const joinAudits = (audits: readonly JobAudit[]): JobAudit =>
  audits.reduce(
    (all, { sentTwice, contradicted, outOfOrder, miscounted, counts }) => ({
      sentTwice: [...all.sentTwice, ...sentTwice],
      contradicted: [...all.contradicted, ...contradicted],
      outOfOrder: [...all.outOfOrder, ...outOfOrder],
      miscounted: [...all.miscounted, ...miscounted],
      counts: {
        items: all.counts.items + counts.items,
        lostAnswers: all.counts.lostAnswers + counts.lostAnswers,
        resolved: all.counts.resolved + counts.resolved,
        published: all.counts.published + counts.published,
        unknown: all.counts.unknown + counts.unknown,
      },
    }),
    NOTHING,
  );

export function auditJob(service: ServiceRecord, ended: EndedJob): JobAudit {
  const items = itemsOf(service, ended);
  const lost = items.filter((item) => item.isThere && isWithoutAnswer(item) && !hasAnotherWithoutAnswer(items, item));
  return {
    sentTwice: [
      ...items.flatMap(({ update, times }) => (times > 1 ? [`${update.title}: ${times} times`] : [])),
      ...items.flatMap((item) => (publicationsOf(service, item) > 1 ? [`${item.update.title}: published again`] : [])),
    ],
    contradicted: items.flatMap((item) => [
      ...(contradictionOf(service, item) ?? []),
      ...(publicationContradictionOf(service, item, ended) ?? []),
    ]),
    outOfOrder: outOfOrder(items),
    miscounted: miscounts(ended),
    counts: {
      items: items.length,
      lostAnswers: lost.length,
      resolved: lost.filter(({ result }) => result?.__typename === 'ArticleUpdated').length,
      published: items.filter(({ result }) => result?.publication === 'PUBLISHED').length,
      unknown: items.filter(({ result }) => result?.__typename === 'ArticleUpdateUnknown').length,
    },
  };
}

const isWithoutAnswer = ({ result, times }: AuditedItem): boolean =>
  times > 0 && result?.evidence !== 'ANSWER' && result?.__typename !== 'ArticleUpdateFailed';

const hasAnotherWithoutAnswer = (items: readonly AuditedItem[], item: AuditedItem): boolean =>
  items.some((other) => other !== item && other.update.articleId === item.update.articleId && isWithoutAnswer(other));

interface AuditedItem {
  readonly update: ArticleUpdate;
  readonly result: JobResult | undefined;
  readonly received: RecordedItem | undefined;
  /** How often the service got the item. */
  readonly times: number;
  /** True where the article is still as the item asked for. */
  readonly isThere: boolean;
}

function itemsOf({ ledger, articles }: ServiceRecord, { articles: updates, results }: EndedJob) {
  const resultOf = new Map(results.map((result) => [result.index, result]));
  return updates.map((update, index): AuditedItem => {
    const entries = ledger.get(update.title ?? '') ?? [];
    return {
      update,
      result: resultOf.get(index),
      received: entries[0],
      times: entries.length,
      isThere: entries[0]?.effect === 'whole' && articles.isAs(update),
    };
  });
}

/** Null where the ledger has what the outcome says. An unknown outcome says nothing that could be wrong. */
function contradictionOf({ articles }: ServiceRecord, { update, result, received }: AuditedItem): string[] | null {
  const because = (what: string) => [`${update.title}: ${JSON.stringify(result)}, but ${what}: ${received?.fate}`];
  switch (result?.__typename) {
    case undefined:
      return because('the job has ended');
    case 'ArticleUpdated':
      if (received?.effect !== 'whole') return because('the service did not apply all of it');
      if (result.evidence === 'READ_BACK') return articles.wasSeenAs(update) ? null : because('no read has shown it');
      return received.wasAnswered ? null : because('the service did not say so');
    case 'ArticleUpdateFailed':
      return received?.wasAnswered && received.effect === 'none' ? null : because('the service did not say so');
    case 'ArticleUpdateNotAttempted':
      return received ? because('the service got it') : null;
    default:
      return null;
  }
}

/** How often the version that the item has made was to be published. */
function publicationsOf({ articles, publications }: ServiceRecord, { update }: AuditedItem): number {
  const versionNumber = articles.versionOf(update.articleId, update.title ?? '');
  return versionNumber === null ? 0 : (publications.get(publicationKeyOf(update.articleId, versionNumber)) ?? 0);
}

/** Null where the service published what the job told so. Later items of an article publish what was there before, too. */
function publicationContradictionOf(
  service: ServiceRecord,
  item: AuditedItem,
  { publishes = false, articles }: EndedJob,
): string[] | null {
  const { update, result } = item;
  const because = (what: string) => [`${update.title}: ${JSON.stringify(result)}, but ${what}`];
  if (result?.__typename !== 'ArticleUpdated') return publicationsOf(service, item) > 0 ? because('it was sent') : null;
  if (!publishes) return result.publication == null ? null : because('the job publishes nothing');
  if (result.publication === 'UNKNOWN') return null;
  if (result.publication === 'NOT_ATTEMPTED') return publicationsOf(service, item) > 0 ? because('it was sent') : null;
  const same = articles.filter(({ articleId }) => articleId === update.articleId);
  const isPublished = same.some((other) => publicationsOf(service, { ...item, update: other }) > 0);
  return result.publication === 'PUBLISHED' && isPublished ? null : because('the service did not do so');
}

function outOfOrder(items: readonly AuditedItem[]): readonly string[] {
  const lastPut = new Map<string, number>();
  return items.flatMap(({ update, received }) => {
    if (received === undefined) return [];
    const earlier = lastPut.get(update.articleId) ?? 0;
    lastPut.set(update.articleId, Math.max(earlier, received.put));
    return received.put <= earlier ? [`${update.title}: PUT ${received.put}, an earlier item PUT ${earlier}`] : [];
  });
}

function miscounts({ job, articles, results }: EndedJob): readonly string[] {
  const count = (type: string) => results.filter(({ __typename }) => __typename === type).length;
  const expected: PolledJob['summary'] = {
    total: articles.length,
    pending: 0,
    updated: count('ArticleUpdated'),
    failed: count('ArticleUpdateFailed'),
    unknown: count('ArticleUpdateUnknown'),
    notAttempted: count('ArticleUpdateNotAttempted'),
  };
  const inOrder = results.every(({ index }, position) => index === position) && results.length === articles.length;
  return [
    ...(job.done ? [] : [`The job ${job.id} has not ended: ${JSON.stringify(job)}`]),
    ...(isDeepStrictEqual({ ...job.summary }, expected) ? [] : [countsDiffer(job, expected)]),
    ...(inOrder ? [] : [`The job ${job.id} has ${results.length} results of ${articles.length}, or in another order.`]),
  ];
}

const countsDiffer = ({ id, summary }: PolledJob, expected: PolledJob['summary']): string =>
  `The job ${id} counts ${JSON.stringify(summary)}, its results ${JSON.stringify(expected)}`;
