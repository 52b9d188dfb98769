import DataLoader from 'dataloader';
import type { BatchResults } from '../backend/backend.ts';
import type { Page, PageRequest } from '../base/pages.ts';
import { createGraphQLError } from './errors/graphql-errors.ts';

/** Names a page of the list that belongs to one parent, such as the articles of a category. */
interface PageKey<Parent> {
  readonly parent: Parent;
  readonly page: PageRequest;
}

/** `cacheKeyFn` returns what equal keys have in common: a text, or the key itself where each is loaded once. */
export function createBatchLoader<K, V, C>(read: (keys: readonly K[]) => BatchResults<V>, cacheKeyFn: (key: K) => C) {
  const load = async (keys: readonly K[]) =>
    (await read(keys)).map((result) => (result.ok ? result.value : createGraphQLError(result.error)));
  return createLazyLoader(() => new DataLoader<K, V, C>(load, { cacheKeyFn }));
}

/**
 * A loader that gives what it has loaded before at once: a promise for each item of a list costs as much as the item.
 */
export function createKnowingLoader<K, V, C>(read: (keys: readonly K[]) => BatchResults<V>, cacheKeyFn: (key: K) => C) {
  const known = new Map<C, V>();
  const readAndRemember = async (keys: readonly K[]) => {
    const results = await read(keys);
    for (const [index, key] of keys.entries()) {
      const result = results[index];
      if (result?.ok) known.set(cacheKeyFn(key), result.value);
    }
    return results;
  };
  const loader = createBatchLoader(readAndRemember, cacheKeyFn);
  const readLists = async (lists: readonly (readonly K[])[]) => {
    const keys = new Map(lists.flat().map((key) => [cacheKeyFn(key), key]));
    for (const cacheKey of known.keys()) keys.delete(cacheKey);
    if (keys.size > 0) await readAndRemember([...keys.values()]);
    return lists;
  };
  const lists = createLazyLoader(() => new DataLoader<readonly K[], readonly K[]>(readLists));
  return {
    load(key: K): V | Promise<V> {
      const value = known.get(cacheKeyFn(key));
      return value === undefined ? loader.load(key) : value;
    },
    /** Loads the keys, so that `load` gives those that could be loaded at once. Lists of one tick are one batch. */
    async loadAll(keys: readonly K[]): Promise<void> {
      await lists.load(keys);
    },
  };
}

/** Creates the loader at its first use: most requests use few of them, and a write none. */
function createLazyLoader<K, V, C>(create: () => DataLoader<K, V, C>): Pick<DataLoader<K, V, C>, 'load'> {
  let loader: DataLoader<K, V, C> | undefined;
  return {
    load: (key) => {
      loader ??= create();
      return loader.load(key);
    },
  };
}

/** Batches the parents by page, so that the same page of all of them is one call of the backend. */
export function createPageLoader<P, T>(
  read: (parents: readonly P[], page: PageRequest) => BatchResults<Page<T>>,
  cacheKeyOfParent: (parent: P) => string,
) {
  const load = async (keys: readonly PageKey<P>[]) => {
    const groups = Map.groupBy(keys, ({ page }) => JSON.stringify([page.limit, page.after]));
    const pages = new Map<PageKey<P>, Awaited<BatchResults<Page<T>>>[number]>();
    await Promise.all(
      groups.values().map(async (group) => {
        const [first] = group;
        if (!first) return;
        const parents = group.map(({ parent }) => parent);
        const results = await read(parents, first.page);
        for (const [index, key] of group.entries()) {
          const result = results[index];
          if (result) pages.set(key, result);
        }
      }),
    );
    return keys.map((key) => {
      const result = pages.get(key);
      if (!result) return new Error('The backend returned fewer results than parents.');
      return result.ok ? result.value : createGraphQLError(result.error);
    });
  };
  const cacheKeyFn = ({ parent, page }: PageKey<P>) =>
    JSON.stringify([cacheKeyOfParent(parent), page.limit, page.after]);
  return createLazyLoader(() => new DataLoader<PageKey<P>, Page<T>, string>(load, { cacheKeyFn }));
}
