import type { ColumnTypes } from '../../../database/dialect.ts';
import type { ArticleContentType, ArticleTranslationStatus } from '../../../domain/articles/articles.ts';
import type { KnownAccessLevel } from '../../../domain/reader-groups/access-scopes.ts';

/**
 * The tables that the migrations create. Their columns are text and integers alone, which both dialects treat alike:
 * a flag is 0 or 1, a time is ISO 8601 in UTC, and a `position` of 0 means that none was set.
 */
export interface Tables {
  project_versions: { id: string; name: string; is_default: number; position: number };
  languages: { project_version_id: string; code: string; name: string; is_default: number };
  categories: {
    id: string;
    project_version_id: string;
    parent_category_id: string | null;
    name: string;
    position: number;
  };
  articles: {
    id: string;
    project_version_id: string;
    category_id: string | null;
    slug: string | null;
    position: number;
    hidden: number;
    content_type: ArticleContentType;
  };
  /**
   * One row per article and language. Lists read its indexes, so that every page of them costs the same. The last four
   * columns are copies of the latest version and of the article: `title_key` is by `titleKeyOf`, an unknown time is ''.
   */
  article_translations: {
    project_version_id: string;
    language_code: string;
    article_id: string;
    latest_version_number: number;
    title_key: string;
    modified_at: string;
    translation_status: ArticleTranslationStatus | null;
    hidden: number;
  };
  /**
   * The latest version of each translation in the index of words, by `id`. The digests are of its texts, by
   * `textDigestOf`: an equal text is not indexed again.
   */
  article_words: {
    id: number;
    article_id: string;
    language_code: string;
    title_digest: string;
    content_digest: string;
  };
  article_versions: {
    article_id: string;
    language_code: string;
    version_number: number;
    title: string | null;
    translation_status: ArticleTranslationStatus | null;
    source: string | null;
    modified_at: string | null;
    content: string | null;
  };
  /** `email_folded` is the address in lower case by JavaScript: the dialects fold other alphabets differently. */
  readers: {
    id: string;
    first_name: string | null;
    last_name: string | null;
    email: string | null;
    email_folded: string | null;
  };
  /** `email_folded` is the same as in `readers`. */
  invited_sso_users: { id: string; email: string | null; email_folded: string | null };
  reader_groups: {
    id: string;
    position: number;
    title: string;
    description: string | null;
    access_level: KnownAccessLevel;
  };
  reader_group_readers: { group_id: string; position: number; reader_id: string };
  reader_group_invited_sso_users: { group_id: string; position: number; invited_sso_user_id: string };
  /** The entries of a scope's list: a category in a language, a project version, or a language. */
  reader_group_scopes: {
    group_id: string;
    position: number;
    project_version_id: string;
    category_id: string | null;
    language_code: string | null;
  };
  /** Properties of the store as a whole: see `store-properties.ts`. */
  store_properties: { name: string; value: string };
}

export const TABLE_COLUMNS: { readonly [Table in keyof Tables]: ColumnTypes<Tables[Table]> } = {
  project_versions: { id: 'text', name: 'text', is_default: 'integer', position: 'integer' },
  languages: { project_version_id: 'text', code: 'text', name: 'text', is_default: 'integer' },
  categories: {
    id: 'text',
    project_version_id: 'text',
    parent_category_id: 'text',
    name: 'text',
    position: 'integer',
  },
  articles: {
    id: 'text',
    project_version_id: 'text',
    category_id: 'text',
    slug: 'text',
    position: 'integer',
    hidden: 'integer',
    content_type: 'text',
  },
  article_translations: {
    project_version_id: 'text',
    language_code: 'text',
    article_id: 'text',
    latest_version_number: 'integer',
    title_key: 'text',
    modified_at: 'text',
    translation_status: 'text',
    hidden: 'integer',
  },
  article_words: {
    id: 'integer',
    article_id: 'text',
    language_code: 'text',
    title_digest: 'text',
    content_digest: 'text',
  },
  article_versions: {
    article_id: 'text',
    language_code: 'text',
    version_number: 'integer',
    title: 'text',
    translation_status: 'text',
    source: 'text',
    modified_at: 'text',
    content: 'text',
  },
  readers: { id: 'text', first_name: 'text', last_name: 'text', email: 'text', email_folded: 'text' },
  invited_sso_users: { id: 'text', email: 'text', email_folded: 'text' },
  reader_groups: { id: 'text', position: 'integer', title: 'text', description: 'text', access_level: 'text' },
  reader_group_readers: { group_id: 'text', position: 'integer', reader_id: 'text' },
  reader_group_invited_sso_users: { group_id: 'text', position: 'integer', invited_sso_user_id: 'text' },
  reader_group_scopes: {
    group_id: 'text',
    position: 'integer',
    project_version_id: 'text',
    category_id: 'text',
    language_code: 'text',
  },
  store_properties: { name: 'text', value: 'text' },
};
