import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../../../../database/dialect.ts';
import { hasBoundedWords, INDEXED_CHARACTERS } from '../../../../domain/articles/search-words.ts';
import { searchWordsOf, writeWords } from '../article-words.ts';

interface IndexedTexts {
  readonly id: number;
  readonly article_id: string;
  readonly language_code: string;
  readonly title_digest: string;
  readonly content_digest: string;
  readonly title: string | null;
  readonly content: string | null;
}

/** The translations whose texts are read at one time. The beginning of a text is enough. */
const PAGE_SIZE = 50;

/**
 * Indexes the words of texts again that have bounds since this release: of runs of marks, and of what a text becomes when
 * its characters are decomposed. The words of all other texts are the same as before.
 */
export async function boundWords(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  let after = 0;
  for (;;) {
    const { rows } = await selectTexts(after).execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    const bounded = rows.filter(({ title, content }) => [title, content].some((text) => hasBoundedWords(text ?? '')));
    const words = await searchWordsOf(bounded);
    await writeWords(
      { db, dialect },
      bounded.map((row, index) => ({ ...row, ...words[index] })),
    );
    after = last.id;
  }
}

/** The next translations by the IDs of their words, with the texts of their latest versions. */
const selectTexts = (after: number) =>
  sql<IndexedTexts>`
    select w.id, w.article_id, w.language_code, w.title_digest, w.content_digest,
      substr(v.title, 1, ${sql.lit(INDEXED_CHARACTERS)}) as title,
      substr(v.content, 1, ${sql.lit(INDEXED_CHARACTERS)}) as content
    from article_words as w
    join article_translations as t on t.article_id = w.article_id and t.language_code = w.language_code
    join article_versions as v on v.article_id = t.article_id and v.language_code = t.language_code
      and v.version_number = t.latest_version_number
    where w.id > ${after} order by w.id limit ${sql.lit(PAGE_SIZE)}
  `;
