import { bulkUpdateArticles, listArticles, listArticleVersions, readArticle, readArticleVersion } from './articles.ts';
import { readCategory, readCategoryTree } from './categories.ts';
import { listLanguages, listProjectVersions } from './project-versions.ts';
import { listReaderGroups, readReaderGroup, updateReaderGroup } from './reader-groups.ts';
import { listReaders } from './readers.ts';
import type { Call, Handled, Route } from './route-handler.ts';

const read = (path: string, handle: (call: Call) => Handled): Route => ({ method: 'GET', path, lists: 'null', handle });

/** Every operation of the service that is served here; the reads by service-facts.md, section 1. */
export const ROUTES: readonly Route[] = [
  { method: 'PUT', path: '/v2/Articles/bulkupdate', lists: 'empty', handle: bulkUpdateArticles },
  { method: 'PUT', path: '/v2/Readers/groups/{groupId}', lists: 'null', handle: updateReaderGroup },
  read('/v2/Readers/groups', listReaderGroups),
  read('/v2/Readers/groups/{groupId}', readReaderGroup),
  read('/v2/Readers', listReaders),
  read('/v2/Articles/{articleId}', readArticle),
  read('/v2/Articles/{articleId}/{langCode}', readArticle),
  read('/v2/Articles/{articleId}/versions', listArticleVersions),
  read('/v2/Articles/{articleId}/{langCode}/versions', listArticleVersions),
  read('/v2/Articles/{articleId}/versions/{versionNumber}', readArticleVersion),
  read('/v2/Articles/{articleId}/{langCode}/versions/{versionNumber}', readArticleVersion),
  read('/v2/ProjectVersions', listProjectVersions),
  read('/v2/ProjectVersions/{projectVersionId}/articles', listArticles),
  read('/v2/ProjectVersions/{projectVersionId}/categories', readCategoryTree),
  read('/v2/Categories/{categoryId}', readCategory),
  read('/v2/Language/{projectVersionId}', listLanguages),
];
