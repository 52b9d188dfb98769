import type { EmptyListEncoding } from '../../service/v2/envelope.ts';
import { listArticles, listArticleVersions, readArticle, readArticleVersion, searchArticles } from './articles.ts';
import { bulkUpdateArticles, updateArticle } from './bulk-updates.ts';
import { readCategory, readCategoryTree } from './categories.ts';
import { bulkCreateArticles, bulkCreateCategories, createArticle, createCategory } from './creations.ts';
import { forkArticle } from './forks.ts';
import { listLanguages, listProjectVersions } from './project-versions.ts';
import { publishArticle, publishArticles, unpublishArticles } from './publications.ts';
import { listReaderGroups, readReaderGroup, updateReaderGroup } from './reader-groups.ts';
import { listReaders } from './readers.ts';
import type { EnvelopeResult, FacadeRequest } from './route-handler.ts';
import { listTeams, readTeam } from './team-accounts.ts';

interface FacadeRoute {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Literal segments in the case of the documentation, parameters in braces: `/v2/Articles/{articleId}/{langCode}`. */
  readonly path: string;
  readonly handle: (request: FacadeRequest) => EnvelopeResult;
}

const readRoute = (path: string, handle: FacadeRoute['handle']): FacadeRoute => ({ method: 'GET', path, handle });

const BULK_UPDATE_PATH = '/v2/Articles/bulkupdate';
const BULK_CREATE_PATH = '/v2/Articles/bulkcreate';

/**
 * The operations of the service that the façade offers: see docs/contract.md, "Store over REST". A path with a literal
 * segment comes before one with a parameter in its position.
 *
 * @internal Exported for tests.
 */
export const FACADE_ROUTES: readonly FacadeRoute[] = [
  { method: 'PUT', path: BULK_UPDATE_PATH, handle: bulkUpdateArticles },
  { method: 'POST', path: '/v2/Articles', handle: createArticle },
  { method: 'POST', path: BULK_CREATE_PATH, handle: bulkCreateArticles },
  { method: 'POST', path: '/v2/Articles/bulkpublish/{langCode}', handle: publishArticles },
  { method: 'DELETE', path: '/v2/Articles/bulkpublish/{langCode}', handle: unpublishArticles },
  { method: 'POST', path: '/v2/Categories', handle: createCategory },
  { method: 'POST', path: '/v2/Categories/bulkcreate', handle: bulkCreateCategories },
  { method: 'POST', path: '/v2/Articles/{articleId}/publish', handle: publishArticle },
  { method: 'POST', path: '/v2/Articles/{articleId}/{langCode}/publish', handle: publishArticle },
  { method: 'PUT', path: '/v2/Articles/{articleId}/fork', handle: forkArticle },
  { method: 'PUT', path: '/v2/Readers/groups/{groupId}', handle: updateReaderGroup },
  readRoute('/v2/Readers/groups', listReaderGroups),
  readRoute('/v2/Readers/groups/{groupId}', readReaderGroup),
  readRoute('/v2/Readers', listReaders),
  readRoute('/v2/Articles/{articleId}/versions/{versionNumber}', readArticleVersion),
  readRoute('/v2/Articles/{articleId}/{langCode}/versions/{versionNumber}', readArticleVersion),
  readRoute('/v2/Articles/{articleId}/versions', listArticleVersions),
  readRoute('/v2/Articles/{articleId}/{langCode}/versions', listArticleVersions),
  readRoute('/v2/Articles/{articleId}', readArticle),
  { method: 'PUT', path: '/v2/Articles/{articleId}', handle: updateArticle },
  { method: 'PUT', path: '/v2/Articles/{articleId}/{langCode}', handle: updateArticle },
  readRoute('/v2/Articles/{articleId}/{langCode}', readArticle),
  readRoute('/v2/ProjectVersions', listProjectVersions),
  readRoute('/v2/ProjectVersions/{projectVersionId}/articles', listArticles),
  readRoute('/v2/ProjectVersions/{projectVersionId}/categories', readCategoryTree),
  readRoute('/v2/ProjectVersions/{projectVersionId}/{langCode}', searchArticles),
  readRoute('/v2/Categories/{categoryId}', readCategory),
  readRoute('/v2/Language/{projectVersionId}', listLanguages),
  readRoute('/v2/Teams', listTeams),
  readRoute('/v2/Teams/{userId}', readTeam),
];

/** The form of empty lists in the envelopes of a path of `FACADE_ROUTES`, null for no such path: see docs/service.md, "Response envelope". */
export const emptyListsOf = (path: string | null): EmptyListEncoding => (path === BULK_UPDATE_PATH ? 'empty' : 'null');

/** Paths of the service that are not served, and would be taken for an ID or a language. */
const NOT_SERVED = [
  '/v2/Articles/bulkdelete',
  '/v2/Articles/bulkdelete-article-versions',
  '/v2/Articles/{articleId}/settings',
  '/v2/Articles/{articleId}/updateDescription',
  '/v2/Categories/bulkdelete-category-versions',
  '/v2/Categories/bulkupdateContent',
  '/v2/ProjectVersions/{projectVersionId}/apireferences',
  '/v2/Teams/email-exists',
  '/v2/Teams/groups',
  '/v2/Teams/roles',
];

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{(\w+)\}/gu, '(?<$1>[^/]+)')}/?$`, 'iu');

const NOT_SERVED_PATTERNS = NOT_SERVED.map(patternOf);

/** Ignores the case of literal segments, as the service's framework does, and a slash at the end. */
const PATTERNS = [...Map.groupBy(FACADE_ROUTES, ({ path }) => path)].map(([path, routes]) => ({
  path,
  pattern: patternOf(path),
  routes: new Map<string, FacadeRoute>(routes.map((route) => [route.method, route])),
}));

/** The routes of one path by method, and the values of its parameters. */
export interface PathMatch {
  /** The path with the names of its parameters in braces. */
  readonly path: string;
  readonly routes: ReadonlyMap<string, FacadeRoute>;
  readonly params: FacadeRequest['params'];
}

/** Finds the routes of the first path that matches; null where there is none. */
export function matchPath(pathname: string): PathMatch | null {
  if (isNotServed(pathname)) return null;
  for (const { path, pattern, routes } of PATTERNS) {
    const match = pattern.exec(pathname);
    if (match === null) continue;
    const params = new Map(
      Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
    return { path, routes, params };
  }
  return null;
}

/** The path with the names of its parameters in braces; null for one that the service does not have. */
export const knownPathOf = (pathname: string): string | null =>
  isNotServed(pathname) ? null : (PATTERNS.find(({ pattern }) => pattern.test(pathname))?.path ?? null);

const isNotServed = (pathname: string): boolean => NOT_SERVED_PATTERNS.some((pattern) => pattern.test(pathname));

/** The methods of a path. HEAD is GET without the body. */
export const allowedMethods = ({ routes }: PathMatch): string =>
  [...routes.keys(), 'OPTIONS'].join(', ').replace('GET', 'GET, HEAD');
