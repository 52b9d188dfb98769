import { sql } from 'kysely';
import type { ArticleContentType, ArticleStatus, ArticleTranslationStatus } from '../../core/articles/articles.ts';
import type { KnownAccessLevel } from '../../core/reader-groups/access-scopes.ts';
import type { Columns, ColumnTypes, Database, RowOf, SqlDialect } from '../database/dialect.ts';

/**
 * The tables that the migrations create. Their columns are text and integers alone, which are the same in both
 * dialects: a flag is 0 or 1, a time is ISO 8601 in UTC, and a `position` of 0 means that none was set.
 */
const COLUMNS = {
  project_versions: { id: 'text', name: 'text', is_default: 'integer', position: 'integer' },
  languages: { project_version_id: 'text', code: 'text', name: 'text', is_default: 'integer' },
  categories: {
    id: 'text',
    project_version_id: 'text',
    parent_category_id: 'text?',
    name: 'text',
    position: 'integer',
  },
  articles: {
    id: 'text',
    project_version_id: 'text',
    category_id: 'text?',
    slug: 'text?',
    position: 'integer',
    hidden: 'integer',
    content_type: 'text',
    url: 'text?',
  },
  /**
   * One row per article and language. Lists read its indexes, so that every page of them costs the same. Its columns from
   * `title_key` to `hidden`, and `status`, are copies of the latest version and of the article: `title_key` is by
   * `titleKeyOf`, an unknown time is ''.
   */
  article_translations: {
    project_version_id: 'text',
    language_code: 'text',
    article_id: 'text',
    latest_version_number: 'integer',
    title_key: 'text',
    modified_at: 'text',
    translation_status: 'text?',
    hidden: 'integer',
    status: 'text',
    public_version_number: 'integer?',
  },
  /**
   * The latest version of each translation in the index of words, by `id`. The digests are of its texts, by
   * `textDigestOf`: an equal text is not indexed again.
   */
  article_words: {
    id: 'integer',
    article_id: 'text',
    language_code: 'text',
    title_digest: 'text',
    content_digest: 'text',
  },
  /** `created_by` is the ID of a team account, and `authors` a list of them, by `toAuthorsColumn`. */
  article_versions: {
    article_id: 'text',
    language_code: 'text',
    version_number: 'integer',
    title: 'text?',
    translation_status: 'text?',
    source: 'text?',
    modified_at: 'text?',
    content: 'text?',
    status: 'text',
    description: 'text?',
    created_at: 'text?',
    created_by: 'text?',
    authors: 'text?',
    base_version: 'integer?',
  },
  team_accounts: { id: 'text', position: 'integer', first_name: 'text?', last_name: 'text?' },
  /** `email_folded` is the address in lower case by JavaScript: the dialects fold other alphabets differently. */
  readers: { id: 'text', first_name: 'text?', last_name: 'text?', email: 'text?', email_folded: 'text?' },
  /** `email_folded` is the same as in `readers`. */
  invited_sso_users: { id: 'text', email: 'text?', email_folded: 'text?' },
  reader_groups: { id: 'text', position: 'integer', title: 'text', description: 'text?', access_level: 'text' },
  reader_group_readers: { group_id: 'text', position: 'integer', reader_id: 'text' },
  reader_group_invited_sso_users: { group_id: 'text', position: 'integer', invited_sso_user_id: 'text' },
  /** The entries of a scope's list: a category in a language, a project version, or a language. */
  reader_group_scopes: {
    group_id: 'text',
    position: 'integer',
    project_version_id: 'text',
    category_id: 'text?',
    language_code: 'text?',
  },
  /** Properties of the store as a whole: see `store-properties.ts`. */
  store_properties: { name: 'text', value: 'text' },
} as const satisfies Record<string, Columns>;

interface Statuses {
  readonly translation_status: ArticleTranslationStatus | null;
  readonly status: StoredStatus;
}

export type StoredStatus = Exclude<ArticleStatus, 'UNRECOGNIZED'>;

/** The types of the columns that hold one of several fixed texts. */
interface NamedValues {
  readonly articles: { readonly content_type: ArticleContentType };
  readonly article_translations: Statuses;
  readonly article_versions: Statuses;
  readonly reader_groups: { readonly access_level: KnownAccessLevel };
}

type NamedValuesOf<Table> = Table extends keyof NamedValues ? NamedValues[Table] : unknown;

export type Tables = {
  [Table in keyof typeof COLUMNS]: RowOf<(typeof COLUMNS)[Table]> & NamedValuesOf<Table>;
};

export type StoreDatabase = Database<Tables>;

export const TABLE_COLUMNS: { readonly [Table in keyof Tables]: ColumnTypes<Tables[Table]> } = COLUMNS;

/**
 * The value of a set flag in the conditions of partial indexes. It is no parameter: SQLite would compile the statement
 * again for each value that decides about an index.
 */
export const IS_SET = sql.lit<number>(1);

/** A list of team accounts as JSON, with their positions; null where it is empty. */
export const toAuthorsColumn = (userIds: readonly string[]): string | null =>
  userIds.length === 0 ? null : JSON.stringify(userIds.map((id, n): RowOf<typeof AUTHOR_COLUMNS> => ({ n, id })));

/** The IDs of a list by `toAuthorsColumn`. */
export function authorsOf(column: string | null): readonly string[] {
  const authors: readonly RowOf<typeof AUTHOR_COLUMNS>[] = column === null ? [] : JSON.parse(column);
  return authors.map(({ id }) => id);
}

const AUTHOR_COLUMNS = { n: 'integer', id: 'text' } as const;

/** The authors of the row `v` of a version, as a table `author`. */
export const authorsTable = ({ jsonTable }: SqlDialect) =>
  jsonTable({
    alias: 'author',
    rows: sql<readonly RowOf<typeof AUTHOR_COLUMNS>[]>`v.authors`,
    columns: AUTHOR_COLUMNS,
  });
