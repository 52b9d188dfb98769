import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * The first schema, in SQL of both dialects. Foreign keys include the project version, so that the database itself
 * rejects a category or a language of another one. They are checked at the commit, so that an import may store a
 * child before its parent. Exactly one project version is the default, and one language of each.
 */
export async function createInitialSchema(db: Kysely<unknown>, text: Expression<unknown>): Promise<void> {
  const statements = [
    ...projectVersionTables(text),
    ...categoryTables(text),
    ...articleTables(text),
    ...articleTextTables(text),
    ...readerTables(text),
    ...readerGroupTables(text),
    ...readerGroupScopeTables(text),
  ];
  for (const statement of statements) await statement.execute(db);
}

type Statements = (text: Expression<unknown>) => readonly RawBuilder<unknown>[];

const deferred = sql`deferrable initially deferred`;

const projectVersionTables: Statements = (text) => [
  sql`create table project_versions (
    id ${text} not null primary key,
    name ${text} not null,
    is_default integer not null check (is_default in (0, 1)),
    position integer not null unique
  )`,
  sql`create unique index project_versions_default on project_versions (is_default) where is_default = 1`,
  sql`create table languages (
    project_version_id ${text} not null references project_versions (id) ${deferred},
    code ${text} not null,
    name ${text} not null,
    is_default integer not null check (is_default in (0, 1)),
    primary key (project_version_id, code)
  )`,
  sql`create unique index languages_default on languages (project_version_id) where is_default = 1`,
];

const categoryTables: Statements = (text) => [
  sql`create table categories (
    id ${text} not null primary key,
    project_version_id ${text} not null references project_versions (id) ${deferred},
    parent_category_id ${text},
    name ${text} not null,
    position integer not null,
    unique (id, project_version_id),
    foreign key (parent_category_id, project_version_id) references categories (id, project_version_id) ${deferred}
  )`,
  sql`create index categories_tree on categories (project_version_id, parent_category_id, position, id)`,
  sql`create index categories_children on categories (parent_category_id, position, id)`,
];

const articleTables: Statements = (text) => [
  sql`create table articles (
    id ${text} not null primary key,
    project_version_id ${text} not null references project_versions (id) ${deferred},
    category_id ${text},
    slug ${text},
    position integer not null,
    hidden integer not null check (hidden in (0, 1)),
    content_type ${text} not null check (content_type in ('MARKDOWN', 'WYSIWYG', 'BLOCK')),
    unique (id, project_version_id),
    foreign key (category_id, project_version_id) references categories (id, project_version_id) ${deferred}
  )`,
  sql`create index articles_of_category on articles (category_id, position, id)`,
];

/** The content is the last column: SQLite reads the columns before a long text without it. */
const articleTextTables: Statements = (text) => [
  sql`create table article_translations (
    project_version_id ${text} not null,
    language_code ${text} not null,
    article_id ${text} not null,
    latest_version_number integer not null,
    primary key (project_version_id, language_code, article_id),
    unique (article_id, language_code),
    foreign key (project_version_id, language_code) references languages (project_version_id, code) ${deferred},
    foreign key (article_id, project_version_id) references articles (id, project_version_id) ${deferred}
  )`,
  sql`create table article_versions (
    article_id ${text} not null,
    language_code ${text} not null,
    version_number integer not null,
    title ${text},
    translation_status ${text},
    source ${text},
    modified_at ${text},
    content ${text},
    primary key (article_id, language_code, version_number),
    foreign key (article_id, language_code) references article_translations (article_id, language_code) ${deferred}
  )`,
];

const readerTables: Statements = (text) => [
  sql`create table readers (
    id ${text} not null primary key,
    first_name ${text},
    last_name ${text},
    email ${text},
    email_folded ${text}
  )`,
  sql`create table invited_sso_users (
    id ${text} not null primary key,
    email ${text},
    email_folded ${text}
  )`,
];

const readerGroupTables: Statements = (text) => [
  sql`create table reader_groups (
    id ${text} not null primary key,
    position integer not null unique,
    title ${text} not null,
    description ${text},
    access_level ${text} not null
  )`,
  sql`create table reader_group_readers (
    group_id ${text} not null references reader_groups (id) ${deferred},
    position integer not null,
    reader_id ${text} not null references readers (id) ${deferred},
    primary key (group_id, position),
    unique (group_id, reader_id)
  )`,
  sql`create index reader_group_readers_of_reader on reader_group_readers (reader_id)`,
  sql`create table reader_group_invited_sso_users (
    group_id ${text} not null references reader_groups (id) ${deferred},
    position integer not null,
    invited_sso_user_id ${text} not null references invited_sso_users (id) ${deferred},
    primary key (group_id, position),
    unique (group_id, invited_sso_user_id)
  )`,
];

const readerGroupScopeTables: Statements = (text) => [
  sql`create table reader_group_scopes (
    group_id ${text} not null references reader_groups (id) ${deferred},
    position integer not null,
    project_version_id ${text} not null references project_versions (id) ${deferred},
    category_id ${text},
    language_code ${text},
    primary key (group_id, position),
    foreign key (category_id, project_version_id) references categories (id, project_version_id) ${deferred},
    foreign key (project_version_id, language_code) references languages (project_version_id, code) ${deferred}
  )`,
];
