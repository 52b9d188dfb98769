import { type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from '../../../database/dialect.ts';
import type { Migrations } from '../../../database/migrations.ts';
import { titleKeyOf } from '../../../domain/articles/articles.ts';
import { hasBoundedWords, INDEXED_CHARACTERS } from '../../../domain/articles/search-words.ts';
import { newWordRows, searchWordsOf, writeWords } from './article-words.ts';

/** The changes of the schema in their order. A released one is never changed; later changes follow it. */
export const migrations: Migrations = (dialect) => ({
  '0001-initial': { up: (db) => executeAll(db, dialect, INITIAL_SCHEMA) },
  '0002-store-properties': { up: (db) => executeAll(db, dialect, STORE_PROPERTIES) },
  '0003-article-slugs': { up: (db) => executeAll(db, dialect, SLUG_INDEX) },
  '0004-article-lists': { up: (db) => addListColumns(db, dialect) },
  // Its index of words was replaced before a release had it. Stores of the first release know its name.
  '0005-article-words': { up: async () => {} },
  '0006-article-words': { up: (db) => addArticleWords(db, dialect) },
  '0007-bounded-words': { up: (db) => boundWords(db, dialect) },
});

/** Executes statements in SQL of both dialects, where TEXT is the type of a text, and DEFERRED the time of a check. */
async function executeAll(db: Kysely<unknown>, { textType }: SqlDialect, statements: string): Promise<void> {
  for (const statement of statements.replaceAll('DEFERRED', 'deferrable initially deferred').split(';')) {
    const parts = statement
      .trim()
      .split('TEXT')
      .map((part) => sql.raw(part));
    await sql.join(parts, textType).execute(db);
  }
}

/**
 * The first schema. Foreign keys include the project version, so that the database itself rejects a category or a language of
 * another one. They are checked at the commit, so that an import may store a child before its parent. Exactly one project
 * version is the default, and one language of each. The content of a version is its last column: SQLite reads the columns
 * before a long text without it.
 */
const INITIAL_SCHEMA = `
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

  create table article_translations (
    project_version_id TEXT not null,
    language_code TEXT not null,
    article_id TEXT not null,
    latest_version_number integer not null,
    primary key (project_version_id, language_code, article_id),
    unique (article_id, language_code),
    foreign key (project_version_id, language_code) references languages (project_version_id, code) DEFERRED,
    foreign key (article_id, project_version_id) references articles (id, project_version_id) DEFERRED
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
  )
`;

/** The fingerprint of the demo that every gateway with the first schema has put into an empty store. */
const FIRST_DEMO = '529433c6248088a15963b0b12746ce8ad30b5d47bb5e0159166b3781b7b8cfcf';

/** The properties of the store. A store that has the first demo gets its fingerprint, be it changed or not. */
const STORE_PROPERTIES = `
  create table store_properties (name TEXT not null primary key, value TEXT not null);
  insert into store_properties (name, value)
  select 'demo', '${FIRST_DEMO}' from project_versions where id = 'fernlight-2'
`;

/**
 * The index by which an article is found by its slug. Only the beginning of a slug is in it, since PostgreSQL refuses long
 * texts in an index.
 */
const SLUG_INDEX = 'create index articles_by_slug on articles (substr(slug, 1, 100), id)';

/**
 * Copies what lists are filtered and sorted by to the translations, from their latest versions and their articles, so
 * that indexes have it. Unknown times and titles are '', which sorts before all others.
 */
async function addListColumns(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await executeAll(db, dialect, LIST_COLUMNS);
  await fillListColumns(db, dialect);
  await executeAll(db, dialect, LIST_INDEXES);
}

const LIST_COLUMNS = `
  alter table article_translations add column title_key TEXT not null default '';
  alter table article_translations add column modified_at TEXT not null default '';
  alter table article_translations add column translation_status TEXT;
  alter table article_translations add column hidden integer not null default 0
`;

const LIST_INDEXES = `
  create index article_translations_by_title
    on article_translations (project_version_id, language_code, title_key, article_id);
  create index article_translations_by_time
    on article_translations (project_version_id, language_code, modified_at, article_id);
  create index article_translations_by_status
    on article_translations (project_version_id, language_code, translation_status, article_id);
  create index article_translations_hidden
    on article_translations (project_version_id, language_code, article_id) where hidden = 1
`;

interface ListedValues {
  readonly title: string | null;
  readonly modified_at: string | null;
  readonly translation_status: string | null;
  readonly hidden: number;
}

async function fillListColumns(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const columns = {
    article_id: 'text',
    language_code: 'text',
    title_key: 'text',
    modified_at: 'text',
    translation_status: 'text?',
    hidden: 'integer',
  } as const;
  const pages = latestVersions<ListedValues>(db, {
    columns: sql`substr(v.title, 1, 200) as title, v.modified_at, v.translation_status, a.hidden`,
    join: sql`join articles as a on a.id = t.article_id`,
    pageSize: 1_000,
  });
  for await (const page of pages) {
    const rows = page.map(({ title, modified_at, ...row }) => ({
      ...row,
      title_key: titleKeyOf(title),
      modified_at: modified_at ?? '',
    }));
    await sql`
      update article_translations set title_key = u.title_key, modified_at = u.modified_at,
        translation_status = u.translation_status, hidden = u.hidden
      from ${dialect.jsonTable({ alias: 'u', rows, columns })}
      where article_translations.article_id = u.article_id and article_translations.language_code = u.language_code
    `.execute(db);
  }
}

/** The latest versions in the index of words. */
const ARTICLE_WORDS = `create table article_words (
  id integer not null primary key,
  article_id TEXT not null,
  language_code TEXT not null,
  title_digest TEXT not null,
  content_digest TEXT not null,
  unique (article_id, language_code),
  foreign key (article_id, language_code) references article_translations (article_id, language_code) DEFERRED
)`;

/** Adds the index of the words of the latest versions, for the search. */
async function addArticleWords(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await executeAll(db, dialect, ARTICLE_WORDS);
  for (const statement of dialect.wordIndex.create) await statement.execute(db);
  let firstId = 1;
  for await (const page of latestVersions<Texts>(db, { columns: texts, pageSize: TEXT_PAGE_SIZE })) {
    await writeWords({ db, dialect }, await newWordRows(page, firstId));
    firstId += page.length;
  }
}

/**
 * Indexes the words of texts again that have bounds since this release: of runs of marks, and of what a text becomes when
 * its characters are decomposed. The words of all other texts are the same as before.
 */
async function boundWords(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const pages = latestVersions<Texts & { id: number; title_digest: string; content_digest: string }>(db, {
    columns: sql`${texts}, w.id, w.title_digest, w.content_digest`,
    join: sql`join article_words as w on w.article_id = t.article_id and w.language_code = t.language_code`,
    pageSize: TEXT_PAGE_SIZE,
  });
  for await (const page of pages) {
    const bounded = page.filter(({ title, content }) => [title, content].some((text) => hasBoundedWords(text ?? '')));
    const words = await searchWordsOf(bounded);
    await writeWords(
      { db, dialect },
      bounded.map((row, index) => ({ ...row, ...words[index] })),
    );
  }
}

interface Texts {
  readonly title: string | null;
  readonly content: string | null;
}

/** The beginning of a text is enough. */
const texts = sql`substr(v.title, 1, ${sql.lit(INDEXED_CHARACTERS)}) as title,
  substr(v.content, 1, ${sql.lit(INDEXED_CHARACTERS)}) as content`;

/** The translations whose texts are read at one time. */
const TEXT_PAGE_SIZE = 50;

interface TranslationKey {
  readonly article_id: string;
  readonly language_code: string;
}

interface LatestVersionsOptions {
  /** The columns beside the key, of the translation `t`, its latest version `v` and what is joined. */
  readonly columns: RawBuilder<unknown>;
  readonly join?: RawBuilder<unknown>;
  readonly pageSize: number;
}

/** The latest versions of all translations, page by page. */
async function* latestVersions<Row>(
  db: Kysely<unknown>,
  { columns, join = sql``, pageSize }: LatestVersionsOptions,
): AsyncGenerator<readonly (TranslationKey & Row)[]> {
  for (let after: TranslationKey | undefined = { article_id: '', language_code: '' }; after !== undefined; ) {
    const { rows }: QueryResult<TranslationKey & Row> = await sql<TranslationKey & Row>`
      select t.article_id, t.language_code, ${columns}
      from article_translations as t
      join article_versions as v on v.article_id = t.article_id and v.language_code = t.language_code
        and v.version_number = t.latest_version_number
      ${join}
      where (t.article_id, t.language_code) > (${after.article_id}, ${after.language_code})
      order by t.article_id, t.language_code limit ${sql.lit(pageSize)}
    `.execute(db);
    if (rows.length > 0) yield rows;
    after = rows.at(-1);
  }
}
