import type { ArticleTranslationStatus } from './articles.ts';
import type { SearchWord } from './search-words.ts';

/** The properties that the articles of a list have in common. An absent member selects all. */
export interface ArticleFilter {
  /** Each of them is in the title or in the content. */
  readonly words?: readonly SearchWord[] | undefined;
  readonly hidden?: boolean | undefined;
  /** At least one status, each of them once. */
  readonly translationStatuses?: readonly ArticleTranslationStatus[] | undefined;
  /** Leaves out articles whose time is not known. */
  readonly modifiedSince?: Date | undefined;
}

/** `ID` is the order that a list has by itself. */
export type ArticleOrder = 'ID' | 'TITLE' | 'MODIFIED_AT_DESC';

/** Selects articles of a list. Absent members stand for the defaults, and for all categories. */
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
export function titleKeyOf(title: string | null): string {
  // Twice as many UTF-16 units have at least as many characters.
  const start = (title ?? '').slice(0, 2 * SORTED_CHARACTERS);
  return Array.from(Array.from(start).slice(0, SORTED_CHARACTERS).join('').toLowerCase())
    .slice(0, SORTED_CHARACTERS)
    .join('');
}
