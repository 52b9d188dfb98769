import { sql } from 'kysely';
import { ok, type Result } from '../../../base/result.ts';
import { slicesOf } from '../../../database/statements.ts';
import {
  type ArticleCreation,
  type CompletedCreation,
  type CreationOutcome,
  missingReferences,
  unknownCreation,
} from '../../../domain/articles/article-creations.ts';
import { titleKeyOf } from '../../../domain/articles/articles.ts';
import type { BackendError } from '../../../domain/errors.ts';
import { NO_NOTICES } from '../../../domain/notices.ts';
import { newWordRows, writeWords } from '../tables/article-words.ts';
import { defineKeyedStatement, insertRows, MAX_ROWS, nextNumber } from '../tables/rows.ts';
import { IS_SET, type StoreDatabase, type Tables, toAuthorsColumn } from '../tables/tables.ts';
import { lockNewEntries, runInTransaction, type WritableStore } from './transactions.ts';

/** An article that an item creates. */
interface NewArticle extends ArticleCreation {
  readonly articleId: string;
  readonly languageCode: string;
}

interface SluggedArticle extends NewArticle {
  readonly slug: string;
}

/** Creates the articles in one transaction. An item that refers to what does not exist fails, and the others are created. */
export async function createArticles(
  store: WritableStore,
  items: readonly ArticleCreation[],
): Promise<Result<CompletedCreation, BackendError>> {
  let planned: readonly (CreationOutcome | NewArticle)[] = [];
  const work = async (transaction: StoreDatabase) => {
    await lockNewEntries(transaction);
    planned = await planArticles(transaction, items);
    const articles = planned.filter((article) => 'title' in article);
    const slugs = await chooseSlugs(transaction, articles);
    const rows = articles.map((article, index) => ({ ...article, slug: slugs[index] ?? '' }));
    for (const slice of slicesOf(rows, MAX_ROWS, {
      max: MAX_CHARACTERS,
      sizeOf: ({ content }) => content?.length ?? 0,
    }))
      await insertArticles(transaction, slice);
  };
  const written = await runInTransaction(store, work, { row: 'new articles' });
  if (!written.ok && written.error.kind !== 'outcome-unknown') return written;
  const outcomes = planned.map((article): CreationOutcome => {
    if (!('title' in article)) return article;
    const { articleId, languageCode } = article;
    return written.ok
      ? { kind: 'created', details: null, articleId }
      : unknownCreation(written.error.message, [{ articleId, languageCode }]);
  });
  return ok({ ...NO_NOTICES, outcomes, serviceErrors: [] });
}

const REFERENCES = { n: 'integer', project_version_id: 'text', category_id: 'text?', user_id: 'text' } as const;

/** The default language of each item, and what else it refers to; null for what does not exist. */
const selectReferences = defineKeyedStatement(REFERENCES, ({ db }, keys) =>
  db
    .selectFrom(keys)
    .leftJoin('languages as d', (join) =>
      join.onRef('d.project_version_id', '=', 'k.project_version_id').on('d.is_default', '=', IS_SET),
    )
    .leftJoin('categories as c', (join) =>
      join.onRef('c.id', '=', 'k.category_id').onRef('c.project_version_id', '=', 'k.project_version_id'),
    )
    .leftJoin('team_accounts as u', 'u.id', 'k.user_id')
    .select(['d.code as language_code', 'c.id as category_id', 'u.id as user_id'])
    .orderBy('k.n'),
);

/** The outcome of each item that fails, and the article of each other one. */
async function planArticles(
  transaction: StoreDatabase,
  items: readonly ArticleCreation[],
): Promise<readonly (CreationOutcome | NewArticle)[]> {
  const planned: (CreationOutcome | NewArticle)[] = [];
  for (const slice of slicesOf(items, transaction.dialect.maxUpdatedRows)) {
    const rows = slice.map(({ projectVersionId, categoryId, userId }, n) => ({
      n,
      project_version_id: projectVersionId,
      category_id: categoryId ?? null,
      user_id: userId,
    }));
    const found = await selectReferences(transaction, { rows });
    for (const [index, item] of slice.entries()) {
      const { language_code = null, category_id = null, user_id = null } = found[index] ?? {};
      const reasons = missingReferences(item, {
        user: user_id !== null,
        projectVersion: language_code !== null,
        category: item.categoryId == null || category_id !== null,
      }).map(({ message }) => message);
      if (language_code === null || reasons.length > 0) planned.push({ kind: 'failed', details: reasons.join(' ') });
      else planned.push({ ...item, articleId: crypto.randomUUID(), languageCode: language_code });
    }
  }
  return planned;
}

