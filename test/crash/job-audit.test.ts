import { describe, expect, it } from 'vitest';
import type { ArticleUpdate } from '../../src/core/articles/bulk-updates.ts';
import { auditJob, type JobAudit } from '../support/jobs/job-audit.ts';
import type { JobResult } from '../support/jobs/job-client.ts';
import { publicationKeyOf, type RecordedItem } from '../support/jobs/recording-service.ts';
import { articleIdOf, createServiceArticles } from '../support/jobs/service-articles.ts';

const update: ArticleUpdate = { articleId: articleIdOf(0), title: 'One', hidden: true };
const answered: RecordedItem = { title: 'One', put: 1, fate: 'answer', effect: 'whole', wasAnswered: true };
const cut: RecordedItem = { ...answered, fate: 'cut-after', wasAnswered: false };

const NO_COUNTS = { pending: 0, updated: 0, failed: 0, unknown: 0, notAttempted: 0 };

const COUNT_OF: Readonly<Record<string, keyof typeof NO_COUNTS>> = {
  ArticleUpdated: 'updated',
  ArticleUpdateFailed: 'failed',
  ArticleUpdateUnknown: 'unknown',
  ArticleUpdateNotAttempted: 'notAttempted',
};

const resultOf = (__typename: string, more: Partial<JobResult> = {}): JobResult => ({
  __typename,
  index: 0,
  articleId: update.articleId,
  details: null,
  ...more,
});

interface Case {
  readonly result: JobResult;
  readonly received: readonly RecordedItem[];
  /** The update as the service applied it; nothing was applied without it. */
  readonly applied?: ArticleUpdate;
  readonly wasRead?: boolean;
  /** How often the service got the version that the update made to be published; absent where the job publishes nothing. */
  readonly publications?: number;
}

/** Audits a job of one item. */
function audit({ result, received, applied, wasRead = false, publications: times }: Case): JobAudit {
  const articles = createServiceArticles(1);
  if (applied) articles.apply(applied);
  if (wasRead) articles.readArticle(update.articleId);
  const summary = { ...NO_COUNTS, total: 1, [COUNT_OF[result.__typename] ?? 'pending']: 1 };
  const job = { id: 'job', state: 'COMPLETED' as const, done: true, waitingFor: null, summary };
  const publications = new Map(times ? [[publicationKeyOf(update.articleId, 2), times]] : []);
  const ended = { job, articles: [update], results: [result], publishes: times !== undefined };
  return auditJob({ ledger: new Map([['One', received]]), articles, publications }, ended);
}

const byAnswer = resultOf('ArticleUpdated', { evidence: 'ANSWER' });
const byReading = resultOf('ArticleUpdated', { evidence: 'READ_BACK' });

describe('the audit of a job', () => {
  it('finds no fault in outcomes that the service confirms', () => {
    const sound = { sentTwice: [], contradicted: [], outOfOrder: [], miscounted: [] };
    expect(audit({ result: byAnswer, received: [answered], applied: update })).toMatchObject(sound);
    expect(audit({ result: byReading, received: [cut], applied: update, wasRead: true })).toMatchObject({
      ...sound,
      counts: { lostAnswers: 1, resolved: 1, unknown: 0 },
    });
    const unknown = resultOf('ArticleUpdateUnknown', { readBack: 'DIFFERS' });
    expect(audit({ result: unknown, received: [cut], applied: update })).toMatchObject({
      ...sound,
      counts: { lostAnswers: 1, resolved: 0, unknown: 1 },
    });
    expect(audit({ result: resultOf('ArticleUpdateNotAttempted'), received: [] })).toMatchObject(sound);
  });

  it('finds items that were sent twice', () => {
    expect(audit({ result: byAnswer, received: [answered, answered], applied: update }).sentTwice).toHaveLength(1);
  });

  it.each<readonly [what: string, contradiction: Case]>([
    ['updated by an answer that was not given', { result: byAnswer, received: [cut], applied: update }],
    ['updated, and never received', { result: byAnswer, received: [] }],
    ['read back, and no read has shown it', { result: byReading, received: [cut], applied: update }],
    [
      'read back, and applied in part',
      {
        result: byReading,
        received: [{ ...cut, effect: 'part' }],
        applied: { articleId: update.articleId, title: 'One' },
        wasRead: true,
      },
    ],
    ['failed, and applied', { result: resultOf('ArticleUpdateFailed'), received: [answered], applied: update }],
    ['failed, and nobody has said so', { result: resultOf('ArticleUpdateFailed'), received: [cut], applied: update }],
    ['not attempted, and received', { result: resultOf('ArticleUpdateNotAttempted'), received: [cut] }],
  ])('finds an item that is said to be %s', (_, contradiction) => {
    expect(audit(contradiction).contradicted).toHaveLength(1);
  });

  it('finds counts that differ from the results, and a job that has not ended', () => {
    const summary = { ...NO_COUNTS, total: 1, failed: 1 };
    const job = { id: 'job', state: 'RUNNING' as const, done: false, waitingFor: null, summary };
    const ledger = new Map([['One', [answered]]]);
    const service = { ledger, articles: createServiceArticles(1), publications: new Map() };
    expect(auditJob(service, { job, articles: [update], results: [byAnswer] }).miscounted).toHaveLength(2);
    expect(auditJob(service, { job, articles: [update], results: [] }).miscounted).toHaveLength(3);
  });

  it('finds a later item of an article that was sent before an earlier one', () => {
    const second: ArticleUpdate = { articleId: update.articleId, title: 'Two' };
    const ledger = new Map([
      ['One', [{ ...answered, put: 2 }]],
      ['Two', [{ ...answered, title: 'Two', put: 1 }]],
    ]);
    const job = { id: 'job', state: 'COMPLETED' as const, done: true, waitingFor: null };
    const results = [byAnswer, { ...byAnswer, index: 1 }];
    const ended = {
      job: { ...job, summary: { ...NO_COUNTS, total: 2, updated: 2 } },
      articles: [update, second],
      results,
    };
    expect(
      auditJob({ ledger, articles: createServiceArticles(1), publications: new Map() }, ended).outOfOrder,
    ).toHaveLength(1);
  });

  it('finds publications that the service contradicts, and those that were sent twice', () => {
    const published = (publication: string | null, publications: number) =>
      audit({ result: { ...byAnswer, publication }, received: [answered], applied: update, publications });
    for (const [publication, times] of [
      ['PUBLISHED', 1],
      ['UNKNOWN', 0],
      ['UNKNOWN', 1],
      ['NOT_ATTEMPTED', 0],
    ] as const)
      expect(published(publication, times)).toMatchObject({ sentTwice: [], contradicted: [] });
    for (const [publication, times] of [
      ['PUBLISHED', 0],
      ['NOT_ATTEMPTED', 1],
      ['FAILED', 1],
      [null, 1],
    ] as const)
      expect(published(publication, times).contradicted).toHaveLength(1);
    expect(published('PUBLISHED', 2).sentTwice).toHaveLength(1);
  });
});
