import { type Kysely, sql } from 'kysely';
import { INDEXED_CHARACTERS } from '../../core/articles/search-words.ts';
import type { SqlDialect } from '../database/dialect.ts';
import type { Migrations } from '../database/migrations.ts';
import { insertWords, newWordRows, WORD_TEXTS } from './article-words.ts';

/**
 * The changes of the schema in their order. A released one is never changed; later changes follow it. The steps before
 * the first release were merged into one. Stores that made them one by one know their names.
 */
export const migrations: Migrations = (dialect) => ({
  '0001-initial': NO_CHANGE,
  '0002-store-properties': NO_CHANGE,
  '0003-article-slugs': NO_CHANGE,
  '0004-article-lists': NO_CHANGE,
  '0005-article-words': NO_CHANGE,
  '0006-article-words': { up: (db) => createSchema(db, dialect) },
  '0007-bounded-words': { up: (db) => indexWordsAgain(db, dialect) },
  '0008-publication': { up: (db) => runStatements(db, dialect, PUBLICATION) },
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
 * PostgreSQL refuses long texts in an index.
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
    content TEXT,
    primary key (article_id, language_code, version_number),
    foreign key (article_id, language_code) references article_translations (article_id, language_code) DEFERRED
  );

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

/**
 * Adds statuses, public versions, and who wrote what. Every store has a team account that no import changes, so that
 * writes can name one. The new columns of versions come after the content, so lists read copies of them.
 */
const PUBLICATION = `
  create table team_accounts (
    id TEXT not null primary key,
    position integer not null unique,
    first_name TEXT,
    last_name TEXT
  );
  insert into team_accounts (id, position, first_name, last_name)
    values ('embedded-store', 1, null, 'Embedded store');

  alter table articles add column url TEXT;

  alter table article_translations add column status TEXT not null default 'DRAFT' check (status in ('DRAFT', 'PUBLISHED'));
  alter table article_translations add column public_version_number integer;
  create index article_translations_by_publication
    on article_translations (project_version_id, language_code, status, article_id);

  alter table article_versions add column status TEXT not null default 'DRAFT' check (status in ('DRAFT', 'PUBLISHED'));
  alter table article_versions add column description TEXT;
  alter table article_versions add column created_at TEXT;
  alter table article_versions add column created_by TEXT;
  alter table article_versions add column authors TEXT
`;

/** The version from which a draft was copied. It is not known of older versions. */
const FORKS = 'alter table article_versions add column base_version integer';

/** The translations whose texts are read at one time. */
const PAGE_SIZE = 50;

interface Translation {
  readonly article_id: string;
  readonly language_code: string;
}

/** Indexes the words of all latest versions again, in the order of their keys. The beginning of a text is enough. */
async function indexWordsAgain(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await sql`delete from article_words`.execute(db);
  const length = sql.lit(INDEXED_CHARACTERS);
  let firstId = 1;
  for (let after: Translation | undefined = { article_id: '', language_code: '' }; after !== undefined; ) {
    const { rows } = await sql<Translation & { title: string | null; content: string | null }>`
      select t.article_id, t.language_code, substr(v.title, 1, ${length}) as title, substr(v.content, 1, ${length}) as content
      from article_translations as t
      join article_versions as v on v.article_id = t.article_id and v.language_code = t.language_code
        and v.version_number = t.latest_version_number
      where (t.article_id, t.language_code) > (${after.article_id}, ${after.language_code})
      order by t.article_id, t.language_code limit ${sql.lit(PAGE_SIZE)}
    `.execute(db);
    await insertWords({ db, dialect }, newWordRows(rows, firstId));
    firstId += rows.length;
    after = rows.at(-1);
  }
}
