import { MAX_JOB_NAME } from '../base/limits.ts';
import { idProblem, textProblem } from '../base/text.ts';
import type { OutcomeCounts } from '../callers/request-report.ts';
import { type Validation, validateField } from '../errors.ts';
import type { ArticleOutcome } from './article-outcomes.ts';
import type { IndexedTarget, KeepBefore } from './article-reverts.ts';
import type { Article } from './articles.ts';
import {
  type ArticleUpdate,
  type ArticleUpdateDraft,
  isReadable,
  type UpdateTarget,
  validateArticleUpdates,
} from './bulk-updates.ts';
import { type IfPublished, type JobRule, jobRuleOf, validateIfPublished } from './forks.ts';
import { MAX_PUBLISHED_VERSION, messageProblem } from './publications.ts';

/** The states of a job. Open: further parts may come. Expired: it was open for too long, and nothing was sent. */
export type JobState = 'OPEN' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED';

/** The reason why a running job sends nothing at present. */
export type JobWait = 'RATE_LIMIT' | 'SERVICE';

export type ItemOutcome = 'UPDATED' | 'FAILED' | 'UNKNOWN' | 'NOT_ATTEMPTED';

/** The numbers of items by their outcomes. */
export interface JobCounts extends Readonly<OutcomeCounts> {
  readonly total: number;
  /** The number of items without an outcome. */
  readonly pending: number;
}

/** A bulk update of any size, which continues without the request that submitted it. */
export interface ArticleUpdateJob {
  readonly jobId: string;
  /** The name that its caller gave it, for people; null where it has none. */
  readonly name: string | null;
  readonly state: JobState;
  /** The reason why it waits; null while it does not wait. */
  readonly waitingFor: JobWait | null;
  readonly counts: JobCounts;
  readonly createdAt: Date;
  readonly estimatedEndAt: Date | null;
  /** The time of its end; null while it has items without an outcome. */
  readonly endedAt: Date | null;
  /** True where a revert may restore values: the job has ended, and kept snapshots. */
  readonly isRevertible: boolean;
  readonly revertOfId: string | null;
  /** The calls to the service for its pending items, including reads of snapshots. */
  readonly estimatedCalls: number | null;
}

/** The numbers of items of a job that may have changed an article. */
export interface RevertSummary {
  readonly total: number;
  readonly restorable: number;
  readonly notRestorable: number;
}

/** What a revert of a job would do. */
export interface RevertPreview {
  readonly jobId: string;
  readonly summary: RevertSummary;
}

/** The effect of a revert on one text, with its current article. */
export interface PreviewedRevertItem {
  /** The job that is put back. */
  readonly jobId: string;
  readonly target: IndexedTarget;
  readonly now: Article | null;
}

/** A request to restore what a job has changed. */
export interface RevertRequest {
  readonly jobId: string;
  readonly idempotencyKey: string;
  readonly publication?: JobPublication | undefined;
  /** Absent where published versions are changed as they are. */
  readonly ifPublished?: JobRule | undefined;
}

/** The publication of a job: each article is published once it is updated, in the version that the update wrote. */
export interface JobPublication {
  /** The team account that publishes. */
  readonly userId: string;
  readonly message: string | null;
}

export interface JobItemOutcome {
  /** The position of the item in the job, from 0. */
  readonly index: number;
  readonly outcome: ArticleOutcome;
  /** Identifies the text that the item was to change. Texts are not kept. */
  readonly target: UpdateTarget;
}

/** Items of a job that were submitted together. */
export interface JobPart {
  /** The key that identifies the job among those of its caller. */
  readonly idempotencyKey: string;
  /** The position of the first item in the job. */
  readonly startIndex: number;
  /** True where further parts follow, so that nothing is sent yet. */
  readonly moreToCome: boolean;
  /** The name of the job, which is the same in all parts. Absent where it has none. */
  readonly name?: string | undefined;
  /** The publication, which is the same in all parts of a job. Absent where nothing is published. */
  readonly publication?: JobPublication | undefined;
  /** Whether snapshots are kept, which is the same in all parts of a job. Absent means never. */
  readonly keepBefore?: KeepBefore | undefined;
  /** What becomes of updates of published versions, which is the same in all parts of a job. Absent where they are sent as they are. */
  readonly ifPublished?: JobRule | undefined;
  readonly updates: readonly ArticleUpdate[];
}

/** A part of a job as the caller sent it, before validation. */
interface JobPartDraft {
  readonly name?: string | null | undefined;
  readonly articles: readonly ArticleUpdateDraft[];
  readonly startIndex: number;
  readonly moreToCome: boolean;
  readonly publish: boolean;
  readonly userId?: string | null | undefined;
  readonly publishMessage?: string | null | undefined;
  readonly keepBefore: KeepBefore;
  readonly ifPublished: IfPublished;
}

