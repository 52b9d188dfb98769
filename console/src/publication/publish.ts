import { type Answer, type Api, NO_ANSWER } from '../api.ts';
import { createKey } from '../changes/submit.ts';
import {
  type ArticleFieldsFragment,
  type OutcomeFieldsFragment,
  type PreviewFieldsFragment,
  PreviewPublishArticlesDocument,
  PreviewUnpublishArticlesDocument,
  PublishArticlesDocument,
  type PublishArticlesInput,
  UnpublishArticlesDocument,
} from '../generated/graphql.ts';

/** Articles that are to be published, or unpublished, once that was shown. */
export interface PublicationRequest {
  readonly kind: 'publish' | 'unpublish';
  readonly articles: readonly ArticleFieldsFragment[];
}

export const KIND_NAMES = { publish: 'Publish', unpublish: 'Unpublish' } as const;

/** What is the same for all articles of a request. */
export interface PublicationTerms {
  readonly kind: PublicationRequest['kind'];
  /** The team account that the service names. */
  readonly userId: string;
  /** Kept in the history of the articles; empty for none. */
  readonly message: string;
}

/** As many as the service takes in one call. */
const PART_ITEMS = 100;

const inputOf = (
  articles: readonly ArticleFieldsFragment[],
  { userId, message }: PublicationTerms,
): PublishArticlesInput => ({
  articles: articles.map(({ articleId, languageCode }) => ({ articleId, languageCode })),
  userId,
  ...(message !== '' && { message }),
});

/** What one part of a request has answered for each of its articles, or why it has not. */
type PartAnswer<Item> =
  | { readonly items: readonly (readonly [article: ArticleFieldsFragment, item: Item])[] }
  | { readonly problem: string };

/** Pairs the results of a part with its articles. */
function partAnswer<Item extends { readonly index: number }>(
  articles: readonly ArticleFieldsFragment[],
  { data, failure }: Answer<{ readonly answered: { readonly results: readonly Item[] } | null }>,
): PartAnswer<Item> {
  if (!data?.answered) return { problem: failure?.message ?? NO_ANSWER };
  return {
    items: data.answered.results.flatMap((item) => {
      const article = articles[item.index];
      return article ? [[article, item] as const] : [];
    }),
  };
}

const partsOf = (articles: readonly ArticleFieldsFragment[]) =>
  Array.from({ length: Math.ceil(articles.length / PART_ITEMS) }, (_, part) =>
    articles.slice(part * PART_ITEMS, (part + 1) * PART_ITEMS),
  );

/** Tells what would become of articles, in parts. It ends where `onPart` returns false. */
export async function previewPublication(
  api: Api,
  { articles, terms }: { readonly articles: readonly ArticleFieldsFragment[]; readonly terms: PublicationTerms },
  onPart: (answer: PartAnswer<PreviewFieldsFragment>) => boolean,
): Promise<void> {
  for (const part of partsOf(articles)) {
    const variables = { input: inputOf(part, terms) };
    const answer =
      terms.kind === 'publish'
        ? await api.send(PreviewPublishArticlesDocument, variables)
        : await api.send(PreviewUnpublishArticlesDocument, variables);
    if (!onPart(partAnswer(part, answer))) return;
  }
}

/** A part of a request with the key that keeps it from being sent twice. */
export interface KeyedPart {
  readonly articles: readonly ArticleFieldsFragment[];
  readonly key: string;
}

export const keyedPartsOf = (articles: readonly ArticleFieldsFragment[]): readonly KeyedPart[] =>
  partsOf(articles).map((part) => ({ articles: part, key: createKey() }));

/** Publishes or unpublishes one part. */
export async function writePublication(
  api: Api,
  { articles, key }: KeyedPart,
  terms: PublicationTerms,
): Promise<PartAnswer<OutcomeFieldsFragment>> {
  const variables = { input: inputOf(articles, terms), idempotencyKey: key };
  return partAnswer(
    articles,
    terms.kind === 'publish'
      ? await api.send(PublishArticlesDocument, variables)
      : await api.send(UnpublishArticlesDocument, variables),
  );
}
