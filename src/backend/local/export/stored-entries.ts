import type { Page, PageRequest } from '../../../base/pages.ts';
import type { Result } from '../../../base/result.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { WholeReaderGroupUpdate } from '../../../domain/reader-groups/reader-group-updates.ts';
import type { ReaderGroup } from '../../../domain/reader-groups/reader-groups.ts';
import type { KnowledgeBaseEntries } from '../../../knowledge-base/document-text.ts';
import { listInvitedSsoUsers } from '../reads/invited-sso-users.ts';
import { projectVersions } from '../reads/project-versions.ts';
import { listReaderGroups } from '../reads/reader-groups.ts';
import { listReaders } from '../reads/readers.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { readProperty } from '../tables/store-properties.ts';
import { storedArticles } from './articles.ts';
import { storedCategories } from './categories.ts';

/** All entries of the store in a fixed order, so that two stores with the same entries give the same. */
export async function storedEntries(database: StoreDatabase): Promise<KnowledgeBaseEntries> {
  const versions = readValue(await projectVersions(database));
  return {
    source: await readProperty(database, 'source'),
    projectVersions: versions,
    languages: versions.flatMap(({ projectVersionId, languages }) =>
      languages.map((language) => ({ projectVersionId, ...language })),
    ),
    categories: storedCategories(database),
    articles: storedArticles(database),
    readers: entriesOfPages(MAX_PAGE, (page) => listReaders(database, null, page)),
    invitedSsoUsers: entriesOfPages(MAX_PAGE, (page) => listInvitedSsoUsers(database, null, page)),
    readerGroups: storedReaderGroups(database),
  };
}

const MAX_PAGE = 1_000;

/** The most whole groups of one statement: each may have 50,000 members and as long a scope. */
const MAX_GROUP_PAGE = 10;

async function* storedReaderGroups(database: StoreDatabase): AsyncGenerator<WholeReaderGroupUpdate> {
  const groups = entriesOfPages(MAX_GROUP_PAGE, (page) => listReaderGroups(database, page));
  for await (const group of groups) yield toReplacement(group);
}

function toReplacement({ accessScope, ...group }: ReaderGroup): WholeReaderGroupUpdate {
  if (accessScope.level === 'UNRECOGNIZED') throw new Error(`The scope of the group ${group.groupId} is unknown.`);
  return { ...group, accessScope };
}

async function* entriesOfPages<T>(
  limit: number,
  readPage: (page: PageRequest) => Promise<Result<Page<T>, BackendError>>,
): AsyncGenerator<T> {
  let after: string | undefined;
  do {
    const { edges, hasNextPage } = readValue(await readPage(after === undefined ? { limit } : { limit, after }));
    for (const { node } of edges) yield node;
    after = hasNextPage ? edges.at(-1)?.cursor : undefined;
  } while (after !== undefined);
}

/** Lists of the store fail by what they throw. Only a wrong cursor is an error, and these are the store's own. */
function readValue<T>(result: Result<T, BackendError>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
