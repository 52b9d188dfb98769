import { MAX_CREATED_TITLE } from '../../base/limits.ts';
import { idProblem, textProblem } from '../../base/text.ts';
import type { Validation } from '../errors.ts';
import type { Notices, ServiceError } from '../notices.ts';
import type { Failed, NotAttempted, UPDATE_EVIDENCE } from './article-outcomes.ts';
import { type Article, type ArticleContentType, missingAccountText } from './articles.ts';
import { listProblem } from './bulk-updates.ts';

/** An article to be created, in the default language of its project version. An absent member is not sent. */
export interface ArticleCreation {
  readonly title: string;
  readonly projectVersionId: string;
  /** The team account that becomes the contributor. */
  readonly userId: string;
  /** An article without a category is in none. */
  readonly categoryId?: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly contentType?: ArticleContentType | undefined;
  readonly order?: number | undefined;
}

/** What a new article may have in common with another one. */
export interface TitleKey extends Pick<ArticleCreation, 'title' | 'projectVersionId'> {
  readonly categoryId: string;
}

/** An article to be created as the caller sent it, before validation. */
export type ArticleCreationDraft = Omit<ArticleCreation, 'userId' | 'contentType' | 'order'> & {
  readonly contentType?: ArticleContentType | null | undefined;
  readonly order?: number | null | undefined;
};

/** What became of one item. */
export type CreationOutcome =
  | {
      readonly kind: 'created';
      readonly details: string | null;
      readonly articleId: string;
      /** Absent for the answer of the service. */
      readonly evidence?: (typeof UPDATE_EVIDENCE)[number] | undefined;
    }
  | {
      readonly kind: 'unknown';
      readonly details: string | null;
      /** The articles that have the title, the newest first. */
      readonly candidates: readonly CandidateKey[];
    }
  | Failed
  | NotAttempted;

export type CandidateKey = Pick<Article, 'articleId' | 'languageCode'>;

/** An outcome for each item, in the order of the items. */
export interface CompletedCreation extends Notices {
  readonly outcomes: readonly CreationOutcome[];
  readonly serviceErrors: readonly ServiceError[];
}

export const unknownCreation = (details: string, candidates: readonly CandidateKey[] = []): CreationOutcome => ({
  kind: 'unknown',
  details,
  candidates,
});

/** Titles count as equal whatever white space is at their ends, which the service may cut off. */
export const titleOf = ({ title }: Pick<ArticleCreation, 'title'>): string => title.trim();

/** Items with an equal place can't be told apart. */
export const placeOf = (item: ArticleCreation): string =>
  JSON.stringify([titleOf(item), item.categoryId ?? { projectVersionId: item.projectVersionId }]);

export function countEach<Key>(keys: readonly Key[]): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** What an item refers to, as far as it exists. */
export interface FoundReferences {
  readonly user: boolean;
  readonly projectVersion: boolean;
  /** True for an item without a category. */
  readonly category: boolean;
}

/** Why an item fails whose references are not all there: see docs/service.md, "Article create". */
export function missingReferences(item: ArticleCreation, found: FoundReferences): readonly MissingReference[] {
  const references: readonly MissingReference[] = [
    { field: 'userId', message: missingAccountText(item.userId) },
    {
      field: 'projectVersionId',
      message: `The project version with id '${item.projectVersionId}' does not exist in your project.`,
    },
    {
      field: 'categoryId',
      message: `The category with id '${item.categoryId}' does not exist in the project version.`,
    },
  ];
  const isThere = { userId: found.user, projectVersionId: found.projectVersion, categoryId: found.category };
  return references.filter(({ field }) => !isThere[field]);
}

interface MissingReference {
  readonly field: 'userId' | 'projectVersionId' | 'categoryId';
  readonly message: string;
}

/** The reason against each member, as the end of a sentence, over GraphQL and over REST. */
const PROBLEMS = {
  title: ({ title }) => titleProblem(title),
  projectVersionId: ({ projectVersionId }) => idProblem(projectVersionId),
  categoryId: ({ categoryId }) => (categoryId == null ? null : idProblem(categoryId)),
  content: ({ content }) => (content == null ? null : textProblem(content)),
  contentType: ({ contentType }) => (contentType === null ? 'must not be null; leave it out for the default' : null),
  order: ({ order }) => {
    if (order === null) return 'must be a number, not null; leave it out for no position';
    return order !== undefined && order < 1 ? 'must be 1 or more' : null;
  },
} as const satisfies Record<keyof ArticleCreationDraft, (draft: ArticleCreationDraft) => string | null>;

/** A title of white space alone counts as missing at the service: see docs/service.md, "Article create". */
export function titleProblem(title: string): string | null {
  if (title.trim() === '') return 'must have a character that is no white space';
  return title.length > MAX_CREATED_TITLE ? `must have at most ${MAX_CREATED_TITLE} characters` : textProblem(title);
}

const isCreation = (
  draft: ArticleCreationDraft,
): draft is ArticleCreationDraft & Pick<ArticleCreation, 'contentType' | 'order'> =>
  Object.values(PROBLEMS).every((problemOf) => problemOf(draft) === null);

interface CreationsDraft {
  readonly articles: readonly ArticleCreationDraft[];
  readonly userId: string;
}

export function* validateArticleCreations(
  { articles, userId }: CreationsDraft,
  maxItems: number,
): Validation<readonly ArticleCreation[]> {
  const creations: ArticleCreation[] = [];
  const problem = listProblem(articles, maxItems);
  if (problem !== null) yield { path: ['articles'], message: problem };
  const items = articles.length > maxItems ? [] : articles;
  for (const [index, draft] of items.entries()) {
    if (isCreation(draft)) creations.push({ ...draft, userId });
    else
      for (const [field, problemOf] of Object.entries(PROBLEMS)) {
        const reason = problemOf(draft);
        if (reason !== null) yield { path: ['articles', `${index}`, field], message: `${field} ${reason}.` };
      }
  }
  const userProblem = idProblem(userId);
  if (userProblem !== null) yield { path: ['userId'], message: `userId ${userProblem}.` };
  return creations;
}
