import { idProblem } from '../base/text.ts';
import { type Validation, validateField } from '../errors.ts';
import type { ArticleOutcome, NotAttempted, SharedOutcome } from './article-outcomes.ts';
import type { Article } from './articles.ts';
import { type ArticleUpdate, changesVersion, type UpdateTarget } from './bulk-updates.ts';

/** What becomes of an update of a published version: it is sent as it is, sent to a new draft, or not sent. */
export type IfPublished = 'UPDATE' | 'FORK' | 'SKIP';

/** The rule of an update whose version may be published. The team account is the contributor of the draft. */
export type PublishedRule = { readonly kind: 'FORK'; readonly userId: string } | { readonly kind: 'SKIP' };

/** An update with its rule, which is absent where the update is sent as it is. */
export interface ArticleUpdateItem extends ArticleUpdate {
  readonly ifPublished?: PublishedRule | undefined;
  /** True where its version is a draft that was made for it: `ifRevision` was compared before. */
  readonly isForked?: boolean;
}

/** A version that is to be copied as a new draft. */
export interface ForkTarget extends UpdateTarget {
  readonly languageCode: string;
  readonly versionNumber: number;
}

/** Versions that are copied as new drafts, each by a call of its own. */
export interface ArticleForks {
  readonly items: readonly ForkTarget[];
  readonly userId: string;
}

/** The rule of a job. Without an account, a published version is neither changed nor forked: only reverts may name none. */
export interface JobRule {
  readonly kind: PublishedRule['kind'];
  readonly userId: string | null;
}

/** What a job has made of the published version of an item. */
export interface ItemFork {
  readonly languageCode: string;
  readonly versionNumber: number;
  /** Absent before the fork, and where its outcome is unknown. */
  readonly draftVersionNumber?: number | undefined;
}

/** The target of an item once its draft was made. */
export const toDraft = <Target extends UpdateTarget>(target: Target, fork: ItemFork | null | undefined): Target =>
  fork?.draftVersionNumber === undefined
    ? target
    : { ...target, languageCode: fork.languageCode, versionNumber: fork.draftVersionNumber };

/** A fork whose outcome is unknown. */
export interface LostFork extends ForkTarget {
  /** The milliseconds since its call began. */
  readonly ageMs: number;
}

/** Checks the rule of all items of a request, and returns it. */
export function* validateIfPublished(
  kind: PublishedRule['kind'],
  userId: string | null | undefined,
): Validation<PublishedRule> {
  if (kind === 'SKIP') return { kind };
  const problem = userId == null ? 'is needed where ifPublished is FORK' : idProblem(userId);
  yield* validateField('userId', problem);
  return { kind, userId: userId ?? '' };
}

export const jobRuleOf = (rule: PublishedRule | undefined): JobRule | undefined =>
  rule && { kind: rule.kind, userId: rule.kind === 'FORK' ? rule.userId : null };

/** The items with the rule of their request. */
export const withRule = (
  updates: readonly ArticleUpdate[],
  ifPublished: PublishedRule | undefined,
): readonly ArticleUpdateItem[] =>
  ifPublished === undefined ? updates : updates.map((update) => ({ ...update, ifPublished }));

/** The rule of an update that changes what a version has of its own; undefined for all others. */
export const ruleOf = (item: ArticleUpdateItem): PublishedRule | undefined =>
  item.ifPublished !== undefined && changesVersion(item) ? item.ifPublished : undefined;

/** The most forks that the items take: one for each version that they name. */
export const countForks = (items: readonly ArticleUpdateItem[]): number =>
  new Set(
    items.flatMap((item) =>
      ruleOf(item)?.kind === 'FORK' ? forkKeyOf({ ...item, versionNumber: item.versionNumber ?? 0 }) : [],
    ),
  ).size;

/** A key that is equal for forks of one version. */
export const forkKeyOf = ({ articleId, languageCode, versionNumber }: UpdateTarget): string =>
  JSON.stringify([articleId.toLowerCase(), languageCode?.toLowerCase() ?? null, versionNumber]);

/**
 * True for a version that is published, or the public one; null where the read does not tell. `isPublicRead`: the read
 * has reported the public version, so that null means that there is none.
 */
export function isPublished(article: Article, isPublicRead: boolean): boolean | null {
  const { status, versionNumber, publicVersionNumber, unshown } = article;
  if (unshown !== undefined) {
    const publicNow = unshown.publicVersionNumber;
    if (publicNow === undefined) return null;
    if (publicNow === versionNumber) return true;
    // The version was unpublished after the read.
    if (publicVersionNumber === versionNumber) return false;
  }
  if (status === 'PUBLISHED' || publicVersionNumber === versionNumber) return true;
  return status === 'DRAFT' || publicVersionNumber !== null || isPublicRead ? false : null;
}

/** True where the latest version is a draft, and readers see another one. */
export const hasDraft = (article: Article, isPublicRead: boolean): boolean =>
  article.publicVersionNumber !== null &&
  article.versionNumber === (article.latestVersionNumber ?? article.versionNumber) &&
  isPublished(article, isPublicRead) === false;

/** The outcome of an item with SKIP whose version is published. */
export const SKIPPED_AS_PUBLISHED: NotAttempted = {
  kind: 'not-attempted',
  details: 'Not sent, because the version is published.',
  reason: 'PUBLISHED',
  retryAfterSeconds: null,
};

/** The outcome of an item where it is unknown whether its version is published. */
export const publishedNotKnown = (reason: string, retryAfterSeconds: number | null = null): NotAttempted => ({
  kind: 'not-attempted',
  details: `Not sent, because it is not known whether the version is published: ${reason}`,
  reason: 'UNAVAILABLE',
  retryAfterSeconds,
});

const DRAFT_LEFT = {
  updated: () => null,
  failed: (version) => `Version ${version} was made as a draft, and was not changed. `,
  unknown: (version) => `Version ${version} was made as a draft, and may not have been changed. `,
  'not-attempted': (version) => `Version ${version} was made as a draft, and was not changed. `,
} as const satisfies Record<SharedOutcome['kind'], (version: number) => string | null>;

/** The outcome of an update that went to the draft. It says where the draft was made in vain. */
export function withDraft<Outcome extends SharedOutcome>(outcome: Outcome, draftVersionNumber: number): Outcome {
  const left = DRAFT_LEFT[outcome.kind](draftVersionNumber);
  const details = left === null ? outcome.details : left + (outcome.details ?? '');
  return { ...outcome, draftVersionNumber, details };
}

/** The outcome of a fork that was made. */
export type ForkedOutcome = Extract<ArticleOutcome, { kind: 'updated' }> & { readonly draftVersionNumber: number };

export const forked = (articleId: string, draftVersionNumber: number, evidence?: 'READ_BACK'): ForkedOutcome => ({
  kind: 'updated',
  articleId,
  details: null,
  draftVersionNumber,
  ...(evidence && { evidence }),
});
