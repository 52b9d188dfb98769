import { sql } from 'kysely';
import {
  type ArticleCreation,
  type CandidateKey,
  type CompletedCreation,
  type CreationOutcome,
  categoryKeysOf,
  findReferences,
  type References,
  type Referring,
  unknownCreation,
  userIdsOf,
} from '../../core/articles/article-creations.ts';
import {
  completedItems,
  type Failed,
  type NotAttempted,
  notAttemptedAfter,
  STOPPED_AFTER_UNKNOWN,
} from '../../core/articles/article-outcomes.ts';
import {
  CATEGORY_INPUT,
  type CategoryCreation,
  type CategoryCreationOutcome,
  type CompletedCategoryCreation,
  referringOf,
} from '../../core/articles/category-creations.ts';
import { mapOk, ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import { slicesOf } from '../database/statements.ts';
import { addArticles } from '../import/add-knowledge-base.ts';
import { EDITORS, type ImportedArticle } from '../knowledge-base/format.ts';
import { articlesWithTitles } from '../reads/article-lists.ts';
import { articles } from '../reads/articles.ts';
import { categories } from '../reads/categories.ts';
import { projectVersions } from '../reads/project-versions.ts';
import { teamAccounts } from '../reads/team-accounts.ts';
import { findWords, type WordsOf } from '../tables/article-words.ts';
import { defineKeyedStatement, insertRows } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/tables.ts';
import { lockNewEntries, runInTransaction, type WritableStore } from '../transactions.ts';

/** An article that an item creates. */
interface NewArticle extends ArticleCreation, CandidateKey {}

/** The articles, and the characters of their texts, that one transaction creates. */
const MAX_PART = { articles: 250, characters: 200_000 };

/**
 * Creates the articles in parts, each in a transaction of its own: other writes wait for one part. An item that refers to
 * what does not exist fails, and the others are created. After a part that was not stored, or may not have been, the items
 * of later parts are not attempted.
 */
export async function createArticles(
  store: WritableStore,
  items: readonly ArticleCreation[],
): Promise<Result<CompletedCreation, BackendError>> {
  const sizeOf = ({ content }: ArticleCreation) => content?.length ?? 0;
  const parts = [...slicesOf(items, MAX_PART.articles, { max: MAX_PART.characters, sizeOf })];
  const outcomes: CreationOutcome[] = [];
  for (const part of parts) {
    const created = await (parts.length > 1 ? createInTurn(store, part) : createPart(store, part));
    if (!created.ok && outcomes.length === 0) return created;
    if (created.ok) outcomes.push(...created.value);
    const stop = created.ok ? stopAfter(created.value) : notAttemptedAfter(created.error);
    if (stop === null) continue;
    outcomes.push(...items.slice(outcomes.length).map(() => stop));
    break;
  }
  return ok(completedItems(outcomes));
}

const stopAfter = (outcomes: readonly CreationOutcome[]): NotAttempted | null =>
  outcomes.some(({ kind }) => kind === 'unknown') ? STOPPED_AFTER_UNKNOWN : null;

type PartResult = Promise<Result<readonly CreationOutcome[], BackendError>>;

/** Creates one of several parts. Those of other creates come in between. */
const createInTurn = (store: WritableStore, part: readonly ArticleCreation[]): PartResult =>
  store.partQueue.runExclusive(async () => {
    const hasEnded = store.callContext !== null && performance.now() >= store.callContext.deadline;
    const texts = hasEnded ? [] : part.flatMap(({ title, content = null }) => [title, content]);
    return createPart(store, part, await findWords(texts));
  });

async function createPart(store: WritableStore, part: readonly ArticleCreation[], wordsOf?: WordsOf): PartResult {
  let planned: readonly (CreationOutcome | NewArticle)[] = [];
  const work = async (transaction: StoreDatabase) => {
    await lockNewEntries(transaction);
    planned = await planArticles(transaction, part);
    const created = planned.filter((article) => 'title' in article);
    const slugs = await chooseSlugs(transaction, created);
    const now = new Date().toISOString();
    const entries = created.map((article, index) => toEntry(article, slugs[index] ?? null, now));
    await addArticles({ transaction, reportProgress: () => {}, ...(wordsOf && { wordsOf }) }, entries, now);
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
  return ok(outcomes);
}

/**
 * Looks again for creates that ended unknown. A recorded candidate is the article that the create itself was to make, so it
 * was made where it is there. Without one, the process ended before it had recorded any.
 */
export async function lookForCreated(
  database: StoreDatabase,
  items: readonly ArticleCreation[],
  outcomes: readonly CreationOutcome[],
): Promise<Result<readonly CreationOutcome[], BackendError>> {
  const titled = await articlesWithTitles(database, items);
  const ids = outcomes.map((outcome, index): string | null => {
    if (outcome.kind !== 'unknown') return null;
    const sameTitle = titled[index];
    return outcome.candidates[0]?.articleId ?? (sameTitle?.ok ? sameTitle.value : null);
  });
  const found = await articles(
    database,
    ids.map((articleId) => ({ articleId: articleId ?? '' })),
    'summary',
  );
  const looked = outcomes.map((outcome, index): CreationOutcome => {
    const article = found[index];
    if (outcome.kind !== 'unknown' || !article?.ok || article.value === null) return outcome;
    const { articleId, languageCode } = article.value;
    return outcome.candidates.length > 0
      ? { kind: 'created', details: null, articleId, evidence: 'READ_BACK' }
      : { ...outcome, candidates: [{ articleId, languageCode }] };
  });
  return ok(looked);
}

/** The outcome of each item that fails, and the article of each other one. */
async function planArticles(
  transaction: StoreDatabase,
  items: readonly ArticleCreation[],
): Promise<readonly (CreationOutcome | NewArticle)[]> {
  const references = await readReferences(transaction, items);
  return references.map(({ item, languageCode, issues }) => {
    const isFailed = languageCode === null || issues.length > 0;
    return isFailed ? failedBy(issues) : { ...item, articleId: crypto.randomUUID(), languageCode };
  });
}

/** Creates the categories in one transaction. An item that refers to what does not exist fails, and the others are created. */
export async function createCategories(
  store: WritableStore,
  items: readonly CategoryCreation[],
): Promise<Result<CompletedCategoryCreation, BackendError>> {
  let planned: readonly CategoryCreationOutcome[] = [];
  const work = async (transaction: StoreDatabase) => {
    await lockNewEntries(transaction);
    const references = await readReferences(transaction, items.map(referringOf), CATEGORY_INPUT);
    planned = references.map(({ issues }) =>
      issues.length > 0 ? failedBy(issues) : { kind: 'created', details: null, categoryId: crypto.randomUUID() },
    );
    const rows = items.flatMap(({ name, projectVersionId, parentCategoryId = null, order = 0 }, index) => {
      const outcome = planned[index];
      const place = { project_version_id: projectVersionId, parent_category_id: parentCategoryId, position: order };
      return outcome?.kind === 'created' ? [{ id: outcome.categoryId, name, ...place }] : [];
    });
    await insertRows(transaction, 'categories', rows);
  };
  const written = await runInTransaction(store, work, { row: 'new categories' });
  if (written.ok) return ok(completedItems(planned));
  if (written.error.kind !== 'outcome-unknown') return written;
  const { message } = written.error;
  return ok(
    completedItems(planned.map((one) => (one.kind === 'created' ? { kind: 'unknown', details: message } : one))),
  );
}

/** What items refer to, in the transaction that creates them. `names` as in `findReferences`. */
async function readReferences<Item extends Referring>(
  transaction: StoreDatabase,
  items: readonly Item[],
  names?: Parameters<typeof findReferences>[2],
): Promise<readonly References<Item>[]> {
  const versions = await projectVersions(transaction);
  const reads = {
    // Nothing can be created or read without a language.
    versions: mapOk(versions, (all) => all.filter(({ languages }) => languages.length > 0)),
    accounts: await teamAccounts(transaction, userIdsOf(items)),
    categories: await categories(transaction, categoryKeysOf(items)),
  };
  const references = findReferences(items, reads, names);
  if (!references.ok) throw new Error('A read of the store has failed.');
  return references.value;
}

/** The outcome of an item that names what does not exist. */
const failedBy = (issues: References['issues']): Failed => ({
  kind: 'failed',
  details: issues.map(({ message }) => message).join(' '),
});

const toEntry = (article: NewArticle, slug: string | null, now: string): ImportedArticle => ({
  id: article.articleId,
  project_version_id: article.projectVersionId,
  category_id: article.categoryId ?? null,
  slug,
  order: article.order ?? null,
  hidden: false,
  content_type: EDITORS[article.contentType ?? 'MARKDOWN'],
  versions: [
    {
      lang_code: article.languageCode,
      version_number: 1,
      title: article.title,
      content: article.content ?? null,
      translation_option: '0',
      created_at: now,
      created_by: article.userId,
      authors: [article.userId],
    },
  ],
});

/** Characters of a slug before the number that makes it unique. */
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
