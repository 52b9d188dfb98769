import type { Log } from '../../domain/log.ts';
import { ok } from '../../domain/result.ts';
import type { Backend } from '../backend.ts';
import { articlesOfCategories, listArticles } from './article-lists.ts';
import { articles, articleTranslations, articleVersions } from './articles.ts';
import { bulkUpdateArticles } from './bulk-updates.ts';
import { categories, categoriesOfArticles, childCategories, rootCategories } from './categories.ts';
import { closeDatabase, type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { type ImportSummary, importKnowledgeBase, isEmpty, type OnProgress } from './import.ts';
import { invitedSsoUsers, listInvitedSsoUsers } from './invited-sso-users.ts';
import type { KnowledgeBase } from './knowledge-base.ts';
import { projectVersions } from './project-versions.ts';
import { readFailure } from './read-failures.ts';
import { changeReaderGroupMembers, updateReaderGroup } from './reader-group-updates.ts';
import { groupsOfReaders, listReaderGroups, readerGroups } from './reader-groups.ts';
import { listReaders, readers, readersOfGroups } from './readers.ts';
import { checkReady } from './readiness.ts';
import { createAuthenticate, createGuard } from './tokens.ts';
import { createWriterLine } from './writer-line.ts';

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
  database: Database,
  { apiTokens, log }: Pick<LocalBackendOptions, 'apiTokens' | 'log'>,
): LocalBackend {
  const store = { database, log, lastWrite: { failed: false }, line: createWriterLine() };
  const authenticate = createAuthenticate(apiTokens);
  const { one, each } = createGuard({ authenticate, failureOf: (error) => readFailure(store, error) });
  let closed: Promise<void> | null = null;
  return {
    authenticate,
    isAccepted: (caller) => authenticate(caller).ok,
    verifyToken: async (caller) => authenticate(caller),
    bulkUpdateArticles: one(store, bulkUpdateArticles),
    updateReaderGroup: one(store, updateReaderGroup),
    changeReaderGroupMembers: one(store, changeReaderGroupMembers),
    projectVersions: one(database, projectVersions),
    rateLimit: one(database, async () => ok(null)),
    articles: each(database, articles),
    listArticles: one(database, listArticles),
    articlesOfCategories: each(database, articlesOfCategories),
    articleVersions: each(database, articleVersions),
    articleTranslations: each(database, articleTranslations),
    rootCategories: one(database, rootCategories),
    categories: each(database, categories),
    childCategories: each(database, childCategories),
    categoriesOfArticles: each(database, categoriesOfArticles),
    readerGroups: each(database, readerGroups),
    listReaderGroups: one(database, listReaderGroups),
    readers: each(database, readers),
    listReaders: one(database, listReaders),
    readersOfGroups: each(database, readersOfGroups),
    invitedSsoUsers: each(database, invitedSsoUsers),
    listInvitedSsoUsers: one(database, listInvitedSsoUsers),
    groupsOfReaders: each(database, groupsOfReaders),
    checkReady: () => checkReady(store),
    close: () => {
      closed ??= store.line.inTurn(() => closeDatabase(database));
      return closed;
    },
    importKnowledgeBase: (knowledgeBase, onProgress) => importKnowledgeBase(store, knowledgeBase, onProgress),
    isEmpty: () => isEmpty(database),
  };
}
