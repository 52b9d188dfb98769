import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ArticleListRequest } from '../core/articles/articles.ts';
import type { Backend, BackendResult, BatchResults, Page } from '../core/backend.ts';
import type { Log } from '../core/base/log.ts';
import type { PageRequest, StoredPage } from '../core/base/pages.ts';
import { err, mapFound, mapOk, ok, type Result } from '../core/base/result.ts';
import { KeyedMutex } from '../core/base/semaphore.ts';
import { storedTextProblem } from '../core/base/text.ts';
import type { Caller } from '../core/callers/caller.ts';
import type { BackendError } from '../core/errors.ts';
import { callContextOf, databaseFailureOf } from './database/call-context.ts';
import type { DatabaseOptions, ServingDatabase } from './database/open-database.ts';
import { createWriteQueue } from './database/write-queue.ts';
import { toStoreError } from './errors.ts';
import type { OnProgress } from './import/add-knowledge-base.ts';
import { exportKnowledgeBase } from './import/export-knowledge-base.ts';
import { type ImportSummary, importDemo, importKnowledgeBase, isStoreEmpty } from './import/import-knowledge-base.ts';
import type { KnowledgeBaseEntries } from './knowledge-base/document.ts';
import type { KnowledgeBase } from './knowledge-base/format.ts';
import { articleBySlug, articlesOfCategories, articlesWithTitles, listArticles } from './reads/article-lists.ts';
import {
  articles,
  articlesOfUpdates,
  articleTranslations,
  articleVersions,
  defaultLanguageTimes,
} from './reads/articles.ts';
import { categories, categoriesOfArticles, childCategories, rootCategories } from './reads/categories.ts';
import { projectVersions } from './reads/project-versions.ts';
import { groupsOfReaders, listReaderGroups, readerGroups } from './reads/reader-groups.ts';
import {
  groupIdsOfReaders,
  invitedSsoUsers,
  listInvitedSsoUsers,
  listReaders,
  readers,
  readersOfGroups,
} from './reads/readers.ts';
import type { ResultsByKey } from './reads/results-by-key.ts';
import { listTeamAccounts, teamAccounts } from './reads/team-accounts.ts';
import { openStoreDatabase } from './tables/store-database.ts';
import { addProperty, readProperty } from './tables/store-properties.ts';
import type { StoreDatabase, Tables } from './tables/tables.ts';
import { createTokenChecks, createTokenGuard, type TokenGuard } from './token-guard.ts';
import { runInTransaction, type WritableStore } from './transactions.ts';
import { bulkUpdateArticles } from './writes/bulk-updates.ts';
import { createArticles, createCategories, lookForCreated } from './writes/creations.ts';
import { forkArticles, lookForForks } from './writes/forks.ts';
import { publishArticles, unpublishArticles } from './writes/publications.ts';
import { changeReaderGroupMembers, updateReaderGroup } from './writes/reader-groups.ts';

/** The embedded store: the port over a database of its own, and the operations of its owner. */
export interface LocalBackend extends Backend {
  importKnowledgeBase(knowledgeBase: KnowledgeBase, onProgress: OnProgress): Promise<ImportSummary>;
  /** Stores the demo unless something was imported before, or the demo was dropped. */
  importDemo(demo: KnowledgeBase): Promise<void>;
  /** Calls `use` with all entries, in one state of the store. */
  exportKnowledgeBase<T>(use: (entries: KnowledgeBaseEntries) => Promise<T>, withRevisions?: boolean): Promise<T>;
  /** True when nothing was ever imported. */
  isEmpty(): Promise<boolean>;
}

interface LocalBackendOptions extends DatabaseOptions {
  /** `sqlite:PATH`, `sqlite::memory:` or `postgres://…`: see docs/contract.md, "Start". */
  readonly databaseUrl: string;
  /** The name of its setting in messages. */
  readonly setting?: string;
  readonly apiTokens: readonly string[];
  readonly log: Log;
}

/** Opens the store and brings its schema up to date. Throws with a message for people when it can't. */
export async function openLocalBackend(options: LocalBackendOptions): Promise<LocalBackend> {
  return createLocalBackend(await openStoreDatabase(options.databaseUrl, options), options);
}

