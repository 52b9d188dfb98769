import type { ArticleKey } from '../../../../domain/articles/articles.ts';
import { type ArticleUpdate, articleKeyOf, textKeyOf } from '../../../../domain/articles/bulk-updates.ts';
import type { ListedField } from '../../../../v2/listed-fields.ts';
import { mapInSteps } from '../read-response.ts';
import type { RequestCache } from '../request-cache.ts';

/** An article that updates name, and what has to be known of it. */
export interface PreviewRequest {
  readonly key: ArticleKey;
  /** The listed properties that the updates set. */
  readonly fields: ReadonlySet<ListedField>;
  /** True where only a read of this one article tells everything: its text, or a version by its number. */
  readonly isSingle: boolean;
}

/** So few articles are read one by one: lists would cost as many calls. */
export const MAX_UNLISTED = 2;

/** One request for each article that the updates name, in the order of the updates, by `textKeyOf`. */
export async function requestsOf(
  cache: RequestCache,
  updates: readonly ArticleUpdate[],
  withText: boolean,
): Promise<ReadonlyMap<string, PreviewRequest>> {
  const requests = new Map<string, PreviewRequest>();
  await mapInSteps(
    updates,
    (update) => {
      const name = textKeyOf(update);
      requests.set(name, mergeRequest(requests.get(name), update, withText));
    },
    { ticks: cache.ticks, entries: 0 },
  );
  const listed = requests.values().filter(({ isSingle }) => !isSingle);
  if ([...listed].length > MAX_UNLISTED) return requests;
  return new Map(requests.entries().map(([name, request]) => [name, { ...request, isSingle: true }]));
}

type Need = ListedField | 'article' | null;

/** The data of an article that each member of an update needs: a listed property, or the article itself. */
const NEEDS: ReadonlyMap<string, Need> = new Map<string, Need>(
  Object.entries({
    articleId: null,
    languageCode: null,
    title: 'title',
    content: 'article',
    htmlContent: 'article',
    categoryId: 'categoryId',
    hidden: 'hidden',
    versionNumber: 'article',
    translationStatus: 'translationStatus',
    // No read gives the stored source.
    source: null,
    order: 'order',
  } as const satisfies Record<keyof ArticleUpdate, Need>),
);

function mergeRequest(request: PreviewRequest | undefined, update: ArticleUpdate, withText: boolean): PreviewRequest {
  const fields = new Set(request?.fields);
  let isSingle = withText || request?.isSingle === true;
  for (const [member, value] of Object.entries(update)) {
    const need = value == null ? null : (NEEDS.get(member) ?? null);
    if (need === 'article') isSingle = true;
    else if (need !== null) fields.add(need);
  }
  return { key: articleKeyOf(update), fields, isSingle };
}

/**
 * The calls that the requests take where every article exists, and the fewest project versions have them: a read for
 * each single article, the list of project versions, an article list for each language, and a category tree for each
 * language in which articles move.
 */
export function expectedCalls(requests: readonly PreviewRequest[]): number {
  const singles = requests.filter(({ isSingle }) => isSingle);
  const listed = requests.filter(({ isSingle }) => !isSingle);
  const moved = requests.filter(({ fields }) => fields.has('categoryId'));
  const needsVersions = listed.length > 0 || requests.some(({ key }) => key.languageCode === undefined);
  return singles.length + (needsVersions ? 1 : 0) + fewestEditions(listed) + fewestEditions(moved);
}

/** The default language may be one of those that are named. */
function fewestEditions(requests: readonly PreviewRequest[]): number {
  const codes = new Set(requests.flatMap(({ key }) => key.languageCode ?? []));
  return requests.length === 0 ? 0 : Math.max(1, codes.size);
}
