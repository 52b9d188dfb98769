import { termsOf } from '../../database/call-context.ts';
import type { Caller } from '../../domain/callers/caller.ts';
import type { Log } from '../../domain/log.ts';
import { ok } from '../../domain/result.ts';
import type { KnowledgeBase } from '../../knowledge-base/knowledge-base.ts';
import type { Backend } from '../backend.ts';
import { readFailure } from './errors.ts';
import { type ImportSummary, importKnowledgeBase, isEmpty, type OnProgress } from './import/import-knowledge-base.ts';
import { checkReady } from './readiness.ts';
import { articlesOfCategories, listArticles } from './reads/article-lists.ts';
import { articles, articleTranslations, articleVersions } from './reads/articles.ts';
import { categories, categoriesOfArticles, childCategories, rootCategories } from './reads/categories.ts';
import { invitedSsoUsers, listInvitedSsoUsers } from './reads/invited-sso-users.ts';
import { projectVersions } from './reads/project-versions.ts';
import { groupsOfReaders, listReaderGroups, readerGroups } from './reads/reader-groups.ts';
import { listReaders, readers, readersOfGroups } from './reads/readers.ts';
import {
  closeDatabase,
  type Database,
  type DatabaseOptions,
  openDatabase,
  type ServingDatabase,
} from './tables/store-database.ts';
import { createGuard, createTokenChecks } from './token-guard.ts';
import { bulkUpdateArticles } from './writes/bulk-updates.ts';
import { KeyedMutex } from './writes/keyed-mutex.ts';
import { changeReaderGroupMembers, updateReaderGroup } from './writes/reader-group-updates.ts';
import type { Writable } from './writes/transactions.ts';
import { createWriterLine } from './writes/write-queue.ts';

/** The embedded store: the port over a database of its own, and what only the owner of that database may do. */
export interface LocalBackend extends Backend {
  importKnowledgeBase(knowledgeBase: KnowledgeBase, onProgress: OnProgress): Promise<ImportSummary>;
  /** Whether nothing was ever imported. */
  isEmpty(): Promise<boolean>;
}

export interface LocalBackendOptions extends DatabaseOptions {
  /** `sqlite:PATH`, `sqlite::memory:` or `postgres://…` (contract, section 1). */
  readonly databaseUrl: string;
  /** The API tokens that are accepted. */
  readonly apiTokens: readonly string[];
  readonly log: Log;
}

/** Opens the store and brings its schema up to date. Throws with a message for people where it can't. */
export async function openLocalBackend(options: LocalBackendOptions): Promise<LocalBackend> {
  const database = await openDatabase(options.databaseUrl, options);
  return createLocalBackend(database, options);
}

/** The backend over a database that is open already; closing the one closes the other. */
export function createLocalBackend(
  database: ServingDatabase,
  { apiTokens, log }: Pick<LocalBackendOptions, 'apiTokens' | 'log'>,
): LocalBackend {
  const rows = new KeyedMutex(database.room);
  const store = { database, log, lastWrite: { failed: false }, line: createWriterLine(), rows, terms: null };
  const read = (caller: Caller): Database => database.forCall(termsOf(caller, 'read'));
  const written = (caller: Caller): Writable => {
    const terms = termsOf(caller, 'write');
    return { ...store, database: database.forCall(terms), terms };
  };
  const tokens = createTokenChecks(apiTokens);
  const { one, each } = createGuard({ ...tokens, failureOf: (error) => readFailure(store, error) });
  let closed: Promise<void> | null = null;
  return {
    ...tokens,
    bulkUpdateArticles: one(written, bulkUpdateArticles),
    updateReaderGroup: one(written, updateReaderGroup),
    changeReaderGroupMembers: one(written, changeReaderGroupMembers),
    projectVersions: one(read, projectVersions),
    rateLimit: one(read, async () => ok(null)),
    articles: each(read, articles),
    listArticles: one(read, listArticles),
    articlesOfCategories: each(read, articlesOfCategories),
    articleVersions: each(read, articleVersions),
    articleTranslations: each(read, articleTranslations),
    rootCategories: one(read, rootCategories),
    categories: each(read, categories),
    childCategories: each(read, childCategories),
    categoriesOfArticles: each(read, categoriesOfArticles),
    readerGroups: each(read, readerGroups),
    listReaderGroups: one(read, listReaderGroups),
    readers: each(read, readers),
    listReaders: one(read, listReaders),
    readersOfGroups: each(read, readersOfGroups),
    invitedSsoUsers: each(read, invitedSsoUsers),
    listInvitedSsoUsers: one(read, listInvitedSsoUsers),
    groupsOfReaders: each(read, groupsOfReaders),
    checkReady: () => checkReady(store, database),
    close: () => {
      closed ??= store.line.inTurn(() => closeDatabase(database));
      return closed;
    },
    importKnowledgeBase: (knowledgeBase, onProgress) => importKnowledgeBase(store, knowledgeBase, onProgress),
    isEmpty: () => isEmpty(database),
  };
}