/**
 * The backend over an open database. Closing the backend closes the database.
 * @internal Exported for tests, which look at the database as well.
 */
export function createLocalBackend(
  database: ServingDatabase<Tables>,
  { apiTokens, log }: Pick<LocalBackendOptions, 'apiTokens' | 'log'>,
): LocalBackend {
  const store: WritableStore = {
    database,
    log,
    lastWrite: { failed: false },
    writeQueue: createWriteQueue(),
    partQueue: createWriteQueue(),
    rowMutex: new KeyedMutex(() => database.waiterQuota),
    callContext: null,
  };
  const storeFor = (caller: Caller) => {
    const callContext = callContextOf(caller, 'write');
    return { ...store, database: database.forCall(callContext), callContext, report: caller.request.report };
  };
  const tokenChecks = createTokenChecks(apiTokens);
  const guard = createTokenGuard(tokenChecks.authenticate, (error, caller) => {
    const failure = databaseFailureOf(database.dialect, error);
    if (failure === null) throw error;
    return toStoreError({ log, callContext: callContextOf(caller, 'read'), failure });
  });
  let closed: Promise<void> | null = null;
  return {
    ...tokenChecks,
    storedTextProblem,
    ...guardReads(guard, database),
    bulkUpdateArticles: guard.guardCall(storeFor, bulkUpdateArticles),
    forkArticles: guard.guardCall(storeFor, forkArticles),
    createArticles: guard.guardCall(storeFor, createArticles),
    createCategories: guard.guardCall(storeFor, createCategories),
    publishArticles: guard.guardCall(storeFor, publishArticles),
    unpublishArticles: guard.guardCall(storeFor, unpublishArticles),
    updateReaderGroup: guard.guardCall(storeFor, updateReaderGroup),
    changeReaderGroupMembers: guard.guardCall(storeFor, changeReaderGroupMembers),
    knowledgeBaseId: guard.guardCall(storeFor, storeId),
    checkReady: () => checkReady(store, database),
    close: () => {
      closed ??= store.writeQueue.runExclusive(() => database.close());
      return closed;
    },
    importKnowledgeBase: (knowledgeBase, onProgress) => importKnowledgeBase(store, { knowledgeBase, onProgress }),
    importDemo: (demo) => importDemo(store, demo),
    exportKnowledgeBase: (use, withRevisions) => exportKnowledgeBase(database, use, withRevisions),
    isEmpty: () => isStoreEmpty(database),
  };
}

/** The ID of the store, which it gets when it is first asked. A copy of the store has the same. */
async function storeId(store: WritableStore): BackendResult<string> {
  const known = await readProperty(store.database, 'id');
  if (known !== null) return ok(known);
  return runInTransaction(store, async (transaction) => {
    const id = randomUUID();
    await addProperty(transaction, 'id', id);
    return (await readProperty(transaction, 'id')) ?? id;
  });
}

function guardReads(guard: TokenGuard, database: ServingDatabase<Tables>) {
  const { guardCall, guardBatch } = guard;
  const databaseFor = (caller: Caller): StoreDatabase => database.forCall(callContextOf(caller, 'read'));
  return {
    ...guardLists(guard, databaseFor),
    projectVersions: guardCall(databaseFor, projectVersions),
    teamAccounts: guardBatch(databaseFor, teamAccounts),
    rateLimit: guardCall(databaseFor, async () => ok(null)),
    articles: guardBatch(databaseFor, articles),
    articleBySlug: guardCall(databaseFor, articleBySlug),
    articlesOfUpdates: guardCall(databaseFor, articlesOfUpdates),
    articlesWithTitles: guardBatch(databaseFor, articlesWithTitles),
    lookForCreated: guardCall(databaseFor, lookForCreated),
    lookForForks: guardBatch(databaseFor, lookForForks),
    articleVersions: guardBatch(databaseFor, articleVersions),
    articleTranslations: guardBatch(databaseFor, articleTranslations),
    defaultLanguageTimes: guardBatch(databaseFor, defaultLanguageTimes),
    rootCategories: guardCall(databaseFor, rootCategories),
    categories: guardBatch(databaseFor, categories),
    childCategories: guardBatch(databaseFor, childCategories),
    categoriesOfArticles: guardBatch(databaseFor, categoriesOfArticles),
    readerGroups: guardBatch(databaseFor, readerGroups),
    readers: guardBatch(databaseFor, readers),
    invitedSsoUsers: guardBatch(databaseFor, invitedSsoUsers),
    groupIdsOfReaders: guardBatch(databaseFor, groupIdsOfReaders),
  };
}

