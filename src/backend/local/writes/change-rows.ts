import type { ArticleTranslationStatus } from '../../../domain/articles/articles.ts';

/** The new values of an article; null when a value stays. Null in an item changes nothing, just as absence does. */
export type ArticleChangeRow = {
  readonly id: string;
  readonly category_id: string | null;
  readonly hidden: number | null;
  readonly position: number | null;
};

/** The new values of a language version; null when a value stays. */
export type VersionChangeRow = {
  readonly article_id: string;
  readonly language_code: string;
  readonly version_number: number;
  readonly title: string | null;
  readonly translation_status: ArticleTranslationStatus | null;
  readonly source: string | null;
  readonly content: string | null;
};

/** When a row was changed. */
export type ModificationRow = { readonly modified_at: string };
