import { sql } from 'kysely';
import {
  type ArticleOutcome,
  type CompletedBulkUpdate,
  completedItems,
  type NotAttempted,
  outcomesForAll,
} from '../../core/articles/article-outcomes.ts';
import { missingAccountText } from '../../core/articles/articles.ts';
import { textKeyOf, type UpdateTarget } from '../../core/articles/bulk-updates.ts';
import {
  type ArticlePublications,
  failedPublicationText,
  NOT_PUBLIC_TEXT,
  PUBLICATION_KINDS,
  type PublicationWrite,
} from '../../core/articles/publications.ts';
import { mapOk, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import { slicesOf } from '../database/statements.ts';
import { teamAccounts } from '../reads/team-accounts.ts';
import { defineKeyedStatement, defineUpdate } from '../tables/rows.ts';
import type { StoreDatabase, StoredStatus } from '../tables/tables.ts';
import { lockRows, runInTransaction, type WritableStore } from '../transactions.ts';
import { slicesOfVersions, type TargetVersion } from './article-changes.ts';
import {
  type ArticleTarget,
  findArticleTargets,
  isComplete,
  missingTargetReasons,
  outcomesOfTransaction,
} from './article-targets.ts';
import { findChangedItems } from './revisions.ts';

type PublicationResult = Promise<Result<CompletedBulkUpdate, BackendError>>;

/**
 * Publishes or unpublishes the items in their order, in one transaction of a few statements. A failing item changes nothing,
 * and the others are applied. All items fail when the team account does not exist.
 */
const publicationOf =
  (write: PublicationWrite) =>
  async (store: WritableStore, { items, userId }: ArticlePublications): PublicationResult => {
    const articleIds = items.map(({ articleId }) => articleId);
    let outcomes: readonly ArticleOutcome[] = [];
    const written = await runInTransaction(store, async (transaction) => {
      const [account] = await teamAccounts(transaction, [userId]);
      if (account?.ok && account.value === null) {
        outcomes = outcomesForAll(items, { kind: 'failed', details: missingAccountText(userId) });
        return;
      }
      await lockRows(transaction, 'articles', articleIds);
      const defaultVersion = write === 'publishArticles' ? 'latest_version_number' : 'public_version_number';
      const targets = await findArticleTargets(transaction, items, defaultVersion);
      const changed = await findChangedItems(transaction, items);
      const changes = new PublicationChanges(write);
      outcomes = items.map((item, index) =>
        applyItem(write, { item, target: targets[index], unsent: changed.get(item), changes }),
      );
      await changes.write(transaction);
    });
    const ended = outcomesOfTransaction(written, outcomes);
    return mapOk(ended, completedItems);
  };

export const publishArticles = publicationOf('publishArticles');
export const unpublishArticles = publicationOf('unpublishArticles');

interface AppliedItem {
  readonly item: UpdateTarget;
  readonly target: ArticleTarget | undefined;
  /** The outcome where the article has another revision than the item expects. */
  readonly unsent: NotAttempted | undefined;
  readonly changes: PublicationChanges;
}

/** The outcome of an item, with the first reason for which it fails. */
function applyItem(write: PublicationWrite, { item, target, unsent, changes }: AppliedItem): ArticleOutcome {
  const { articleId } = item;
  const { publication, verb, doneText, isDone } = PUBLICATION_KINDS[write];
  if (!target) throw new Error('An item has no target.');
  const fail = (reason: string): ArticleOutcome => ({
    kind: 'failed',
    articleId,
    details: failedPublicationText(write, articleId, reason),
  });
  const done = { kind: 'updated', articleId, details: doneText, evidence: 'READ_BACK', publication } as const;
  const publicVersion = changes.publicVersionOf(target);
  if (write === 'unpublishArticles' && target.latest_version_number !== null && publicVersion === null) return done;
  const [reason] = missingTargetReasons(item, target);
  if (reason !== undefined) return fail(`${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`);
  if (!isComplete(target)) throw new Error('An item without a target has passed the rules.');
  if (isDone(publicVersion, target.version_number)) return done;
  if (write === 'unpublishArticles' && target.version_number !== publicVersion) return fail(NOT_PUBLIC_TEXT);
  if (unsent !== undefined) return { ...unsent, articleId };
  changes.add(target);
  return { kind: 'updated', articleId, details: `Successfully ${verb}ed article with an id ${articleId}`, publication };
}

const updateVersionStatuses = defineUpdate('article_versions', ['article_id', 'language_code', 'version_number'], {
  article_id: 'text',
  language_code: 'text',
  version_number: 'integer',
  status: 'text',
});

const PUBLIC_VERSION = {
  article_id: 'text',
  language_code: 'text',
  public_version_number: 'integer?',
  /** The status of the latest version; null where it does not change. */
  status: 'text?',
} as const;

const updatePublicVersions = defineKeyedStatement(
  PUBLIC_VERSION,
  (_, keys) => sql`update article_translations
    set public_version_number = k.public_version_number, status = coalesce(k.status, article_translations.status)
    from ${keys}
    where article_translations.article_id = k.article_id and article_translations.language_code = k.language_code`,
);

/** The changes by the earlier items of one request, in the order of the items. */
class PublicationChanges {
  readonly #isPublished: boolean;
  readonly #status: StoredStatus;
  /** The last version of each text that was published or unpublished, by `keyOf`. */
  readonly #texts = new Map<string, Parameters<typeof updatePublicVersions>[1]['rows'][number]>();
  readonly #versions = new Map<string, { readonly target: TargetVersion }>();

  constructor(write: PublicationWrite) {
    this.#isPublished = write === 'publishArticles';
    this.#status = this.#isPublished ? 'PUBLISHED' : 'DRAFT';
  }

  publicVersionOf(target: ArticleTarget): number | null {
    const change = this.#texts.get(keyOf(target));
    return change === undefined ? target.public_version_number : change.public_version_number;
  }

  add(target: ArticleTarget & TargetVersion): void {
    const { article_id, language_code, version_number, latest_version_number } = target;
    const key = keyOf(target);
    const isLatest = version_number === latest_version_number;
    this.#texts.set(key, {
      article_id,
      language_code,
      public_version_number: this.#isPublished ? version_number : null,
      status: isLatest ? this.#status : (this.#texts.get(key)?.status ?? null),
    });
    this.#versions.set(`${version_number} ${key}`, { target });
  }

  async write(transaction: StoreDatabase): Promise<void> {
    for (const versions of slicesOfVersions(transaction, [...this.#versions.values()])) {
      const rows = versions.map(({ target: { article_id, language_code, version_number } }) => ({
        article_id,
        language_code,
        version_number,
        status: this.#status,
      }));
      await updateVersionStatuses(transaction, rows);
    }
    for (const rows of slicesOf([...this.#texts.values()], transaction.dialect.maxUpdatedRows))
      await updatePublicVersions(transaction, { rows });
  }
}

const keyOf = ({ article_id, language_code }: ArticleTarget): string =>
  textKeyOf({ articleId: article_id ?? '', languageCode: language_code });
