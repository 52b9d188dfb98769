import { ok, type Result } from '../base/result.ts';
import type { BackendError } from '../errors.ts';
import type { SearchWord } from './search-words.ts';

/** The translation status. Only the first three can be written: see docs/service.md, "Enumerations". */
export const ARTICLE_TRANSLATION_STATUSES = [
  'NONE',
  'NEEDS_TRANSLATION',
  'TRANSLATED',
  'IN_PROGRESS',
  'UNRECOGNIZED',
] as const;

/** The statuses that an update can set. */
export const STATUSES_OF_UPDATES = ['NONE', 'NEEDS_TRANSLATION', 'TRANSLATED'] as const;

export const isSettableStatus = (status: unknown): boolean => STATUSES_OF_UPDATES.some((one) => one === status);

export type ArticleTranslationStatus = (typeof ARTICLE_TRANSLATION_STATUSES)[number];

/** The publication statuses of a version. The last one means a status that is unknown to this version of the gateway. */
export type ArticleStatus = 'DRAFT' | 'PUBLISHED' | 'UNRECOGNIZED';

/** A person who works on the knowledge base. E-mail addresses of people are never read. */
export interface TeamAccount {
  readonly userId: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** The service's text for a team account that does not exist. */
export const missingAccountText = (userId: string): string =>
  `The user with id '${userId}' does not exist in your project.`;

/**
 * The users without a team account. A user whom the backend can't check may have one: the service may not offer that,
 * and a preview may have used up its calls.
 */
export function usersWithout(
  accounts: readonly Result<TeamAccount | null, BackendError>[],
  userIds: readonly string[],
): Result<ReadonlySet<string>, BackendError> {
  const missing = new Set<string>();
  for (const [index, account] of accounts.entries())
    if (account.ok && account.value === null) missing.add(userIds[index] ?? '');
    else if (!account.ok && account.error.kind !== 'not-offered' && account.error.kind !== 'query-too-costly')
      return account;
  return ok(missing);
}

/** Identifies one text of an article. Absent members mean the default language and the latest version. */
export interface ArticleKey {
  readonly articleId: string;
  readonly languageCode?: string | undefined;
  readonly versionNumber?: number | undefined;
}

/** An article in one language. A member is absent when the read that found the article lacks it. */
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
  readonly status: ArticleStatus | null;
  /** The version that readers see; null where nothing is published in this language. */
  readonly publicVersionNumber: number | null;
  readonly url: string | null;
  readonly description?: string | null;
  readonly createdAt?: Date | null;
  readonly createdBy?: string | null;
  readonly authors?: readonly TeamAccount[];
  /** True where the article has no text in this language yet: see `PreviewSelection.withUntranslated`. */
  readonly isUntranslated?: boolean;
  /** The gateway's own writes that the read does not show. Absent where it shows all, and where it was not compared. */
  readonly unshown?: UnshownWrite;
  /** True where the gateway's last update may have made a version that the read does not show. Absent like `unshown`. */
  readonly mayLackVersion?: boolean;
}

/** The gateway's writes of the last minute that a read of the article does not show, so that the read may be outdated. */
export interface UnshownWrite {
  /** False where the outcomes of all of them are unknown. */
  readonly isApplied: boolean;
  /** False where only a publication is not shown. */
  readonly isUpdate: boolean;
  /** The public version as far as the gateway knows it; undefined where it does not. */
  readonly publicVersionNumber: number | null | undefined;
}

/**
 * The members of an article that are read. A summary may lack the texts, the category and other members that only a
 * read of the article has; details lack only the texts.
 */
export type ArticleSelection = 'whole' | 'details' | 'summary';

/** The editors of articles by the service's numbers. */
export const ARTICLE_CONTENT_TYPES = ['MARKDOWN', 'WYSIWYG', 'BLOCK'] as const;

export type ArticleContentType = (typeof ARTICLE_CONTENT_TYPES)[number];

export interface ArticleVersion {
  readonly versionNumber: number;
  readonly createdAt: Date | null;
  readonly modifiedAt: Date | null;
  readonly status: string | null;
  /** The version from which it was copied; null where that is not known. */
  readonly baseVersionNumber: number | null;
}

/** Identifies an article by its slug, in a project version and a language. Absent members mean the defaults. */
export interface ArticleSlug {
  readonly slug: string;
  readonly projectVersionId?: string | undefined;
  readonly languageCode?: string | undefined;
}

/** The properties that all articles of a list have. An absent member selects all. */
export interface ArticleFilter {
  /** Each of the words is in the title or in the content. */
  readonly words?: readonly SearchWord[] | undefined;
  /** The text of the words, for a backend with a search of its own. */
  readonly text?: string | undefined;
  readonly hidden?: boolean | undefined;
  /** At least one status, each of them once. */
  readonly translationStatuses?: readonly ArticleTranslationStatus[] | undefined;
  /** At least one status of the latest version, each of them once. */
  readonly statuses?: readonly ArticleStatus[] | undefined;
  /** Leaves out articles with an unknown time. */
  readonly modifiedSince?: Date | undefined;
  /** Leaves out articles with an unknown time. */
  readonly modifiedBefore?: Date | undefined;
}

/** `ID` is the default order of a list. */
export type ArticleOrder = 'ID' | 'TITLE' | 'MODIFIED_AT' | 'MODIFIED_AT_DESC';

/** Selects articles of a list. Absent members mean the defaults, and all categories. */
export interface ArticleListRequest {
  readonly projectVersionId?: string | undefined;
  readonly languageCode?: string | undefined;
  readonly categoryId?: string | undefined;
  readonly filter?: ArticleFilter | undefined;
  readonly orderBy?: ArticleOrder | undefined;
}

/** The characters of a title by which a list is sorted. PostgreSQL refuses long texts in an index. */
const SORTED_CHARACTERS = 100;

/** The key by which a list is sorted by title, without regard to case; '' for an article without a title. */
export const titleKeyOf = (title: string | null): string => sortedPartOf(sortedPartOf(title ?? '').toLowerCase());

function sortedPartOf(text: string): string {
  let end = 0;
  for (let characters = 0; characters < SORTED_CHARACTERS && end < text.length; characters += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** Identifies a category in one language, by default that of its project version. */
export interface CategoryKey {
  readonly categoryId: string;
  /** With it, not all project versions have to be searched, since the service reads only whole trees. */
  readonly projectVersionId?: string | undefined;
  readonly languageCode?: string | undefined;
}

export interface Category {
  readonly categoryId: string;
  readonly projectVersionId: string;
  readonly languageCode: string;
  readonly name: string;
  readonly order: number | null;
  readonly parentCategoryId: string | null;
}

/** A version of the documentation, which the service's newer texts call a workspace. */
export interface ProjectVersion {
  readonly projectVersionId: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly languages: readonly Language[];
}

/** The project version of reads that name none. */
export type DefaultVersion = Pick<ProjectVersion, 'projectVersionId' | 'name'>;

export interface Language {
  readonly code: string;
  readonly name: string;
  readonly isDefault: boolean;
}

/** The default item, or the first one where there is none. */
export const defaultOf = <T extends { readonly isDefault: boolean }>(items: readonly T[]): T | undefined =>
  items.find(({ isDefault }) => isDefault) ?? items[0];

export interface VersionLanguage {
  readonly projectVersionId: string;
  readonly languageCode: string;
}