/** Checks a part. Only a part that closes a job may have no items. Issues have the positions in the whole job. */
export function* validateJobPart(draft: JobPartDraft, maxItems: number): Validation<Omit<JobPart, 'idempotencyKey'>> {
  const { articles, startIndex, moreToCome } = draft;
  if (startIndex < 0) yield { path: ['startIndex'], message: `startIndex must be 0 or more; it is ${startIndex}.` };
  const name = draft.name?.trim();
  if (name !== undefined) yield* validateField('name', nameProblem(name));
  const onlyCloses = articles.length === 0 && startIndex > 0 && !moreToCome;
  const updates = onlyCloses ? [] : yield* validateArticleUpdates(articles, maxItems, Math.max(0, startIndex));
  const publication = draft.publish ? yield* validatePublication(draft) : yield* refusePublication(draft);
  if (publication !== undefined && articles.length <= maxItems)
    yield* validateVersions(articles, Math.max(0, startIndex));
  if (draft.keepBefore === 'ALWAYS' && articles.length <= maxItems)
    yield* validateReadable(updates, Math.max(0, startIndex));
  const { ifPublished: kind, userId } = draft;
  const hasNoRule = kind === 'UPDATE' || (draft.publish && userId == null);
  const rule = hasNoRule ? undefined : yield* validateIfPublished(kind, userId);
  const ifPublished = jobRuleOf(rule);
  return { startIndex, moreToCome, name, publication, keepBefore: draft.keepBefore, ifPublished, updates };
}

/** The problem of a trimmed name; null where there is none. */
function nameProblem(name: string): string | null {
  if (name === '' || name.length > MAX_JOB_NAME) return `must have 1 to ${MAX_JOB_NAME} characters`;
  return /\p{Cc}/u.test(name) ? 'must have no control characters' : textProblem(name);
}

/** Issues have the positions among the valid updates, which are the positions among all where these are sent. */
function* validateReadable(updates: readonly ArticleUpdate[], startIndex: number): Validation<void> {
  for (const [index, update] of updates.entries())
    if (!isReadable(update))
      yield { path: ['articles', `${startIndex + index}`, 'source'], message: SOURCE_NOT_READABLE };
}

const SOURCE_NOT_READABLE = 'source cannot be read, so keepBefore ALWAYS refuses it; WHERE_POSSIBLE sends it.';

/** Checks how a revert publishes what it restores. */
export function* validateRevert(draft: RevertDraft): Validation<Pick<RevertRequest, 'publication' | 'ifPublished'>> {
  const validation = draft.publish ? validatePublication(draft) : refusePublication(draft);
  let step = validation.next();
  for (; !step.done; step = validation.next()) yield { ...step.value, argument: step.value.path[0], path: [] };
  const { ifPublished: kind, userId = null } = draft;
  return { publication: step.value, ifPublished: kind === 'UPDATE' ? undefined : { kind, userId } };
}

type PublicationDraft = Pick<JobPartDraft, 'userId' | 'publishMessage' | 'ifPublished'>;

type RevertDraft = PublicationDraft & Pick<JobPartDraft, 'publish'>;

function* validatePublication({
  userId,
  publishMessage: message = null,
}: PublicationDraft): Validation<JobPublication> {
  const problem = userId == null ? 'is needed where publish is true' : idProblem(userId);
  if (problem !== null) yield { path: ['userId'], message: `userId ${problem}.` };
  const reason = messageProblem(message);
  if (reason !== null) yield { path: ['publishMessage'], message: `publishMessage ${reason}.` };
  return { userId: userId ?? '', message };
}

function* refusePublication({ ifPublished, userId, publishMessage }: PublicationDraft): Validation<undefined> {
  for (const [name, value] of Object.entries({ userId: ifPublished === 'FORK' ? null : userId, publishMessage }))
    if (value != null)
      yield {
        path: [name],
        message: `${name} is of a job that publishes${name === 'userId' ? ' or forks' : ''}: set publish to true.`,
      };
  return undefined;
}

function* validateVersions(articles: readonly ArticleUpdateDraft[], startIndex: number): Validation<void> {
  for (const [index, { versionNumber }] of articles.entries())
    if (versionNumber != null && versionNumber > MAX_PUBLISHED_VERSION)
      yield {
        path: ['articles', `${startIndex + index}`, 'versionNumber'],
        message: `versionNumber must be at most ${MAX_PUBLISHED_VERSION} where the article is published.`,
      };
}

/** Visible ASCII characters, since a key is also used in URLs, headers and logs of clients. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/u;

/** Checks the key of a write, and then its input. */
export function* validateKeyed<T>(idempotencyKey: string, validation: Validation<T>): Validation<T> {
  if (!IDEMPOTENCY_KEY.test(idempotencyKey)) {
    const message = 'idempotencyKey must have 1 to 255 visible ASCII characters, without spaces.';
    yield { argument: 'idempotencyKey', path: [], message };
  }
  return yield* validation;
}
