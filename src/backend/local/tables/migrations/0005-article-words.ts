import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../../../../database/dialect.ts';
import { INDEXED_CHARACTERS } from '../../../../domain/articles/search-words.ts';
import { searchWordsOf } from '../article-words.ts';

/** Adds the words of the latest versions and their index, for the search. */
export async function addArticleWords(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { textType, wordIndex } = dialect;
  await sql`create table article_words (
    ${wordIndex.rowId},
    article_id ${textType} not null,
    language_code ${textType} not null,
    title ${textType} not null,
    content ${textType} not null,
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
  for (;;) {
    const { rows } = await selectTexts(after).execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    await insertWords(dialect, rows, await searchWordsOf(rows)).execute(db);
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

function insertWords(
  dialect: SqlDialect,
  texts: readonly LatestTexts[],
  words: readonly Pick<LatestTexts, 'title' | 'content'>[],
) {
  const rows = texts.map(({ article_id, language_code }, index) => ({
    article_id,
    language_code,
    title: words[index]?.title ?? '',
    content: words[index]?.content ?? '',
  }));
  const columns = { article_id: 'text', language_code: 'text', title: 'text', content: 'text' } as const;
  return sql`
    insert into article_words (article_id, language_code, title, content)
    select article_id, language_code, title, content from ${dialect.jsonTable({ alias: 'k', rows, columns })}
  `;
}
