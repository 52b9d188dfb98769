import { type Answer, type Api, NO_ANSWER } from '../api.ts';
import { keyOf } from '../articles/edits.ts';
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
  readonly userId: string;
  /** The text for the history of the articles; '' means none. */
  readonly message: string;
}

/** The most articles that the service takes in one call. */
const PART_ITEMS = 100;

const inputOf = ({ articles, revisions }: Part, { userId, message }: PublicationTerms): PublishArticlesInput => ({
  articles: articles.map((article) => {
    const { articleId, languageCode } = article;
    const ifRevision = revisions.get(keyOf(article));
    return ifRevision ? { articleId, languageCode, ifRevision } : { articleId, languageCode };
  }),
  userId,
  ...(message !== '' && { message }),
});

const DOCUMENTS = {
  publish: { preview: PreviewPublishArticlesDocument, write: PublishArticlesDocument },
  unpublish: { preview: PreviewUnpublishArticlesDocument, write: UnpublishArticlesDocument },
} as const;

/** A part of a request, with the key that makes its write take effect once. */
export interface Part {
  readonly articles: readonly ArticleFieldsFragment[];
  /** The revisions that the previews showed, by `keyOf` their articles. What was changed since is not written. */
  readonly revisions: ReadonlyMap<string, string | null>;
  readonly key: string;
}

export const partsOf = (
  articles: readonly ArticleFieldsFragment[],
  revisions: Part['revisions'] = new Map(),
): readonly Part[] =>
  Array.from({ length: Math.ceil(articles.length / PART_ITEMS) }, (_, part) => ({
    articles: articles.slice(part * PART_ITEMS, (part + 1) * PART_ITEMS),
    revisions,
    key: createKey(),
  }));

/** Pairs the results of a part with its articles, or gives the reason why there are none. */
function paired<Item extends { readonly index: number }>(
  { articles }: Part,
  { data, failure }: Answer<{ readonly result: { readonly results: readonly Item[] } | null }>,
) {
  if (!data?.result) return { problem: failure?.message ?? NO_ANSWER };
  return {
    items: data.result.results.flatMap((item) => {
      const article = articles[item.index];
      return article ? [[article, item] as const] : [];
    }),
  };
}

export const previewPart = async (api: Api, part: Part, terms: PublicationTerms) =>
  paired<PreviewFieldsFragment>(part, await api.send(DOCUMENTS[terms.kind].preview, { input: inputOf(part, terms) }));

export const writePart = async (api: Api, part: Part, terms: PublicationTerms) =>
  paired<OutcomeFieldsFragment>(
    part,
    await api.send(DOCUMENTS[terms.kind].write, { input: inputOf(part, terms), idempotencyKey: part.key }),
  );
