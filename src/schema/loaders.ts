import DataLoader from 'dataloader';
import type { Answers, Backend } from '../backend/backend.ts';
import type { Article, ArticleKey } from '../domain/articles/bulk-updates.ts';
import type { Category, CategoryKey } from '../domain/articles/categories.ts';
import type { Caller } from '../domain/callers/caller.ts';
import type { Page, PageRequest } from '../domain/pages.ts';
import type { ReaderGroup } from '../domain/reader-groups/reader-group-updates.ts';
import type { Reader } from '../domain/reader-groups/readers.ts';
import { readFailure } from './errors/graphql-errors.ts';

/** A page of the list that hangs on one parent: of the articles of a category, say. */
export interface PageOf<Parent> {
  readonly parent: Parent;
  readonly page: PageRequest;
}

export type Loaders = ReturnType<typeof createLoaders>;

/** A fresh set per request: what one caller loads never serves another. One turn of the event loop is one batch. */
export function createLoaders(backend: Backend, caller: Caller) {
  return {
    articles: batched((keys: readonly ArticleKey[]) => backend.articles(caller, keys), articleKeyText),
    articleVersions: batched((articles: readonly Article[]) => backend.articleVersions(caller, articles), articleText),
    articleTranslations: batched(
      (articles: readonly Article[]) => backend.articleTranslations(caller, articles),
      articleText,
    ),
    categoriesOfArticles: batched(
      (articles: readonly Article[]) => backend.categoriesOfArticles(caller, articles),
      articleText,
    ),
    categories: batched((keys: readonly CategoryKey[]) => backend.categories(caller, keys), categoryText),
    childCategories: batched((parents: readonly Category[]) => backend.childCategories(caller, parents), categoryText),
    articlesOfCategories: paged(
      (categories: readonly Category[], page) => backend.articlesOfCategories(caller, categories, page),
      categoryText,
    ),
    readerGroups: batched((ids: readonly string[]) => backend.readerGroups(caller, ids), itself),
    readerGroupHeads: batched((ids: readonly string[]) => backend.readerGroups(caller, ids, 'head'), itself),
    readersOfGroups: paged(
      (groups: readonly ReaderGroup[], page) => backend.readersOfGroups(caller, groups, page),
      groupText,
    ),
    invitedSsoUsers: batched((ids: readonly string[]) => backend.invitedSsoUsers(caller, ids), itself),
    readers: batched((ids: readonly string[]) => backend.readers(caller, ids), itself),
    groupsOfReaders: batched((readers: readonly Reader[]) => backend.groupsOfReaders(caller, readers), readerText),
    projectVersions: batched(
      async (keys: readonly 'all'[]) => {
        const answer = await backend.projectVersions(caller);
        return keys.map(() => answer);
      },
      (key) => key,
    ),
  };
}

const itself = (id: string): string => id;

const articleKeyText = ({ articleId, languageCode, versionNumber }: ArticleKey): string =>
  JSON.stringify([articleId, languageCode, versionNumber]);

const articleText = ({ articleId, languageCode }: Article): string => JSON.stringify([articleId, languageCode]);

const categoryText = ({ categoryId, projectVersionId, languageCode }: CategoryKey): string =>
  JSON.stringify([categoryId, projectVersionId, languageCode]);

const groupText = ({ groupId }: ReaderGroup): string => groupId;

const readerText = ({ readerId }: Reader): string => readerId;

function batched<K, V>(read: (keys: readonly K[]) => Answers<V>, cacheKeyFn: (key: K) => string) {
  const load = async (keys: readonly K[]) =>
    (await read(keys)).map((result) => (result.ok ? result.value : readFailure(result.error)));
  return whenNeeded(() => new DataLoader<K, V, string>(load, { cacheKeyFn }));
}

/** Most requests use few of the loaders, and a write none: each is made when it is first asked. */
function whenNeeded<K, V>(create: () => DataLoader<K, V, string>): Pick<DataLoader<K, V, string>, 'load'> {
  let loader: DataLoader<K, V, string> | undefined;
  return {
    load: (key) => {
      loader ??= create();
      return loader.load(key);
    },
  };
}

/** One batch per page request: parents that are asked for the same page share a call. */
function paged<P, T>(
  read: (parents: readonly P[], page: PageRequest) => Answers<Page<T>>,
  parentText: (parent: P) => string,
) {
  const load = async (keys: readonly PageOf<P>[]) => {
    const groups = Map.groupBy(keys, ({ page }) => JSON.stringify([page.limit, page.after]));
    const pages = new Map<PageOf<P>, Awaited<Answers<Page<T>>>[number]>();
    await Promise.all(
      groups.values().map(async (group) => {
        const [first] = group;
        if (!first) return;
        const parents = group.map(({ parent }) => parent);
        const answers = await read(parents, first.page);
        for (const [index, key] of group.entries()) {
          const answer = answers[index];
          if (answer) pages.set(key, answer);
        }
      }),
    );
    return keys.map((key) => {
      const answer = pages.get(key);
      if (!answer) return new Error('A backend answered fewer pages than it was asked for.');
      return answer.ok ? answer.value : readFailure(answer.error);
    });
  };
  const cacheKeyFn = ({ parent, page }: PageOf<P>) => JSON.stringify([parentText(parent), page.limit, page.after]);
  return whenNeeded(() => new DataLoader<PageOf<P>, Page<T>, string>(load, { cacheKeyFn }));
}
