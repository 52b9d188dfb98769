/** The translation status. Only the first three can be written: see docs/service.md, "Enumerations". */
export type ArticleTranslationStatus = 'NONE' | 'NEEDS_TRANSLATION' | 'TRANSLATED' | 'IN_PROGRESS' | 'UNRECOGNIZED';

/** Names one text of an article. Absent members stand for the default language and the latest version. */
export interface ArticleKey {
  readonly articleId: string;
  readonly languageCode?: string | undefined;
  readonly versionNumber?: number | undefined;
}

/** An article in one language. A member is absent when the read that found the article does not give it. */
export interface Article {
  readonly articleId: string;
  readonly languageCode: string;
  readonly projectVersionId: string;
  readonly versionNumber: number;
  /** True when the caller named this version by its number. */
  readonly pinned: boolean;
  readonly latestVersionNumber: number | null;
  readonly title: string | null;
  readonly content?: string | null;
  readonly htmlContent?: string | null;
  readonly categoryId?: string | null;
  readonly slug: string | null;
  readonly hidden: boolean;
  readonly order: number | null;
  readonly translationStatus: ArticleTranslationStatus | null;
  readonly contentType: ArticleContentType | null;
  readonly modifiedAt: Date | null;
}

/** A summary may lack the texts and the category. */
export type ArticleExtent = 'whole' | 'summary';

/** The editor of an article. */
export type ArticleContentType = 'MARKDOWN' | 'WYSIWYG' | 'BLOCK';

export interface ArticleVersion {
  readonly versionNumber: number;
  readonly createdAt: Date | null;
  readonly modifiedAt: Date | null;
  readonly status: string | null;
}

/** Names an article by its slug, in a project version and a language; absent ones stand for the defaults. */
export interface ArticleSlug {
  readonly slug: string;
  readonly projectVersionId?: string | undefined;
  readonly languageCode?: string | undefined;
}
