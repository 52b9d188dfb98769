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

/** Articles that are to be published or unpublished after a preview. */
export interface PublicationRequest {
  readonly kind: 'publish' | 'unpublish';
  readonly articles: readonly ArticleFieldsFragment[];
}

export const KIND_NAMES = { publish: 'Publish', unpublish: 'Unpublish' } as const;

/** The terms of a request, which apply to all of its articles. */
export interface PublicationTerms {
  readonly kind: PublicationRequest['kind'];
  /** The team account that publishes. */
  readonly userId: string;
  /** The text for the history of the articles; '' means none. */
  readonly message: string;
}

/** The most articles that the service takes in one call. */
const PART_ITEMS = 100;

const inputOf = (
  articles: readonly ArticleFieldsFragment[],
  { userId, message }: PublicationTerms,
): PublishArticlesInput => ({
  articles: articles.map(({ articleId, languageCode }) => ({ articleId, languageCode })),
  userId,
  ...(message !== '' && { message }),
});

/** The answer of one part of a request for each of its articles, or the reason why there is none. */
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

/** Previews a publication in parts. Ends where `onPart` returns false. */
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

/** A part of a request with its idempotency key. */
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