/** Characters of content that are stored by one statement, unless a single article has more. */
const MAX_CHARACTERS = 4_000_000;

async function insertArticles(transaction: StoreDatabase, articles: readonly SluggedArticle[]): Promise<void> {
  const now = new Date().toISOString();
  const versions = articles.map((article) => versionRow(article, now));
  await insertRows(transaction, 'articles', articles.map(articleRow));
  await insertRows(
    transaction,
    'article_translations',
    articles.map((article) => translationRow(article, now)),
  );
  await insertRows(transaction, 'article_versions', versions);
  await writeWords(transaction, newWordRows(versions, await nextNumber(transaction, 'article_words', 'id')));
}

const articleRow = (article: SluggedArticle): Tables['articles'] => ({
  id: article.articleId,
  project_version_id: article.projectVersionId,
  category_id: article.categoryId ?? null,
  slug: article.slug,
  position: article.order ?? 0,
  hidden: 0,
  content_type: article.contentType ?? 'MARKDOWN',
  url: null,
});

const translationRow = (article: NewArticle, now: string): Tables['article_translations'] => ({
  project_version_id: article.projectVersionId,
  language_code: article.languageCode,
  article_id: article.articleId,
  latest_version_number: 1,
  title_key: titleKeyOf(article.title),
  modified_at: now,
  translation_status: 'NONE',
  hidden: 0,
  status: 'DRAFT',
  public_version_number: null,
});

const versionRow = (article: NewArticle, now: string): Tables['article_versions'] => ({
  article_id: article.articleId,
  language_code: article.languageCode,
  version_number: 1,
  title: article.title,
  translation_status: 'NONE',
  source: null,
  modified_at: now,
  content: article.content ?? null,
  status: 'DRAFT',
  description: null,
  created_at: now,
  created_by: article.userId,
  authors: toAuthorsColumn([article.userId]),
});

/** Characters of a slug before the number that tells it from others. */
const MAX_SLUG_CHARACTERS = 80;

/** The words of a title in lower case, with hyphens between them; letters of any alphabet, without accents. */
function slugOf(title: string): string {
  const plain = title
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/gu, '')
    .normalize('NFC');
  const words = plain.match(/[\p{L}\p{M}\p{N}]+/gu)?.join('-') ?? 'article';
  return Array.from(words).slice(0, MAX_SLUG_CHARACTERS).join('').replace(/-$/u, '');
}

const SLUG_KEY = { project_version_id: 'text', first: 'text', after: 'text' } as const;

/** Slugs that begin with those of new articles: `setup`, `setup-2`. The index has their first 100 characters. */
const selectSlugs = defineKeyedStatement(SLUG_KEY, ({ db }, keys) =>
  db
    .selectFrom(keys)
    .innerJoin('articles as a', (join) =>
      join
        .onRef('a.project_version_id', '=', 'k.project_version_id')
        .on(sql<boolean>`substr(a.slug, 1, 100) >= k.first and substr(a.slug, 1, 100) < k.after`),
    )
    .select(['a.project_version_id', 'a.slug'])
    .distinct(),
);

/** A slug for each article that no other of its project version has: the later ones get numbers, from 2. */
async function chooseSlugs(transaction: StoreDatabase, articles: readonly NewArticle[]): Promise<readonly string[]> {
  const wanted = articles.map(({ title, projectVersionId }) => ({
    project_version_id: projectVersionId,
    first: slugOf(title),
  }));
  const keyOf = (projectVersionId: string, slug: string | null) => JSON.stringify([projectVersionId, slug]);
  const taken = new Set<string>();
  const distinct = new Map(wanted.map((row) => [keyOf(row.project_version_id, row.first), row])).values();
  // The character after a hyphen is a full stop.
  const keys = [...distinct].map((row) => ({ ...row, after: `${row.first}.` }));
  for (const rows of slicesOf(keys, transaction.dialect.maxUpdatedRows))
    for (const { project_version_id, slug } of await selectSlugs(transaction, { rows }))
      taken.add(keyOf(project_version_id, slug));
  const lastNumbers = new Map<string, number>();
  return wanted.map(({ project_version_id, first }) => {
    const key = keyOf(project_version_id, first);
    let number = lastNumbers.get(key) ?? 1;
    let slug = number === 1 ? first : `${first}-${number}`;
    for (; taken.has(keyOf(project_version_id, slug)); slug = `${first}-${number}`) number += 1;
    taken.add(keyOf(project_version_id, slug));
    lastNumbers.set(key, number);
    return slug;
  });
}
