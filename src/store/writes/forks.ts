import { type RawBuilder, sql } from 'kysely';
import {
  type ArticleOutcome,
  type CompletedBulkUpdate,
  completedItems,
  outcomesForAll,
} from '../../core/articles/article-outcomes.ts';
import { missingAccountText, titleKeyOf } from '../../core/articles/articles.ts';
import { type ArticleForks, forked, type LostFork } from '../../core/articles/forks.ts';
import { mapOk, ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import { slicesOf } from '../database/statements.ts';
import { teamAccounts } from '../reads/team-accounts.ts';
import { type IndexedTexts, indexWords, storeDigests } from '../tables/article-words.ts';
import { defineKeyedStatement } from '../tables/rows.ts';
import { authorsOf, type StoreDatabase, TABLE_COLUMNS, type Tables, toAuthorsColumn } from '../tables/tables.ts';
import { lockRows, runInTransaction, type WritableStore } from '../transactions.ts';
import type { TargetVersion } from './article-changes.ts';
import {
  type ArticleTarget,
  findArticleTargets,
  isComplete,
  missingTargetReasons,
  outcomesOfTransaction,
} from './article-targets.ts';

interface PlannedFork {
  readonly target: TargetVersion;
  readonly draft: number;
}

/** The forks of one transaction, each version once. They are written together, before the changes of the drafts. */
export class StoreForks {
  readonly #forks = new Map<string, PlannedFork>();
  /** The latest version of each text. */
  readonly #latest = new Map<string, number>();

  /** The number of the latest version of the text, once the forks are written. */
  latestOf({ article_id, language_code, latest_version_number }: TargetVersion): number | null {
    return this.#latest.get(JSON.stringify([article_id, language_code])) ?? latest_version_number;
  }

  /** The number of the draft that the version gets. */
  add(target: TargetVersion): number {
    const { article_id, language_code, version_number } = target;
    const key = JSON.stringify([article_id, language_code, version_number]);
    const known = this.#forks.get(key);
    if (known !== undefined) return known.draft;
    const draft = (this.latestOf(target) ?? version_number) + 1;
    this.#forks.set(key, { target, draft });
    this.#latest.set(JSON.stringify([article_id, language_code]), draft);
    return draft;
  }

  async write(transaction: StoreDatabase, userId: string): Promise<void> {
    const now = new Date().toISOString();
    const indexed: IndexedTexts[] = [];
    for (const forks of slicesOf([...this.#forks.values()], transaction.dialect.maxUpdatedRows)) {
      const sources = await selectSources(transaction, {
        rows: forks.map(({ target: { article_id, language_code, version_number } }, n) => ({
          n,
          article_id,
          language_code,
          version_number,
        })),
      });
      const drafts = sources.flatMap(({ n, ...source }) => {
        const fork = forks[n];
        if (fork === undefined) return [];
        const { target, draft } = fork;
        const { article_id, language_code, version_number, title, translation_status } = source;
        const authors = toAuthorsColumn([...new Set([...authorsOf(source.authors), userId])]);
        const key = { article_id, language_code, version_number, draft, now, user_id: userId, authors };
        const row = { ...key, title_key: titleKeyOf(title), translation_status };
        return [{ row, texts: { ...source, title: title ?? '' }, isLatest: draft === this.latestOf(target) }];
      });
      await insertDrafts(transaction, { rows: drafts.map(({ row }) => row) });
      const latest = drafts.filter(({ isLatest }) => isLatest);
      await updateLatest(transaction, { rows: latest.map(({ row }) => row) });
      for (const texts of await storeDigests(
        transaction,
        latest.map(({ texts }) => texts),
      ))
        indexed.push(texts);
    }
    await indexWords(transaction, indexed);
  }
}

const VERSION_KEY = { article_id: 'text', language_code: 'text', version_number: 'integer' } as const;

/** The copied versions. The content is selected where it differs from that of the latest version, whose words are indexed. */
const selectSources = defineKeyedStatement({ n: 'integer', ...VERSION_KEY }, ({ db }, keys) =>
  db
    .selectFrom(keys)
    .innerJoin('article_versions as v', (join) =>
      join
        .onRef('v.article_id', '=', 'k.article_id')
        .onRef('v.language_code', '=', 'k.language_code')
        .onRef('v.version_number', '=', 'k.version_number'),
    )
    .innerJoin('article_translations as t', (join) =>
      join.onRef('t.article_id', '=', 'v.article_id').onRef('t.language_code', '=', 'v.language_code'),
    )
    .leftJoin('article_words as w', (join) =>
      join.onRef('w.article_id', '=', 'v.article_id').onRef('w.language_code', '=', 'v.language_code'),
    )
    .select([
      'k.n',
      'v.article_id',
      'v.language_code',
      'v.version_number',
      'v.title',
      'v.translation_status',
      'v.authors',
      'w.id as word_id',
      'w.title_digest',
      'w.content_digest',
      sql<string | null>`case when t.latest_version_number <> v.version_number then coalesce(v.content, '') end`.as(
        'content',
      ),
    ])
    .orderBy('k.n'),
);

const DRAFT_ROW = {
  ...VERSION_KEY,
  draft: 'integer',
  now: 'text',
  user_id: 'text',
  authors: 'text?',
  title_key: 'text',
  translation_status: 'text?',
} as const;

/** The columns in which a draft differs from the version of which it is a copy. */
const DRAFT_VALUES: ReadonlyMap<string, RawBuilder<unknown>> = new Map(
  Object.entries({
    version_number: sql`k.draft`,
    modified_at: sql`k.now`,
    status: sql`'DRAFT'`,
    created_at: sql`k.now`,
    created_by: sql`k.user_id`,
    authors: sql`k.authors`,
    base_version: sql`v.version_number`,
  } satisfies { readonly [Column in keyof Tables['article_versions']]?: unknown }),
);

const insertDrafts = defineKeyedStatement(DRAFT_ROW, (_, keys) => {
  const columns = Object.keys(TABLE_COLUMNS.article_versions);
  const values = columns.map((name) => DRAFT_VALUES.get(name) ?? sql.ref(`v.${name}`));
  return sql`insert into article_versions (${sql.join(columns.map((name) => sql.ref(name)))}) select ${sql.join(values)}
    from ${keys} join article_versions as v
      on v.article_id = k.article_id and v.language_code = k.language_code and v.version_number = k.version_number`;
});

/** The last draft of each text is its latest version. */
const updateLatest = defineKeyedStatement(
  DRAFT_ROW,
  (_, keys) => sql`update article_translations
    set latest_version_number = k.draft, title_key = k.title_key, modified_at = k.now,
      translation_status = k.translation_status, status = 'DRAFT'
    from ${keys}
    where article_translations.article_id = k.article_id and article_translations.language_code = k.language_code`,
);

/** The reason why nothing is forked for the account; null where it exists. */
export async function accountProblem(transaction: StoreDatabase, userId: string): Promise<string | null> {
  const [account] = await teamAccounts(transaction, [userId]);
  return account?.ok && account.value === null ? missingAccountText(userId) : null;
}

/** Copies the versions as new drafts, in one transaction. A failing item changes nothing, and the others are applied. */
export async function forkArticles(
  store: WritableStore,
  { items, userId }: ArticleForks,
): Promise<Result<CompletedBulkUpdate, BackendError>> {
  let outcomes: readonly ArticleOutcome[] = [];
  const written = await runInTransaction(store, async (transaction) => {
    const problem = await accountProblem(transaction, userId);
    if (problem !== null) {
      outcomes = outcomesForAll(items, { kind: 'failed', details: problem });
      return;
    }
    await lockRows(
      transaction,
      'articles',
      items.map(({ articleId }) => articleId),
    );
    const targets = await findArticleTargets(transaction, items);
    const forks = new StoreForks();
    outcomes = items.map((item, index): ArticleOutcome => {
      const { articleId } = item;
      const target = targets[index];
      if (!target) throw new Error('A version that is to be forked has no target.');
      const [reason] = missingTargetReasons(item, target);
      if (reason !== undefined) return { kind: 'failed', articleId, details: forkProblem(item.versionNumber, target) };
      if (!isComplete(target)) throw new Error('An item without a target has passed the rules.');
      return forked(articleId, forks.add(target));
    });
    await forks.write(transaction, userId);
  });
  return mapOk(outcomesOfTransaction(written, outcomes), completedItems);
}

/** The texts of the service: see docs/service.md, "Fork". */
const forkProblem = (versionNumber: number, { latest_version_number }: ArticleTarget): string =>
  latest_version_number === null
    ? 'One or more errors occurred. (Article not found).'
    : `Cannot fork version number ${versionNumber}, it does not exist in your project.`;

const selectDrafts = defineKeyedStatement({ n: 'integer', ...VERSION_KEY, since: 'text' }, ({ db }, keys) =>
  db
    .selectFrom(keys)
    .innerJoin('article_versions as v', (join) =>
      join
        .onRef('v.article_id', '=', 'k.article_id')
        .onRef('v.language_code', '=', 'k.language_code')
        .onRef('v.base_version', '=', 'k.version_number')
        .onRef('v.created_at', '>=', 'k.since'),
    )
    .where('v.status', '=', 'DRAFT')
    .select(['k.n', 'v.version_number']),
);

/** Milliseconds by which a draft may seem to be made before the call that has made it, since clocks may be set. */
const TOLERANCE_MS = 5_000;

/** The only draft that was made of each version since its fork began. */
export async function lookForForks(
  database: StoreDatabase,
  forks: readonly LostFork[],
): Promise<readonly Result<number | null, BackendError>[]> {
  const rows = forks.map(({ articleId, languageCode, versionNumber, ageMs }, n) => ({
    n,
    article_id: articleId,
    language_code: languageCode,
    version_number: versionNumber,
    since: new Date(Date.now() - ageMs - TOLERANCE_MS).toISOString(),
  }));
  const drafts = Map.groupBy(await selectDrafts(database, { rows }), ({ n }) => n);
  return forks.map((_, n) => {
    const [draft, ...others] = drafts.get(n) ?? [];
    return ok(draft === undefined || others.length > 0 ? null : draft.version_number);
  });
}
