import type { Article, Edition } from '../../../domain/articles/articles.ts';
import { decodeListedArticle, identifyListedArticle } from '../../../v2/articles.ts';
import { type ListedField, listedFieldsOf } from '../../../v2/listed-fields.ts';
import type { PageEntries } from './paging.ts';

/** An article as an entry of a list shows it. */
export interface ListedArticle {
  readonly article: Article;
  /** The properties that the entry tells. */
  readonly told: ReadonlySet<ListedField>;
}

/** The part of a list that one call returns. */
export interface ListStart {
  readonly entries: PageEntries<ListedArticle>;
  /** False where the service may have cut the list off. */
  readonly isWhole: boolean;
}

/** Null for an entry that cannot be read, or that is of another language. */
export function decodeListEntry(entry: unknown, edition: Edition): ListedArticle | null {
  const article = decodeListedArticle(entry, edition);
  return article !== null && isOfLanguage(article, edition) ? { article, told: listedFieldsOf(entry) } : null;
}

/** The ID of the article of an entry, without decoding the rest; null where `decodeListEntry` returns null. */
export function articleIdOfEntry(entry: unknown, edition: Edition): string | null {
  const identity = identifyListedArticle(entry, edition);
  return identity !== null && isOfLanguage(identity, edition) ? identity.articleId : null;
}

/**
 * False for an article that stands in for its missing translation. Language codes are compared without regard to case.
 */
const isOfLanguage = (article: Pick<Article, 'languageCode'>, { languageCode }: Edition): boolean =>
  article.languageCode.toLowerCase() === languageCode.toLowerCase();
