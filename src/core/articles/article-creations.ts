import { IdMap } from '../base/id-map.ts';
import { MAX_CREATED_ARTICLES, MAX_CREATED_TITLE } from '../base/limits.ts';
import { allOk, ok, type Result } from '../base/result.ts';
import { idKeyOf, idProblem, storedFormOf, textProblem } from '../base/text.ts';
import { type BackendError, type InputIssue, type Validation, validateField } from '../errors.ts';
import type { CompletedItems, Failed, NotAttempted, UPDATE_EVIDENCE } from './article-outcomes.ts';
import {
  type Article,
  type ArticleContentType,
  type Category,
  type CategoryKey,
  defaultOf,
  missingAccountText,
  type ProjectVersion,
  type TeamAccount,
  usersWithout,
} from './articles.ts';
import { ARTICLE_MEMBERS, validateItems } from './bulk-updates.ts';

/** An article to be created, in the default language of its project version. An absent member is not sent. */
export interface ArticleCreation {
  readonly title: string;
  readonly projectVersionId: string;
  /** The team account that becomes the contributor. */
  readonly userId: string;
  /** The category of the article; null or absent means none. */
  readonly categoryId?: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly contentType?: ArticleContentType | undefined;
  readonly order?: number | undefined;
}

type CreationItem = Omit<ArticleCreation, 'userId'>;

/** An article to be created as the caller sent it, before validation. */
export type ArticleCreationDraft = Omit<CreationItem, 'contentType' | 'order'> & {
  readonly contentType?: ArticleContentType | null | undefined;
  readonly order?: number | null | undefined;
};

export type CreationOutcome =
  | {
      readonly kind: 'created';
      readonly details: string | null;
      readonly articleId: string;
      /** Absent where the answer of the service is the evidence. */
      readonly evidence?: (typeof UPDATE_EVIDENCE)[number] | undefined;
    }
  | {
      readonly kind: 'unknown';
      readonly details: string | null;
      /** The articles that have the title, the newest first. */
      readonly candidates: readonly CandidateKey[];
      /** The ID of the create in its process, by which it may be looked up later. Absent where nothing was sent. */
      readonly attemptId?: string | undefined;
    }
  | Failed
  | NotAttempted;

export type CandidateKey = Pick<Article, 'articleId' | 'languageCode'>;

export type CompletedCreation = CompletedItems<CreationOutcome>;

export type UnknownCreation = Extract<CreationOutcome, { kind: 'unknown' }>;

/** An unknown outcome, with its reason and the candidates that are known. */
export const unknownCreation = (
  details: string | null,
  candidates: readonly CandidateKey[] = [],
  attemptId?: string,
): UnknownCreation => ({
  kind: 'unknown',
  details: [...(details === null ? [] : [details]), EMPTY_PROVES_NOTHING].join(' '),
  candidates,
  ...(attemptId !== undefined && { attemptId }),
});

const EMPTY_PROVES_NOTHING =
  'An empty list of candidates does not prove that no article was created: it may appear later. The same request with its ' +
  'idempotency key looks again.';

/** The title in the form by which titles count as equal, since the service may have stored different titles as one. */
export const titleOf = ({ title }: Pick<ArticleCreation, 'title'>): string => storedFormOf(title);

/** The name of an item in the service's texts: the first line of its title, since others may look like the rest of a text. */
export const nameOf = (item: Pick<ArticleCreation, 'title'>): string => firstLineOf(titleOf(item));

export const firstLineOf = (text: string): string => (text.split(/[\r\n]/u, 1)[0] ?? '').trim();

/** A key that is equal for items that can't be distinguished. */
export const placeOf = (item: Pick<ArticleCreation, 'title' | 'categoryId' | 'projectVersionId'>): string =>
  JSON.stringify([
    titleOf(item),
    item.categoryId == null ? { projectVersionId: idKeyOf(item.projectVersionId) } : idKeyOf(item.categoryId),
  ]);

/** Counts how often each key occurs. */
export function countEach<Key>(keys: readonly Key[]): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** The reads of a backend about everything that items refer to. */
interface ReferenceReads {
  readonly versions: Result<readonly ProjectVersion[], BackendError>;
  readonly accounts: readonly Result<TeamAccount | null, BackendError>[];
  readonly categories: readonly Result<Category | null, BackendError>[];
}

/** The members of an item that refer to something, be it an article or a category. */
export type Referring = Pick<ArticleCreation, 'projectVersionId' | 'categoryId'> & {
  readonly userId?: string | undefined;
};

