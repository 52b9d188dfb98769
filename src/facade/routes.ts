import { listArticles, listArticleVersions, readArticle, readArticleVersion } from './articles.ts';
import { bulkUpdateArticles } from './bulk-updates.ts';
import { readCategory, readCategoryTree } from './categories.ts';
import { listLanguages, listProjectVersions } from './project-versions.ts';
import { listReaderGroups, readReaderGroup, updateReaderGroup } from './reader-groups.ts';
import { listReaders } from './readers.ts';
import type { FacadeRequest, FacadeRoute, HandlerResult } from './route-handler.ts';

const readRoute = (path: string, handle: (request: FacadeRequest) => HandlerResult): FacadeRoute => ({
  method: 'GET',
  path,
  lists: 'null',
  handle,
});

/**
 * The operations of the service that the façade offers: see docs/contract.md, "Store over REST". A path with a literal
 * segment stands before one with a parameter there.
 */
export const FACADE_ROUTES: readonly FacadeRoute[] = [
  { method: 'PUT', path: '/v2/Articles/bulkupdate', lists: 'empty', handle: bulkUpdateArticles },
  { method: 'PUT', path: '/v2/Readers/groups/{groupId}', lists: 'null', handle: updateReaderGroup },
  readRoute('/v2/Readers/groups', listReaderGroups),
  readRoute('/v2/Readers/groups/{groupId}', readReaderGroup),
  readRoute('/v2/Readers', listReaders),
  readRoute('/v2/Articles/{articleId}/versions/{versionNumber}', readArticleVersion),
  readRoute('/v2/Articles/{articleId}/{langCode}/versions/{versionNumber}', readArticleVersion),
  readRoute('/v2/Articles/{articleId}/versions', listArticleVersions),
  readRoute('/v2/Articles/{articleId}/{langCode}/versions', listArticleVersions),
  readRoute('/v2/Articles/{articleId}', readArticle),
  readRoute('/v2/Articles/{articleId}/{langCode}', readArticle),
  readRoute('/v2/ProjectVersions', listProjectVersions),
  readRoute('/v2/ProjectVersions/{projectVersionId}/articles', listArticles),
  readRoute('/v2/ProjectVersions/{projectVersionId}/categories', readCategoryTree),
  readRoute('/v2/Categories/{categoryId}', readCategory),
  readRoute('/v2/Language/{projectVersionId}', listLanguages),
];
