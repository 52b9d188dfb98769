import { isDeepStrictEqual } from 'node:util';
import type { Publication } from '../../../src/core/articles/article-outcomes.ts';
import type { ArticleUpdateJob, JobItemOutcome } from '../../../src/core/articles/article-update-jobs.ts';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import { Client, PASSING_ERRORS } from './clients.ts';

/** Submits a job in parts, watches it to its end, resumes it where it is paused, and may cancel it. */
export class JobClient extends Client {
  /** The items in the order of the job. */
  items: readonly ArticleUpdate[] = [];
  publishes = false;
  /** What was told of the items of a job that publishes, by index. */
  publications: readonly {
    readonly index: number;
    readonly publication: Publication | undefined;
    readonly at: number;
  }[] = [];

  async run(): Promise<void> {
    const { time, random, report } = this.options;
    await time.sleep(random.between(0, 10_000));
    this.items = this.newItems(random.between(1, 40));
    this.publishes = random.chance(0.5);
    const jobId = await this.#submit();
    if (jobId === null) return;
    const cancelAfter = random.chance(0.15) ? random.between(1, 10) : Number.POSITIVE_INFINITY;
    const patience = time.now + (this.options.jobPatienceMs ?? 0);
    for (let poll = 1; time.now < patience; poll += 1) {
      if (poll === cancelAfter) await this.ask(({ jobs }, caller) => jobs.cancel(caller, jobId));
      const job = await this.ask(({ jobs }, caller) => jobs.find(caller, jobId));
      if (job?.ok && job.value === null) return report(`${this.name} was lost`);
      if (job?.ok && job.value !== null && job.value.endedAt !== null) return this.#readResults(job.value);
      if (job?.ok && job.value?.state === 'PAUSED') await this.ask(({ jobs }, caller) => jobs.resume(caller, jobId));
      await time.sleep(random.between(200, 3_000));
    }
    report(`${this.name} did not end`);
  }

  async #submit(): Promise<string | null> {
    const { random, report } = this.options;
    let jobId: string | null = null;
    for (let startIndex = 0; startIndex < this.items.length; ) {
      const updates = this.items.slice(startIndex, startIndex + random.between(1, 20));
      const moreToCome = startIndex + updates.length < this.items.length;
      const publication = this.publishes ? { userId: 'user', message: this.name } : undefined;
      const part = { idempotencyKey: this.name, startIndex, moreToCome, publication, updates };
      const submitted = await this.ask(({ jobs }, caller) => jobs.submit(caller, part));
      if (submitted?.ok) {
        if (jobId !== null && jobId !== submitted.value.job.jobId) report(`${this.name} became two jobs`);
        jobId = submitted.value.job.jobId;
        startIndex += updates.length;
      } else if (submitted && !PASSING_ERRORS.has(submitted.error.kind)) {
        report(`${this.name} was refused: ${submitted.error.message}`);
        return null;
      } else await this.options.time.sleep(random.between(100, 3_000));
    }
    return jobId;
  }

  async #readResults(job: ArticleUpdateJob): Promise<void> {
    const results: JobItemOutcome[] = [];
    for (let after: string | null = null; ; ) {
      const page = await this.ask(({ jobs }, caller) =>
        jobs.results(caller, job.jobId, { page: { limit: 7, after }, outcomes: null }),
      );
      if (!page?.ok) continue;
      results.push(...page.value.edges.map(({ node }) => node));
      after = page.value.edges.at(-1)?.cursor ?? null;
      if (!page.value.hasNextPage) break;
    }
    const outcomes = results.map(({ outcome }) => outcome);
    this.tell(this.items, outcomes);
    this.#checkResults(job, results);
    const at = this.options.time.now;
    if (!this.publishes) return;
    this.publications = results.flatMap(({ index, outcome }) =>
      outcome.kind === 'updated' ? [{ index, publication: outcome.publication, at }] : [],
    );
  }

  #checkResults({ counts }: ArticleUpdateJob, results: readonly JobItemOutcome[]): void {
    const { report } = this.options;
    const count = (kind: string) => results.filter(({ outcome }) => outcome.kind === kind).length;
    const listed = {
      total: results.length,
      pending: 0,
      updated: count('updated'),
      failed: count('failed'),
      unknown: count('unknown'),
      notAttempted: count('not-attempted'),
    };
    if (!isDeepStrictEqual(listed, { ...counts }) || results.length !== this.items.length) {
      report(`${this.name} counts ${JSON.stringify(counts)} and lists ${JSON.stringify(listed)}`);
    }
    for (const [position, { index, outcome }] of results.entries()) {
      if (index !== position) report(`${this.name} lists item ${index} at ${position}`);
      const isUnread = outcome.kind === 'unknown' && (outcome.readBack ?? 'NOT_TRIED') === 'NOT_TRIED';
      if (isUnread) report(`${this.name}.${index} was not read back`);
    }
  }
}