/** The totals of pages are read by statements of their own, which may fail after the page was read. */
function guardLists({ guardCall, guardBatch, guardCount }: TokenGuard, databaseFor: (caller: Caller) => StoreDatabase) {
  const guardPage = <A extends readonly unknown[], T>(
    operation: (store: StoreDatabase, ...args: A) => Promise<Result<StoredPage<T>, BackendError>>,
  ) => {
    const call = guardCall(databaseFor, operation);
    return async (caller: Caller, ...args: A): BackendResult<Page<T>> =>
      mapOk(await call(caller, ...args), guardCount(caller));
  };
  const guardPages = <K, T>(
    operation: (store: StoreDatabase, keys: readonly K[], page: PageRequest) => Promise<ResultsByKey<StoredPage<T>>>,
  ) => {
    const call = guardBatch(databaseFor, operation);
    return async (caller: Caller, keys: readonly K[], page: PageRequest): BatchResults<Page<T>> =>
      (await call(caller, keys, page)).map((result) => mapOk(result, guardCount(caller)));
  };
  const articlesOrNull = guardCall(databaseFor, listArticles);
  return {
    listArticles: async (caller: Caller, request: ArticleListRequest, page: PageRequest) =>
      mapFound(await articlesOrNull(caller, request, page), guardCount(caller)),
    listTeamAccounts: guardPage(listTeamAccounts),
    listReaderGroups: guardPage(listReaderGroups),
    listReaders: guardPage(listReaders),
    listInvitedSsoUsers: guardPage(listInvitedSsoUsers),
    articlesOfCategories: guardPages(articlesOfCategories),
    readersOfGroups: guardPages(readersOfGroups),
    groupsOfReaders: guardPages(groupsOfReaders),
  };
}

/** How long the checks take at most, in milliseconds. */
const READINESS_TIMEOUT_MS = 5_000;

const FILES_REPLACED =
  'The files of the store were removed or replaced. Put them back, or start again with those that are there.';
const NOT_WRITABLE = 'The store cannot be written.';

/**
 * Reads a row, which reaches the file or the server and detects a standby. A full disk shows only when it is written
 * to, so after a failed write a small write is tried too: the store is ready again as soon as that succeeds.
 */
async function checkReady(store: WritableStore, serving: ServingDatabase<Tables>): Promise<Result<void, string>> {
  const deadline = performance.now() + READINESS_TIMEOUT_MS;
  const callContext = { fairnessKey: '', deadline, isGone: () => false, kind: 'read' } as const;
  const database = serving.forReadiness(callContext);
  try {
    if (await isReadOnly(database)) return err(NOT_WRITABLE);
  } catch {
    return err('The store cannot be read.');
  }
  if (!serving.isInPlace()) return err(FILES_REPLACED);
  if (!store.lastWrite.failed) return ok(undefined);
  // While a write waits for another process, the store is not writable, and the check does not wait, too.
  if (store.writeQueue.isBlocked()) return err(NOT_WRITABLE);
  const probe = await runInTransaction({ ...store, database, callContext }, probeWrite, { busyTimeoutMs: 0 });
  return probe.ok ? ok(undefined) : err(NOT_WRITABLE);
}

async function isReadOnly({ db, dialect }: StoreDatabase): Promise<boolean> {
  const row = db.selectFrom('project_versions').select('id').limit(1);
  const { rows } = await sql<{ read_only: number }>`select ${dialect.isReadOnly} as read_only, (${row})`.execute(db);
  return rows[0]?.read_only === 1;
}

/** Writes to the disk and changes nothing: no entry has the ID '', which an import rejects. */
async function probeWrite({ db }: StoreDatabase): Promise<void> {
  await sql`insert into invited_sso_users (id) values ('')`.execute(db);
  await sql`delete from invited_sso_users where id = ''`.execute(db);
}
