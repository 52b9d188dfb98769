import { isDeepStrictEqual } from 'node:util';
import type { ArticleUpdate } from '../../../src/domain/articles/bulk-updates.ts';
import type { JobResult, PolledJob } from './job-client.ts';
import type { RecordedItem, RecordingService } from './recording-service.ts';

/** A job as its client knows it at its end. */
export interface EndedJob {
  readonly job: PolledJob;
  readonly articles: readonly ArticleUpdate[];
  readonly results: readonly JobResult[];
}

/** The knowledge of a service about the items that it got. */
type ServiceRecord = Pick<RecordingService, 'ledger' | 'articles'>;

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
  /** Items without an answer that the gateway recorded, whose articles are as they asked for at the end. */
  readonly lostAnswers: number;
  /** Those among them that became updated. */
  readonly resolved: number;
  readonly unknown: number;
}

const NOTHING: JobAudit = {
  sentTwice: [],
  contradicted: [],
  outOfOrder: [],
  miscounted: [],
  counts: { items: 0, lostAnswers: 0, resolved: 0, unknown: 0 },
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
        unknown: all.counts.unknown + counts.unknown,
      },
    }),
    NOTHING,
  );

export function auditJob(service: ServiceRecord, ended: EndedJob): JobAudit {
  const items = itemsOf(service, ended);
  const lost = items.filter(({ result, isThere }) => isThere && result?.evidence !== 'ANSWER');
  return {
    sentTwice: items.flatMap(({ update, times }) => (times > 1 ? [`${update.title}: ${times} times`] : [])),
    contradicted: items.flatMap((item) => contradictionOf(service, item) ?? []),
    outOfOrder: outOfOrder(items),
    miscounted: miscounts(ended),
    counts: {
      items: items.length,
      lostAnswers: lost.length,
      resolved: lost.filter(({ result }) => result?.__typename === 'ArticleUpdated').length,
      unknown: items.filter(({ result }) => result?.__typename === 'ArticleUpdateUnknown').length,
    },
  };
}

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
function contradictionOf({ articles }: ServiceRecord, { update, result, received }: AuditedItem): string | null {
  const because = (what: string) => `${update.title}: ${JSON.stringify(result)}, but ${what}: ${received?.fate}`;
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
