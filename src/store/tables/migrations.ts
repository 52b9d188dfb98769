import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../database/dialect.ts';
import type { Migrations } from '../database/migrations.ts';
import { WORD_TEXTS } from './article-words.ts';

/**
 * The changes of the schema in their order. A released one is never changed; later changes follow it. Steps from before the
 * first release are one. Stores that made them one by one know their names.
 */
export const migrations: Migrations = (dialect) => ({
  '0001-initial': NO_CHANGE,
  '0002-store-properties': NO_CHANGE,
  '0003-article-slugs': NO_CHANGE,
  '0004-article-lists': NO_CHANGE,
  '0005-article-words': NO_CHANGE,
  '0006-article-words': NO_CHANGE,
  '0007-bounded-words': NO_CHANGE,
  '0008-publication': { up: (db) => createSchema(db, dialect) },
  '0009-forks': { up: (db) => runStatements(db, dialect, FORKS) },
});

const NO_CHANGE = { up: async () => {} };

/** Creates the tables of `SCHEMA`, where TEXT is the type of a text, and DEFERRED the time of a check. */
async function createSchema(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await runStatements(db, dialect, SCHEMA);
  for (const statement of WORD_TEXTS.flatMap(dialect.wordIndex.create)) await statement.execute(db);
}

async function runStatements(db: Kysely<unknown>, { textType }: SqlDialect, statements: string): Promise<void> {
  for (const statement of statements.replaceAll('DEFERRED', 'deferrable initially deferred').split(';')) {
    const parts = statement
      .trim()
      .split('TEXT')
      .map((part) => sql.raw(part));
    await sql.join(parts, textType).execute(db);
  }
}

/**
 * Foreign keys include the project version, so that the database itself rejects a category or a language of another one.
 * They are checked at the commit, so that an import may store a child before its parent. Exactly one project version is the
 * default, and one language of each. The content of a version is its last column: SQLite reads the columns before a long text
 * without it. Lists are filtered and sorted by columns of the translations, which are copies from their latest versions and
 * their articles, so that indexes have them. Only the beginning of a slug is in the index by which an article is found, since
 * PostgreSQL refuses long texts in an index. Every store has a team account that no import changes, so that writes can name
 * one.
 */