/** What an item refers to; null for what does not exist, and for the category of an item without one. */
export interface References<Item extends Referring = ArticleCreation> {
  readonly item: Item;
  readonly projectVersion: ProjectVersion | null;
  readonly languageCode: string | null;
  readonly category: Category | null;
  /** The reasons why the item fails, by the members that name what does not exist: see docs/service.md, "Article create". */
  readonly issues: readonly InputIssue[];
}

/** The team accounts that items name, each once. */
export const userIdsOf = (items: readonly Referring[]): readonly string[] => [
  ...new Set(items.flatMap(({ userId }) => userId ?? [])),
];

/** The categories that items name, each in the default language of its project version. */
export const categoryKeysOf = (items: readonly Referring[]): readonly CategoryKey[] =>
  items.flatMap(({ categoryId, projectVersionId }) => (categoryId == null ? [] : [{ categoryId, projectVersionId }]));

/** Finds what each item refers to in what a backend has read. `names`: the input's names of the list and of the category. */
export function findReferences<Item extends Referring>(
  items: readonly Item[],
  reads: ReferenceReads,
  names = { list: 'articles', category: 'categoryId' },
): Result<readonly References<Item>[], BackendError> {
  const { versions } = reads;
  const users = usersWithout(reads.accounts, userIdsOf(items));
  const categories = allOk(reads.categories);
  if (!versions.ok) return versions;
  if (!users.ok) return users;
  if (!categories.ok) return categories;
  const byId = new IdMap(versions.value.map((version) => [version.projectVersionId, version]));
  const named = categories.value.values();
  const references = items.map((item, index): References<Item> => {
    const { userId, projectVersionId, categoryId } = item;
    const projectVersion = byId.get(projectVersionId) ?? null;
    const languageCode = defaultOf(projectVersion?.languages ?? [])?.code ?? null;
    const category = (categoryId == null ? null : named.next().value) ?? null;
    // No category can be read without a language.
    const hasNoCategory = categoryId != null && category === null && (projectVersion === null || languageCode !== null);
    const path = [names.list, `${index}`];
    const versionText = `The project version with id '${projectVersionId}' does not exist in your project.`;
    const categoryText = `The category with id '${categoryId}' does not exist in the project version.`;
    const issues = [
      ...(userId !== undefined && users.value.has(userId)
        ? [{ path: ['userId'], message: missingAccountText(userId) }]
        : []),
      ...(projectVersion === null ? [{ path: [...path, 'projectVersionId'], message: versionText }] : []),
      ...(hasNoCategory ? [{ path: [...path, names.category], message: categoryText }] : []),
    ];
    return { item, projectVersion, languageCode, category, issues };
  });
  return ok(references);
}

export const orderProblem = ({ order }: Pick<ArticleCreationDraft, 'order'>): string | null =>
  order === null
    ? 'must be a number, not null; leave it out for no position'
    : ARTICLE_MEMBERS.order.problemOf({ order });

/** The problem of each member, as the end of a sentence, over GraphQL and over REST. */
const PROBLEMS = {
  title: ({ title }) => titleProblem(title),
  projectVersionId: ({ projectVersionId }) => idProblem(projectVersionId),
  categoryId: ARTICLE_MEMBERS.categoryId.problemOf,
  content: ARTICLE_MEMBERS.content.problemOf,
  contentType: ({ contentType }) => (contentType === null ? 'must not be null; leave it out for the default' : null),
  order: orderProblem,
} as const satisfies Record<keyof ArticleCreationDraft, (draft: ArticleCreationDraft) => string | null>;

/** The problem of a title. White space alone counts as missing: see docs/service.md, "Article create". */
export function titleProblem(title: string): string | null {
  if (title.trim() === '') return 'must have a character that is no white space';
  return title.length > MAX_CREATED_TITLE ? `must have at most ${MAX_CREATED_TITLE} characters` : textProblem(title);
}

interface CreationsDraft {
  readonly articles: readonly ArticleCreationDraft[];
  readonly userId: string;
}

/** Checks the items of a request, and returns the valid ones. */
export function* validateArticleCreations(
  { articles, userId }: CreationsDraft,
  maxItems: number,
): Validation<readonly ArticleCreation[]> {
  const rules = { problems: PROBLEMS, maxItems: Math.min(maxItems, MAX_CREATED_ARTICLES) };
  const items = yield* validateItems<ArticleCreationDraft, CreationItem>(articles, rules);
  yield* validateField('userId', idProblem(userId));
  return items.map((item) => ({ ...item, userId }));
}
