import {
  CATEGORY_TREE,
  type CategoryJson,
  EDITION,
  LISTED_ARTICLES,
  PROJECT_VERSIONS,
  wholeArticle,
} from './knowledge-base.ts';
import { READER_GROUPS, READERS } from './reader-groups.ts';

// The responses of the simulated service to reads. All are serialised once, so that they cost little more than the
// sockets they are written to.

const GROUPS_PER_PAGE = 5;

const envelope = (key: 'data' | 'result', payload: unknown): string =>
  JSON.stringify({
    [key]: payload,
    extension_data: null,
    success: true,
    errors: null,
    warnings: null,
    information: null,
  });

const withoutArticles = (categories: readonly CategoryJson[]): readonly CategoryJson[] =>
  categories.map((category) => ({
    ...category,
    articles: [],
    child_categories: withoutArticles(category.child_categories),
  }));

const EMPTY_LIST = envelope('result', []);
const EMPTY_DATA = envelope('data', []);

const groupPages = Array.from({ length: READER_GROUPS.length / GROUPS_PER_PAGE }, (_, page) =>
  envelope('result', READER_GROUPS.slice(page * GROUPS_PER_PAGE, (page + 1) * GROUPS_PER_PAGE)),
);

const trees = { whole: envelope('data', CATEGORY_TREE), bare: envelope('data', withoutArticles(CATEGORY_TREE)) };

const ofEdition = `/v2/ProjectVersions/${EDITION.projectVersionId}`;

type Responder = (query: string) => string;

const fixed =
  (body: string): Responder =>
  () =>
    body;

/** The page that `offSet` names, which counts from 1. */
const pageNumber = (query: string): number => Number(/(?:^|&)offSet=(\d+)/u.exec(query)?.[1] ?? 1);

const RESPONDERS: ReadonlyMap<string, Responder> = new Map([
  ['/v2/ProjectVersions', fixed(envelope('data', PROJECT_VERSIONS))],
  [`${ofEdition}/articles`, fixed(envelope('data', LISTED_ARTICLES))],
  [`${ofEdition}/categories`, (query) => (query.includes('excludeArticles=true') ? trees.bare : trees.whole)],
  ...PROJECT_VERSIONS.slice(1).flatMap(({ id }): [string, Responder][] => [
    [`/v2/ProjectVersions/${id}/articles`, fixed(EMPTY_DATA)],
    [`/v2/ProjectVersions/${id}/categories`, fixed(EMPTY_DATA)],
  ]),
  ['/v2/Readers', fixed(envelope('result', READERS))],
  ['/v2/Readers/groups', (query) => groupPages[pageNumber(query) - 1] ?? EMPTY_LIST],
  ...LISTED_ARTICLES.map((listed): [string, Responder] => [
    `/v2/Articles/${listed.id}/${EDITION.languageCode}`,
    fixed(envelope('data', wholeArticle(listed))),
  ]),
]);

const [FIRST_ARTICLE] = LISTED_ARTICLES;
const ANY_ARTICLE = FIRST_ARTICLE ? envelope('data', wholeArticle(FIRST_ARTICLE)) : '';
const ARTICLE_PATH = new RegExp(`^/v2/Articles/([^/]+)/${EDITION.languageCode}$`, 'u');

/** An article that is in no list has the text of the first one. */
function articleBody(path: string): string | null {
  const [, id] = ARTICLE_PATH.exec(path) ?? [];
  return id === undefined ? null : ANY_ARTICLE.replace(FIRST_ARTICLE?.id ?? '', id);
}

/** The body of the response to a GET of a path with its query; null where the path is none that the queries need. */
export function readResponseBody(target: string): string | null {
  const [path = '', query = ''] = target.split('?', 2);
  return RESPONDERS.get(path)?.(query) ?? articleBody(path);
}
