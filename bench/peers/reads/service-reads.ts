import type {
  CategoryJson,
  ListedArticleJson,
  ProjectVersionJson,
  WholeArticleJson,
} from '../../reads/knowledge-base.ts';
import type { ReaderGroupJson, ReaderJson } from '../../reads/reader-groups.ts';
import {
  type ArticleObject,
  articleOf,
  type CategoryTree,
  categoryTreeOf,
  type Edition,
  type ProjectVersionObject,
  projectVersionOf,
  type ReaderGroupObject,
  type ReaderObject,
  readerGroupOf,
  readerOf,
  wholeArticleOf,
} from './objects.ts';

/** The payload of a response to a GET. Each peer has an HTTP client of its own for it. */
export type Get = <T>(path: string) => Promise<T>;

/** The lists of the service that the fields of one request share. */
export interface ServiceReads {
  article(articleId: string, languageCode: string): Promise<ArticleObject>;
  /** A page of the list, which has at most 100 articles. */
  articles(edition: Edition, limit: number): Promise<readonly ArticleObject[]>;
  categoryTree(edition: Edition, part: 'with-articles' | 'without-articles'): Promise<CategoryTree>;
  projectVersions(): Promise<readonly ProjectVersionObject[]>;
  readers(): Promise<ReadonlyMap<string, ReaderObject>>;
  /** A page of the list, which has five groups. */
  readerGroups(page: number): Promise<readonly ReaderGroupObject[]>;
}

/** Reads each list once for a request, as far as the fields need it. */
export function createServiceReads(get: Get): ServiceReads {
  const trees = createMemo<CategoryTree>();
  const versions = createMemo<readonly ProjectVersionObject[]>();
  const readers = createMemo<ReadonlyMap<string, ReaderObject>>();
  return {
    async article(articleId, languageCode) {
      const query = 'isForDisplay=false&appendSASToken=false&isPublished=false';
      return wholeArticleOf(
        await get<WholeArticleJson>(`/v2/Articles/${articleId}/${languageCode}?${query}`),
        languageCode,
      );
    },
    async articles(edition, limit) {
      const query = `langCode=${edition.languageCode}&page=0&hitsPerPage=${limit}`;
      const list = await get<readonly ListedArticleJson[]>(
        `/v2/ProjectVersions/${edition.projectVersionId}/articles?${query}`,
      );
      return list.map((json) => articleOf(json, edition));
    },
    categoryTree({ projectVersionId, languageCode }, part) {
      const query = `excludeArticles=${part === 'without-articles'}&langCode=${languageCode}&includeCategoryDescription=false`;
      const path = `/v2/ProjectVersions/${projectVersionId}/categories?${query}`;
      return trees(path, async () => categoryTreeOf(await get<readonly CategoryJson[]>(path)));
    },
    projectVersions: () =>
      versions('', async () => (await get<readonly ProjectVersionJson[]>('/v2/ProjectVersions')).map(projectVersionOf)),
    readers: () =>
      readers('', async () => {
        const list = await get<readonly ReaderJson[]>('/v2/Readers?offSet=1');
        return new Map(list.map((json) => [json.reader_id, readerOf(json)]));
      }),
    async readerGroups(page) {
      const groups = await get<readonly ReaderGroupJson[]>(`/v2/Readers/groups?offSet=${page}&excludeReaders=false`);
      return groups.map(readerGroupOf);
    },
  };
}

function createMemo<T>() {
  const results = new Map<string, Promise<T>>();
  return (key: string, read: () => Promise<T>): Promise<T> => {
    const result = results.get(key) ?? read();
    results.set(key, result);
    return result;
  };
}
