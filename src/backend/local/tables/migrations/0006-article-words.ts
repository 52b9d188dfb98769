import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../../../../database/dialect.ts';
import { INDEXED_CHARACTERS } from '../../../../domain/articles/search-words.ts';
import { newWordRows, writeWords } from '../article-words.ts';

/** Adds the index of the words of the latest versions, for the search, in place of one that an earlier commit made. */
export async function addArticleWords(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { textType, wordIndex } = dialect;
  for (const statement of wordIndex.drop) await statement.execute(db);
  await sql`create table article_words (
    id integer not null primary key,
    article_id ${textType} not null,
    language_code ${textType} not null,
    title_digest ${textType} not null,
    content_digest ${textType} not null,
    unique (article_id, language_code),
    foreign key (article_id, language_code) references article_translations (article_id, language_code)
      deferrable initially deferred
  )`.execute(db);
  for (const statement of wordIndex.create) await statement.execute(db);
  await fillArticleWords(db, dialect);
}

interface LatestTexts {
  readonly article_id: string;
  readonly language_code: string;
  readonly title: string | null;
  readonly content: string | null;
}

/** The translations whose texts are read at one time. The beginning of a text is enough. */
const PAGE_SIZE = 50;

async function fillArticleWords(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  let after = { article_id: '', language_code: '' };
  for (let firstId = 1; ; firstId += PAGE_SIZE) {
    const { rows } = await selectTexts(after).execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    await writeWords({ db, dialect }, await newWordRows(rows, firstId));
    after = last;
  }
}

/** The next latest versions by their IDs. */
const selectTexts = (after: { readonly article_id: string; readonly language_code: string }) =>
  sql<LatestTexts>`
    select t.article_id, t.language_code, substr(v.title, 1, ${sql.lit(INDEXED_CHARACTERS)}) as title,
      substr(v.content, 1, ${sql.lit(INDEXED_CHARACTERS)}) as content
    from article_translations as t
    join article_versions as v on v.article_id = t.article_id and v.language_code = t.language_code
      and v.version_number = t.latest_version_number
    where (t.article_id, t.language_code) > (${after.article_id}, ${after.language_code})
    order by t.article_id, t.language_code limit ${sql.lit(PAGE_SIZE)}
  `;
