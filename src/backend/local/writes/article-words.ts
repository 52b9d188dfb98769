import type { RowOf, RowsParameter } from '../../../database/dialect.ts';
import { defineStatement } from '../../../database/statements.ts';
import { searchWordsOf, textDigestOf, writeWords } from '../tables/article-words.ts';
import type { StoreDatabase } from '../tables/store-database.ts';

const VERSION_KEY = { article_id: 'text', language_code: 'text', version_number: 'integer' } as const;

/** A version with its new texts; null for a text that stays. */
type NewTexts = RowOf<typeof VERSION_KEY> & { readonly title: string | null; readonly content: string | null };

/** Updates the words of latest versions whose title or content changes. */
export async function updateArticleWords(transaction: StoreDatabase, versions: readonly NewTexts[]): Promise<void> {
  const changed = await findChangedTexts(transaction, versions);
  const words = await searchWordsOf(changed);
  await writeWords(
    transaction,
    changed.map((row, index) => ({ ...row, title: null, content: null, ...words[index] })),
  );
}

/** The indexed rows with their new texts, by their IDs; null for a text that stays as it is. */
async function findChangedTexts(transaction: StoreDatabase, versions: readonly NewTexts[]) {
  const changes = versions.filter(({ title, content }) => title !== null || content !== null);
  if (changes.length === 0) return [];
  const keys = changes.map(({ article_id, language_code, version_number }, n) => ({
    n,
    article_id,
    language_code,
    version_number,
  }));
  const stored = await selectWordRows(transaction, keys);
  return stored.flatMap(({ n, ...row }) => {
    const { title = null, content = null } = changes[n] ?? {};
    const titleDigest = title === null ? row.title_digest : textDigestOf(title);
    const contentDigest = content === null ? row.content_digest : textDigestOf(content);
    const newTitle = titleDigest === row.title_digest ? null : title;
    const newContent = contentDigest === row.content_digest ? null : content;
    if (newTitle === null && newContent === null) return [];
    return [{ ...row, title_digest: titleDigest, content_digest: contentDigest, title: newTitle, content: newContent }];
  });
}

const KEY_COLUMNS = { n: 'integer', ...VERSION_KEY } as const;

/** Selects the indexed rows of the latest versions among some, each with the index of its version. */
const selectWordRows = defineStatement(
  ({ db, dialect }: StoreDatabase, rows: RowsParameter<RowOf<typeof KEY_COLUMNS>>) =>
    db
      .selectFrom(dialect.jsonTable({ alias: 'k', rows, columns: KEY_COLUMNS }))
      .innerJoin('article_translations as t', (join) =>
        join
          .onRef('t.article_id', '=', 'k.article_id')
          .onRef('t.language_code', '=', 'k.language_code')
          .onRef('t.latest_version_number', '=', 'k.version_number'),
      )
      .innerJoin('article_words as w', (join) =>
        join.onRef('w.article_id', '=', 'k.article_id').onRef('w.language_code', '=', 'k.language_code'),
      )
      .select(['k.n', 'w.id', 'w.article_id', 'w.language_code', 'w.title_digest', 'w.content_digest'])
      .orderBy('w.id')
      .compile(),
);
