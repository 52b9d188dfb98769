import type {
  ArticleContentType,
  ArticleTranslationStatus,
  Language,
  ProjectVersion,
} from '../domain/articles/articles.ts';
import type { WholeReaderGroupUpdate } from '../domain/reader-groups/reader-group-updates.ts';
import type { InvitedSsoUser, Reader } from '../domain/reader-groups/reader-groups.ts';

/** A whole knowledge base: see docs/contract.md, "Import format". Entries refer to other entries of it alone. */
export interface KnowledgeBase extends KnowledgeBaseLists {
  /** Where the content comes from, as a text for people. */
  readonly source?: string | null;
}

export interface KnowledgeBaseLists {
  readonly projectVersions: readonly Omit<ProjectVersion, 'languages'>[];
  readonly languages: readonly ImportedLanguage[];
  readonly categories: readonly ImportedCategory[];
  readonly articles: readonly ImportedArticle[];
  readonly readers: readonly Omit<Reader, 'groupIds'>[];
  readonly invitedSsoUsers: readonly InvitedSsoUser[];
  readonly readerGroups: readonly WholeReaderGroupUpdate[];
}

interface ImportedLanguage extends Language {
  readonly projectVersionId: string;
}

export interface ImportedCategory {
  readonly categoryId: string;
  readonly projectVersionId: string;
  readonly parentCategoryId: string | null;
  readonly name: string;
  readonly order: number | null;
}

export interface ImportedArticle {
  readonly articleId: string;
  readonly projectVersionId: string;
  readonly categoryId: string | null;
  readonly slug: string | null;
  readonly order: number | null;
  readonly hidden: boolean;
  readonly contentType: ArticleContentType;
  readonly versions: readonly ImportedVersion[];
}

/** One version of one translation. */
export interface ImportedVersion {
  readonly languageCode: string;
  readonly versionNumber: number;
  readonly title: string;
  readonly content: string | null;
  readonly translationStatus: ArticleTranslationStatus | null;
}
