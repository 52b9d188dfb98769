import { type ItemSnapshot, stateLeftBy } from '../../core/articles/article-reverts.ts';
import type { Article } from '../../core/articles/articles.ts';
import type { UpdateTarget } from '../../core/articles/bulk-updates.ts';
import { isLatest, stateLeftByPublication } from '../../core/articles/revisions.ts';
import { RequestSummary } from '../../core/callers/request-report.ts';
import type { ReservedCalls } from '../../core/rate-limit.ts';
import { type ClaimedJob, jobCaller } from '../job-context.ts';
import type { NotedItem } from '../state/ledger.ts';
import { readCurrentArticles } from './current-articles.ts';
import type { NoteMeans } from './job-kind.ts';
import type { SentChunk } from './sent-chunks.ts';

/**
 * Notes what the calls of one job have left of texts, so that a revert knows them again whatever the service has made of
 * what was sent. What can't be read at once is not noted, and a revert compares its members.
 */
export class NotedTexts {
  readonly #job: ClaimedJob;
  /** False once a read has shown no time of any article. */
  #areTimesShown = true;

  constructor(job: ClaimedJob) {
    this.#job = job;
  }

  /** Notes the updated items of a chunk, of which snapshots were kept. */
  async ofUpdates({ ended, period = null }: SentChunk, { snapshots, reserved }: NoteMeans) {
    if (period === null) return [];
    const updated = ended.flatMap(({ item: { index }, outcome }) => {
      const snapshot = snapshots?.get(index);
      return outcome.kind === 'updated' && snapshot?.image && isLatest(snapshot.image) ? [{ index, snapshot }] : [];
    });
    const articles = await this.#read(
      updated.map(({ snapshot }) => textOf(snapshot)),
      reserved,
    );
    return updated.flatMap(({ index, snapshot }, position): readonly NotedItem[] => {
      const noted = stateLeftBy(snapshot, articles[position] ?? null, period);
      return noted === null ? [] : [{ index, noted, snapshot }];
    });
  }

  /** Notes the published items of a chunk whose updates were noted. */
  async ofPublications({ ended, period = null }: SentChunk, { reserved }: NoteMeans) {
    const published = ended.flatMap(({ item: { index, update, noted }, outcome }) =>
      outcome.kind === 'updated' && noted !== undefined ? [{ index, update, noted }] : [],
    );
    const articles = await this.#read(
      published.map(({ update: { articleId, languageCode } }) => ({ articleId, languageCode })),
      reserved,
    );
    return published.flatMap(({ index, noted: before }, position): readonly NotedItem[] => {
      const article = articles[position] ?? null;
      const noted = article && stateLeftByPublication(before, article, period);
      return noted === null ? [] : [{ index, noted, snapshot: null }];
    });
  }

  /** The texts as lists show them, where there are any; empty where they can't be read now. */
  async #read(
    updates: readonly UpdateTarget[],
    reserved: ReservedCalls | undefined,
  ): Promise<readonly (Article | null)[]> {
    const { context, projectVersions, signal } = this.#job;
    if (updates.length === 0 || !this.#areTimesShown || signal.aborted) return [];
    const summary = new RequestSummary();
    const caller = { ...jobCaller(this.#job, summary), reserved };
    const selection = { projectVersions, onlyLists: true };
    const { result } = await readCurrentArticles(context, { caller, summary, updates, selection });
    if (!result.ok) return [];
    const found = result.value.filter((article) => article !== null);
    this.#areTimesShown = found.length === 0 || found.some(({ modifiedAt }) => modifiedAt !== null);
    return result.value;
  }
}

const textOf = ({ update: { articleId }, image }: ItemSnapshot): UpdateTarget => ({
  articleId,
  languageCode: image?.languageCode,
});
