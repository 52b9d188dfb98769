import { LISTED_WITH_PUBLIC_VERSION } from '../../core/articles/article-previews.ts';
import type { Article, VersionLanguage } from '../../core/articles/articles.ts';
import { type ArticleUpdate, articleKeyOf, type UpdateTarget } from '../../core/articles/bulk-updates.ts';
import type { BackendResult } from '../../core/backend.ts';
import { mapOk, ok } from '../../core/base/result.ts';
import { idKeyOf, isSameId } from '../../core/base/text.ts';
import { mapInSteps, valueIfOffered } from '../calls/read-response.ts';
import { hiddenOfEntry } from '../v2/articles.ts';
import { MAX_UNPAGED_ENTRIES, readAllArticles } from './article-lists.ts';
import { MAX_PROBES, readArticlesOfUpdates } from './article-search.ts';
import { readArticleInAnyLanguage } from './articles.ts';
import { readCategoryTree } from './categories.ts';
import { readDefaultLanguages } from './project-versions.ts';
import type { RequestCache } from './request-cache.ts';

/** Whether articles are hidden, by `idKeyOf`; null for one that does not exist. */
export type HiddenById = ReadonlyMap<string, boolean | null>;

/**
 * What is there now of the articles of one chunk, for all steps before its call. All of them read from one cache, so what
 * one step has read costs the next one no call:
 *
 *     const current = new ChunkReads(new RequestCache({ ...reads, readCache: null }, caller));
 *     await current.ofUpdates(updates); // the text of each update: its version, its status and the public version
 *     await current.areHidden(updates); // each article, in whatever language
 */
export class ChunkReads {
  /** `performance.now()` before the first read. */
  readonly openedAt = performance.now();
  readonly #cache: RequestCache;

  constructor(cache: RequestCache) {
    this.#cache = cache;
  }

  /** Milliseconds since the first answer, which a read that waits for the rate limit leaves far behind. */
  get ageMs(): number {
    return this.#cache.ageMs;
  }

  ofUpdates(updates: readonly ArticleUpdate[]): BackendResult<readonly (Article | null)[]> {
    return readArticlesOfUpdates(this.#cache, updates, LISTED_WITH_PUBLIC_VERSION);
  }

  /** Whether the articles are hidden, and all others that the same reads have shown. */
  async areHidden(targets: readonly UpdateTarget[]): BackendResult<HiddenById> {
    const byId = new Map(targets.map((target) => [idKeyOf(target.articleId), target]));
    const [only] = byId.values();
    if (only === undefined || byId.size > 1) return this.#search(byId);
    return mapOk(await this.#read(only), (article) => new Map([[idKeyOf(only.articleId), article?.hidden ?? null]]));
  }

  /**
   * Looks into the trees first. What is in none of them has no category or does not exist: see docs/service.md, "Hidden
   * articles".
   */
  async #search(missing: Map<string, UpdateTarget>): BackendResult<HiddenById> {
    const versionLanguages = await readDefaultLanguages(this.#cache);
    if (!versionLanguages.ok) return versionLanguages;
    const search = { found: new Map<string, boolean | null>(), missing, versionLanguages: versionLanguages.value };
    const inTrees = await this.#searchTrees(search);
    if (!inTrees.ok) return inTrees;
    // The pages of long lists are more calls than a few articles.
    const rest = await (inTrees.value.areLong ? this.#readEach(search) : this.#searchLists(search));
    return mapOk(rest, () => search.found);
  }

  /** Begins with the tree of the default version, and goes on in the version of one of the articles that it lacks. */
  async #searchTrees(search: Search): BackendResult<{ readonly areLong: boolean }> {
    const { missing, versionLanguages } = search;
    const searched = new Set<string>();
    let areLong = false;
    let next = versionLanguages[0];
    for (let probes = 0; next !== undefined || (missing.size > 0 && probes < MAX_PROBES); ) {
      const tree = next ? valueIfOffered(await readCategoryTree(this.#cache, next), null) : ok(null);
      if (!tree.ok) return tree;
      const articles = [...(tree.value?.articles ?? [])];
      await this.#addAll(search, articles, ([articleId, { entry }]) => [articleId, hiddenOfEntry(entry)]);
      areLong ||= articles.length >= MAX_UNPAGED_ENTRIES;
      searched.add(next?.projectVersionId ?? '');
      next = undefined;
      const [target] = missing.values();
      if (target === undefined || probes === MAX_PROBES) continue;
      probes += 1;
      const article = await this.#read(target);
      if (!article.ok) return article;
      add(search, target.articleId, article.value?.hidden ?? null);
      next = versionLanguages.find(
        ({ projectVersionId }) =>
          isSameId(projectVersionId, article.value?.projectVersionId) && !searched.has(projectVersionId),
      );
    }
    return ok({ areLong });
  }

  async #searchLists(search: Search): BackendResult<void> {
    for (const versionLanguage of search.versionLanguages) {
      if (search.missing.size === 0) break;
      const list = await readAllArticles(this.#cache, versionLanguage);
      if (!list.ok) return list;
      await this.#addAll(search, [...(list.value?.articles.values() ?? [])], ({ articleId, hidden }) => [
        articleId,
        hidden,
      ]);
    }
    for (const articleId of search.missing.keys()) search.found.set(articleId, null);
    return ok(undefined);
  }

  async #readEach({ found, missing }: Search): BackendResult<void> {
    for (const [key, target] of missing) {
      const article = await this.#read(target);
      if (!article.ok) return article;
      found.set(key, article.value?.hidden ?? null);
    }
    return ok(undefined);
  }

  /** An entry that does not report it is left out. */
  async #addAll<E>(search: Search, entries: readonly E[], read: (entry: E) => readonly [string, boolean | null]) {
    const addEntry = (entry: E) => {
      const [articleId, hidden] = read(entry);
      if (hidden !== null) add(search, articleId, hidden);
    };
    await mapInSteps(entries, addEntry, { ticks: this.#cache.ticks, entries: 0 });
  }

  async #read(target: UpdateTarget): BackendResult<Article | null> {
    const article = await readArticleInAnyLanguage(this.#cache, { ...articleKeyOf(target), versionNumber: undefined });
    if (!article.ok || article.value !== null) return article;
    // Without a default language nothing was looked for.
    return mapOk(await readDefaultLanguages(this.#cache), () => null);
  }
}

interface Search {
  readonly found: Map<string, boolean | null>;
  /** The articles that are not found yet, by `idKeyOf`. */
  readonly missing: Map<string, UpdateTarget>;
  readonly versionLanguages: readonly VersionLanguage[];
}

function add({ found, missing }: Search, articleId: string, hidden: boolean | null): void {
  found.set(idKeyOf(articleId), hidden);
  missing.delete(idKeyOf(articleId));
}
