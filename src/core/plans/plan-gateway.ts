import type { Result } from '../base/result.ts';

/** The codes of calls that the gateway refuses for their size. */
export const TOO_LARGE_CODES: ReadonlySet<string> = new Set([
  'REQUEST_ENTITY_TOO_LARGE',
  'LIMIT_EXCEEDED',
  'QUERY_TOO_COSTLY',
]);

/** Why an operation has no answer. `too-large`: smaller ones may succeed. */
export interface PlanFailure {
  readonly kind: 'too-large' | 'refused';
  readonly message: string;
}

type Answered<Data> = Promise<Result<Data, PlanFailure>>;

/**
 * The operations of the public schema that plans are made and applied with. The command line and the console each send
 * them in their own way, again where that is safe and may help.
 */
export interface PlanGateway {
  versions(variables: object): Answered<VersionsAnswer>;
  /** `version` is the ID of the project version. */
  rootCategories(variables: { readonly version: string }): Answered<{ readonly categories: Nodes<ListedCategory> }>;
  childCategories(variables: { readonly ids: string[] }): Answered<ChildrenAnswer>;
  /** A page of 100 articles. */
  articles(variables: {
    readonly version: string;
    readonly language: string;
    readonly after: string | null;
  }): Answered<ArticlesAnswer>;
  texts(variables: { readonly ids: string[] }): Answered<{ readonly nodes: readonly (StoredText | object | null)[] }>;
  /** Reads an article in a language. The article is null where it has no text in that language. */
  article(variables: { readonly id: string; readonly language: string }): Answered<ArticleAnswer>;
  createCategories(variables: Creation): Answered<CreateAnswer>;
  createArticles(variables: Creation): Answered<CreateAnswer>;
  update(variables: Write): Answered<WriteAnswer>;
  publish(variables: Write): Answered<WriteAnswer>;
  unpublish(variables: Write): Answered<WriteAnswer>;
}

/** A write that does no harm when it is done again. */
interface Write {
  readonly input: object;
}

/** A write that its key keeps from being done twice. */
interface Creation extends Write {
  readonly key: string;
}

type Nodes<Node> = readonly Node[] | null;

interface VersionsAnswer {
  readonly knowledgeBaseId: string | null;
  readonly projectVersions: Nodes<{
    readonly projectVersionId: string;
    readonly name: string;
    readonly isDefault: boolean;
    readonly languages: Nodes<{ readonly code: string; readonly isDefault: boolean }>;
  }>;
}

interface ListedCategory {
  readonly id: string;
  readonly categoryId: string;
  readonly name: string;
}

interface ChildrenAnswer {
  readonly nodes: readonly ({ readonly children?: Nodes<ListedCategory> } | null)[];
}

export interface ArticlesAnswer {
  readonly articles: {
    readonly nodes: readonly TargetArticle[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  } | null;
}

interface ArticleAnswer {
  readonly article: { readonly articleId: string } | null;
}

/** An article in one language, without its text. */
export interface TargetArticle {
  readonly id: string;
  readonly articleId: string;
  readonly title: string | null;
  readonly slug: string | null;
  readonly order: number | null;
  readonly hidden: boolean;
  readonly status: string | null;
  readonly publicVersionNumber: number | null;
  readonly latestVersionNumber: number | null;
  readonly translationStatus: string | null;
  readonly modifiedAt: string | null;
  readonly category: { readonly categoryId: string } | null;
}

export interface StoredText extends TargetArticle {
  readonly content: string | null;
  readonly contentType: string | null;
  readonly revision: string | null;
}

export interface StoredCategory {
  readonly categoryId: string;
  readonly name: string;
  readonly parentId: string | null;
}

export interface WriteOutcome {
  readonly __typename: string;
  readonly details: string | null;
  readonly articleId?: string | undefined;
  readonly categoryId?: string | undefined;
  readonly reason?: string | undefined;
}

interface WriteAnswer {
  readonly result: { readonly results: readonly WriteOutcome[] } | null;
}

interface CreateAnswer {
  readonly result: { readonly replayed: boolean; readonly results: readonly WriteOutcome[] } | null;
}

/** Why an item was not done. */
export const notDoneReason = ({ details, reason, __typename: type }: WriteOutcome): string => details ?? reason ?? type;

/** The outcome of an item that an answer leaves out. */
export const NO_OUTCOME: WriteOutcome = { __typename: 'it has no outcome', details: null };
