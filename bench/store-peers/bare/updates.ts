import { titleKeyOf } from '../../../src/core/articles/articles.ts';
import { indexedWordsOf } from '../../../src/core/articles/search-words.ts';
import { storedTextProblem } from '../../../src/core/base/text.ts';
import { textDigestOf } from '../../../src/store/tables/article-words.ts';
import type { Query, Row } from './query.ts';

export interface TextChange {
  readonly articleId: string;
  readonly title: string;
  /** Absent where it stays. */
  readonly content?: string;
}

/** The statements of an update, each with rows as one JSON text. They write what the store writes. */
export interface UpdateStatements {
  /** Absent where one transaction writes at a time. */
  readonly lock?: string;
  /** Reads what is to be updated and checked, by the IDs of the articles, in the order of the index of words. */
  readonly select: string;
  readonly updateTexts: string;
  readonly updateTitles: string;
  readonly updateTranslations: string;
  readonly updateDigests: string;
  readonly updateTitleDigests: string;
  readonly writeTitleWords: string;
  readonly writeContentWords: string;
}

/** The bytes of the texts of all versions of an article. */
export const ARTICLE_BYTES = `(select sum(octet_length(coalesce(s.title, '')) + coalesce(octet_length(s.content), 0))
  from article_versions as s where s.article_id = a.id) as bytes`;

/** What the IDs `k.value` name: the article, and the latest version of its text in the default language. */
export const TARGETS = `
  join articles as a on a.id = k.value
  join languages as l on l.project_version_id = a.project_version_id and l.is_default = 1
  join article_translations as t on t.article_id = a.id and t.language_code = l.code
  join article_versions as v on v.article_id = t.article_id and v.language_code = t.language_code
    and v.version_number = t.latest_version_number
  join article_words as w on w.article_id = t.article_id and w.language_code = t.language_code`;

/** The version `v` of a row `u`. */
export const OF_VERSION = `where v.article_id = u.article_id and v.language_code = u.language_code
  and v.version_number = u.version_number`;

/**
 * Updates the articles, and returns an outcome for each. An item fails as in the store: an unknown article, a title against
 * the rule, or an article that becomes too large. Runs in a transaction of the caller.
 */
export async function updateArticles(
  query: Query,
  statements: UpdateStatements,
  changes: readonly TextChange[],
): Promise<unknown> {
  const articleIds = JSON.stringify(changes.map(({ articleId }) => articleId));
  if (statements.lock !== undefined) await query(statements.lock, [articleIds]);
  const found = await query(statements.select, [articleIds]);
  const byId = new Map(changes.map((change) => [change.articleId, change]));
  const rows = found.flatMap((row) => {
    const change = byId.get(String(row['article_id']));
    return change && problemOf(change, row) === null ? [rowOf(change, row)] : [];
  });
  const hasContents = changes.some(({ content }) => content !== undefined);
  const modifiedAt = new Date().toISOString();
  const texts = rows.map(({ key, title, content }) => ({ ...key, title, content }));
  const keys = rows.map(({ key: { article_id, language_code }, title_key }) => ({
    article_id,
    language_code,
    title_key,
  }));
  const digests = rows.map(({ id, title_digest, content_digest }) => ({ id, title_digest, content_digest }));
  const titleWords = rows.map(({ id, title_words }) => ({ id, title_words }));
  await query(hasContents ? statements.updateTexts : statements.updateTitles, [JSON.stringify(texts), modifiedAt]);
  await query(statements.updateTranslations, [JSON.stringify(keys), modifiedAt]);
  await query(hasContents ? statements.updateDigests : statements.updateTitleDigests, [JSON.stringify(digests)]);
  await query(statements.writeTitleWords, [JSON.stringify(titleWords)]);
  if (hasContents) {
    const contentWords = rows.map(({ id, content_words }) => ({ id, content_words }));
    await query(statements.writeContentWords, [JSON.stringify(contentWords)]);
  }
  const updated = new Set(rows.map(({ key }) => key.article_id));
  return changes.map(({ articleId }) => ({
    __typename: updated.has(articleId) ? 'ArticleUpdated' : 'ArticleUpdateFailed',
    articleId,
  }));
}

/** The store looks closer at an article of so many bytes. */
const MAX_BYTES = 2_000_000;

const problemOf = ({ title, content = '' }: TextChange, { bytes }: Row): string | null =>
  Number(bytes) + Buffer.byteLength(title) + Buffer.byteLength(content) > MAX_BYTES
    ? 'is too large'
    : storedTextProblem('title', title);

const rowOf = ({ title, content }: TextChange, { article_id, language_code, version_number, word_id }: Row) => ({
  id: word_id,
  key: { article_id, language_code, version_number },
  title,
  content,
  title_key: titleKeyOf(title),
  title_digest: textDigestOf(title),
  content_digest: content === undefined ? undefined : textDigestOf(content),
  title_words: indexedWordsOf(title),
  content_words: content === undefined ? undefined : indexedWordsOf(content),
});