const SCHEMA = `
  create table project_versions (
    id TEXT not null primary key,
    name TEXT not null,
    is_default integer not null check (is_default in (0, 1)),
    position integer not null unique
  );
  create unique index project_versions_default on project_versions (is_default) where is_default = 1;

  create table languages (
    project_version_id TEXT not null references project_versions (id) DEFERRED,
    code TEXT not null,
    name TEXT not null,
    is_default integer not null check (is_default in (0, 1)),
    primary key (project_version_id, code)
  );
  create unique index languages_default on languages (project_version_id) where is_default = 1;

  create table categories (
    id TEXT not null primary key,
    project_version_id TEXT not null references project_versions (id) DEFERRED,
    parent_category_id TEXT,
    name TEXT not null,
    position integer not null,
    unique (id, project_version_id),
    foreign key (parent_category_id, project_version_id) references categories (id, project_version_id) DEFERRED
  );
  create index categories_tree on categories (project_version_id, parent_category_id, position, id);
  create index categories_children on categories (parent_category_id, position, id);

  create table articles (
    id TEXT not null primary key,
    project_version_id TEXT not null references project_versions (id) DEFERRED,
    category_id TEXT,
    slug TEXT,
    position integer not null,
    hidden integer not null check (hidden in (0, 1)),
    content_type TEXT not null check (content_type in ('MARKDOWN', 'WYSIWYG', 'BLOCK')),
    url TEXT,
    unique (id, project_version_id),
    foreign key (category_id, project_version_id) references categories (id, project_version_id) DEFERRED
  );
  create index articles_of_category on articles (category_id, position, id);
  create index articles_by_slug on articles (substr(slug, 1, 100), id);

  create table article_translations (
    project_version_id TEXT not null,
    language_code TEXT not null,
    article_id TEXT not null,
    latest_version_number integer not null,
    title_key TEXT not null,
    modified_at TEXT not null,
    translation_status TEXT,
    hidden integer not null check (hidden in (0, 1)),
    status TEXT not null check (status in ('DRAFT', 'PUBLISHED')),
    public_version_number integer,
    primary key (project_version_id, language_code, article_id),
    unique (article_id, language_code),
    foreign key (project_version_id, language_code) references languages (project_version_id, code) DEFERRED,
    foreign key (article_id, project_version_id) references articles (id, project_version_id) DEFERRED
  );
  create index article_translations_by_title
    on article_translations (project_version_id, language_code, title_key, article_id);
  create index article_translations_by_time
    on article_translations (project_version_id, language_code, modified_at, article_id);
  create index article_translations_by_status
    on article_translations (project_version_id, language_code, translation_status, article_id);
  create index article_translations_hidden
    on article_translations (project_version_id, language_code, article_id) where hidden = 1;
  create index article_translations_by_publication
    on article_translations (project_version_id, language_code, status, article_id);

  create table article_words (
    id integer not null primary key,
    article_id TEXT not null,
    language_code TEXT not null,
    title_digest TEXT not null,
    content_digest TEXT not null,
    unique (article_id, language_code),
    foreign key (article_id, language_code) references article_translations (article_id, language_code) DEFERRED
  );

  create table article_versions (
    article_id TEXT not null,
    language_code TEXT not null,
    version_number integer not null,
    title TEXT,
    translation_status TEXT,
    source TEXT,
    modified_at TEXT,
    status TEXT not null check (status in ('DRAFT', 'PUBLISHED')),
    description TEXT,
    created_at TEXT,
    created_by TEXT,
    authors TEXT,
    content TEXT,
    primary key (article_id, language_code, version_number),
    foreign key (article_id, language_code) references article_translations (article_id, language_code) DEFERRED
  );

  create table team_accounts (
    id TEXT not null primary key,
    position integer not null unique,
    first_name TEXT,
    last_name TEXT
  );
  insert into team_accounts (id, position, first_name, last_name)
    values ('embedded-store', 1, null, 'Embedded store');

  create table readers (
    id TEXT not null primary key,
    first_name TEXT,
    last_name TEXT,
    email TEXT,
    email_folded TEXT
  );

  create table invited_sso_users (
    id TEXT not null primary key,
    email TEXT,
    email_folded TEXT
  );

  create table reader_groups (
    id TEXT not null primary key,
    position integer not null unique,
    title TEXT not null,
    description TEXT,
    access_level TEXT not null
  );

  create table reader_group_readers (
    group_id TEXT not null references reader_groups (id) DEFERRED,
    position integer not null,
    reader_id TEXT not null references readers (id) DEFERRED,
    primary key (group_id, position),
    unique (group_id, reader_id)
  );
  create index reader_group_readers_of_reader on reader_group_readers (reader_id);

  create table reader_group_invited_sso_users (
    group_id TEXT not null references reader_groups (id) DEFERRED,
    position integer not null,
    invited_sso_user_id TEXT not null references invited_sso_users (id) DEFERRED,
    primary key (group_id, position),
    unique (group_id, invited_sso_user_id)
  );

  create table reader_group_scopes (
    group_id TEXT not null references reader_groups (id) DEFERRED,
    position integer not null,
    project_version_id TEXT not null references project_versions (id) DEFERRED,
    category_id TEXT,
    language_code TEXT,
    primary key (group_id, position),
    foreign key (category_id, project_version_id) references categories (id, project_version_id) DEFERRED,
    foreign key (project_version_id, language_code) references languages (project_version_id, code) DEFERRED
  );

  create table store_properties (name TEXT not null primary key, value TEXT not null)
`;

/** The version from which a draft was copied. It is not known of older versions. */
const FORKS = 'alter table article_versions add column base_version integer';
