import { titleKeyOf } from '../../../src/core/articles/articles.ts';
import { indexedWordsOf } from '../../../src/core/articles/search-words.ts';
import { textDigestOf } from '../../../src/store/tables/article-words.ts';
import type { Query, Row } from './query.ts';

export interface TextChange {
  readonly articleId: string;
  readonly title: string;
  readonly content: string;
}

/** The statements of an update, each with rows as one JSON text. They write what the store writes. */
export interface UpdateStatements {
  /** Reads what is to be updated, by the IDs of the articles, in the order of the index of words. */
  readonly select: string;
  readonly updateVersions: string;
  readonly updateTranslations: string;
  readonly updateDigests: string;
  readonly writeTitleWords: string;
  readonly writeContentWords: string;
}

/** Updates the articles, and returns an outcome for each. Runs in a transaction of the caller. */
export async function updateArticles(
  query: Query,
  statements: UpdateStatements,
  changes: readonly TextChange[],
): Promise<unknown> {
  const found = await query(statements.select, [JSON.stringify(changes.map(({ articleId }) => articleId))]);
  const byId = new Map(changes.map((change) => [change.articleId, change]));
  const rows = found.flatMap(({ article_id, word_id }) => {
    const change = byId.get(String(article_id));
    return change ? [rowOf(change, word_id)] : [];
  });
  const modifiedAt = new Date().toISOString();
  const texts = rows.map(({ article_id, title, content }) => ({ article_id, title, content }));
  const keys = rows.map(({ article_id, title_key }) => ({ article_id, title_key }));
  const digests = rows.map(({ id, title_digest, content_digest }) => ({ id, title_digest, content_digest }));
  const titleWords = rows.map(({ id, title_words }) => ({ id, title_words }));
  const contentWords = rows.map(({ id, content_words }) => ({ id, content_words }));
  await query(statements.updateVersions, [JSON.stringify(texts), modifiedAt]);
  await query(statements.updateTranslations, [JSON.stringify(keys), modifiedAt]);
  await query(statements.updateDigests, [JSON.stringify(digests)]);
  await query(statements.writeTitleWords, [JSON.stringify(titleWords)]);
  await query(statements.writeContentWords, [JSON.stringify(contentWords)]);
  const updated = new Set(found.map(({ article_id }) => article_id));
  return changes.map(({ articleId }) => ({
    __typename: updated.has(articleId) ? 'ArticleUpdated' : 'ArticleUpdateFailed',
    articleId,
  }));
}

const rowOf = ({ articleId, title, content }: TextChange, wordId: Row[string]) => ({
  id: wordId,
  article_id: articleId,
  title,
  content,
  title_key: titleKeyOf(title),
  title_digest: textDigestOf(title),
  content_digest: textDigestOf(content),
  title_words: indexedWordsOf(title),
  content_words: indexedWordsOf(content),
});
