import type { MutationName } from '../../../core/backend.ts';
import { isObject } from '../../../core/base/json.ts';
import {
  DEFAULT_PAGE_SIZE,
  MAX_NODES,
  MAX_PAGE_SIZE,
  MAX_REPRESENTATIONS,
  MAX_RESULTS_PAGE_SIZE,
} from '../../../core/base/limits.ts';
import { FIELDS_WITH_CALLS } from '../../schema/articles/articles.ts';
import { readRepresentation } from '../../schema/federation.ts';
import { decodeGlobalId, type GlobalId, type NodeTypeName } from '../../schema/nodes.ts';

type Parts = GlobalId['parts'];

/** Assumed sizes of lists without a page size. For longer lists, the backend counts the calls and keeps the limit. */
const ASSUMED_SIZES = { languages: 5, groupsOfReader: 3, rootCategories: 20, children: 3, projectVersions: 3 } as const;

/** Calls that find the latest articles of one language in the lists and trees of project versions. */
const LISTED_ARTICLE_CALLS = 2 * ASSUMED_SIZES.projectVersions;

/** The calls for objects of one type by the parts of their IDs, besides the list of project versions. */
const CALLS_BY_TYPE: Readonly<Record<NodeTypeName, (ids: readonly Parts[]) => number>> = {
  Article: callsOfArticles,
  ArticleUpdateJob: () => 0,
  Category: callsOfCategories,
  InvitedSsoUser: () => 1,
  ProjectVersion: () => 0,
  Reader: () => 1,
  ReaderGroup: ({ length }) => length,
  RevertItem: ({ length }) => length,
  TeamAccount: ({ length }) => length,
};

/** The most calls that find the objects with these global IDs. Resolvers reject more IDs, and those of no type. */
function callsOfNodes(ids: readonly unknown[]): number {
  const decode = (id: unknown) => (typeof id === 'string' ? decodeGlobalId(id) : null) ?? [];
  return callsOf(ids.slice(0, MAX_NODES).flatMap(decode));
}

/** Counts the calls of entities as those of nodes, by either of their keys. */
function callsOfEntities(representations: readonly unknown[]): number {
  const named = representations.slice(0, MAX_REPRESENTATIONS).map(readRepresentation);
  return callsOf(named.filter((id) => id !== null));
}

function callsOf(named: readonly GlobalId[]): number {
  const byType = Map.groupBy(named, ({ typeName }) => typeName);
  return sum([...byType].map(([name, nodes]) => CALLS_BY_TYPE[name](nodes.map(({ parts }) => parts))));
}

/** A version that is asked for by its number is in no list. */
function callsOfArticles(ids: readonly Parts[]): number {
  const latest = ids.filter(([, , versionNumber]) => versionNumber === undefined);
  const byLanguage = Map.groupBy(latest, ([, languageCode]) => languageCode);
  const listed = [...byLanguage.values()].map(({ length }) => Math.min(length, LISTED_ARTICLE_CALLS));
  return ids.length - latest.length + sum(listed);
}

/** A category is in the tree of its project version, or in one of all where that is not named. */
function callsOfCategories(ids: readonly Parts[]): number {
  const versions = new Map(
    ids.map(([, ...languageAndVersion]) => [JSON.stringify(languageAndVersion), languageAndVersion[1]]),
  );
  return sum([...versions.values()].map((version) => (version === undefined ? ASSUMED_SIZES.projectVersions : 1)));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

type Args = Readonly<Record<string, unknown>>;

/** A constant number, or one that depends on the arguments of a field. */
export type ArgumentCount = number | ((args: Args) => number);

export const resolveCount = (count: ArgumentCount, args: Args): number =>
  typeof count === 'number' ? count : count(args);

/** The most calls to the service that a field can make. */
export interface UpstreamCost {
  /** Calls for each object with the field. */
  readonly calls?: ArgumentCount;
  /** Fields of one object with the same resource share these calls. */
  readonly resource?: string;
  /** Calls that are made once in a request, by resource. */
  readonly perRequest?: Readonly<Record<string, number>>;
  /** The most objects that the field returns. The cost of its selection is multiplied by it. */
  readonly listSize?: ArgumentCount;
}

const GROUPS_PER_CALL = 5;
const TEAM_ACCOUNTS_PER_CALL = 20;

/** Resolvers reject invalid page sizes; here a negative one must not lower the cost. */
const pageSizeUpTo =
  (maxSize: number) =>
  ({ first }: Args): number =>
    typeof first === 'number' ? Math.min(Math.max(first, 0), maxSize) : DEFAULT_PAGE_SIZE;

const pageSizeOf = pageSizeUpTo(MAX_PAGE_SIZE);

/** Most readers are in few groups. A caller who states the size of the page expects as many. */
const groupsOfReader = (args: Args): number =>
  typeof args['first'] === 'number' ? pageSizeOf(args) : ASSUMED_SIZES.groupsOfReader;

/** Every item has an outcome, or a preview. */
const bulkItemCount = ({ input }: Args): number => {
  const { articles, categories } = isObject(input) ? input : {};
  const items = articles ?? categories;
  return Array.isArray(items) ? items.length : 1;
};

const argumentLength = (name: string) => (args: Args) => {
  const list = args[name];
  return Array.isArray(list) ? list.length : 1;
};

/** A search reads a page of hits beside the list. */
const callsOfList = ({ filter }: Args): number =>
  typeof filter === 'object' && filter !== null && 'text' in filter && filter.text != null ? 3 : 2;

const PROJECT_VERSIONS = { 'project versions': 1 };
const CATEGORY_TREE = { ...PROJECT_VERSIONS, 'category tree': 1 };
const READERS = { readers: 1 };

/** Writes cost no reads but those of their payloads; a preview counts what it reads in the backend. */
const WRITE_COSTS: Readonly<Record<`Mutation.${MutationName | `preview${Capitalize<MutationName>}`}`, UpstreamCost>> = {
  'Mutation.bulkUpdateArticles': { listSize: bulkItemCount },
  'Mutation.previewBulkUpdateArticles': { listSize: bulkItemCount },
  'Mutation.createArticles': { listSize: bulkItemCount },
  'Mutation.previewCreateArticles': { listSize: bulkItemCount },
  'Mutation.createCategories': { listSize: bulkItemCount },
  'Mutation.previewCreateCategories': { listSize: bulkItemCount },
  'Mutation.publishArticles': { listSize: bulkItemCount },
  'Mutation.previewPublishArticles': { listSize: bulkItemCount },
  'Mutation.unpublishArticles': { listSize: bulkItemCount },
  'Mutation.previewUnpublishArticles': { listSize: bulkItemCount },
  'Mutation.updateReaderGroup': {},
  'Mutation.previewUpdateReaderGroup': {},
  'Mutation.changeReaderGroupMembers': {},
  'Mutation.previewChangeReaderGroupMembers': {},
};

/**
 * The costs by field, from docs/service.md, "Paging". Other fields make no calls and return one object. A test names each
 * field that asks the context and is neither here nor among those that it lists as free.
 */
export const UPSTREAM_COSTS: Readonly<Record<string, UpstreamCost>> = {
  'Query.node': { calls: 1, perRequest: PROJECT_VERSIONS },
  'Query.nodes': {
    calls: ({ ids }) => callsOfNodes([ids].flat()),
    perRequest: PROJECT_VERSIONS,
    listSize: argumentLength('ids'),
  },
  'Query._entities': {
    calls: ({ representations }) => callsOfEntities([representations].flat()),
    perRequest: PROJECT_VERSIONS,
    listSize: argumentLength('representations'),
  },
  'Query.article': { calls: 2, perRequest: PROJECT_VERSIONS },
  'Query.articles': { calls: callsOfList, perRequest: PROJECT_VERSIONS, listSize: pageSizeOf },
  'Query.articleBySlug': { calls: 1, perRequest: PROJECT_VERSIONS },
  'Query.categories': { perRequest: CATEGORY_TREE, listSize: ASSUMED_SIZES.rootCategories },
  'Query.projectVersions': { perRequest: PROJECT_VERSIONS, listSize: ASSUMED_SIZES.projectVersions },
  'Query.readerGroup': { calls: 1 },
  'Query.readerGroups': {
    calls: (args) => Math.ceil(pageSizeOf(args) / GROUPS_PER_CALL) + 1,
    listSize: pageSizeOf,
  },
  'Query.teamAccounts': {
    calls: (args) => Math.ceil((pageSizeOf(args) + 1) / TEAM_ACCOUNTS_PER_CALL) + 1,
    listSize: pageSizeOf,
  },
  'Query.readers': { perRequest: READERS, listSize: pageSizeOf },
  'Query.articleUpdateJobs': { listSize: pageSizeOf },
  'Query.invitedSsoUsers': { perRequest: READERS, listSize: pageSizeOf },
  'ArticleUpdateJob.results': { listSize: pageSizeUpTo(MAX_RESULTS_PAGE_SIZE) },
  'ArticleUpdated.article': { calls: 1, resource: 'article', perRequest: PROJECT_VERSIONS },
  'ArticleUpdateNotAttempted.current': { calls: 1, resource: 'article', perRequest: PROJECT_VERSIONS },
  'ArticleCreated.article': { calls: 1, resource: 'article', perRequest: PROJECT_VERSIONS },
  'ArticleCreateUnknown.candidates': { perRequest: CATEGORY_TREE },
  'CategoryCreated.category': { perRequest: CATEGORY_TREE },
  'CategoryCreateUnknown.candidates': { perRequest: CATEGORY_TREE, listSize: 1 },
  'ArticleCreatePreview.existing': { perRequest: CATEGORY_TREE },
  'Article.content': { calls: 1, resource: 'article text' },
  'Article.htmlContent': { calls: 1, resource: 'article text' },
  'Article.description': { calls: 1, resource: 'article text' },
  'Article.createdAt': { calls: 1, resource: 'article text' },
  'Article.createdBy': { calls: 1, resource: 'article text' },
  'Article.authors': { calls: 1, resource: 'article text' },
  'Article.isStale': { perRequest: { ...CATEGORY_TREE, 'list of the default language': 1 } },
  'Article.category': { perRequest: CATEGORY_TREE },
  'Article.revision': { perRequest: CATEGORY_TREE },
  'Article.projectVersion': { perRequest: PROJECT_VERSIONS },
  ...Object.fromEntries(
    FIELDS_WITH_CALLS.map((field) => [`Article.${field}`, { calls: 1, resource: `article ${field}` }]),
  ),
  'Article.translations': {
    perRequest: { ...PROJECT_VERSIONS, 'article lists of all languages': ASSUMED_SIZES.languages },
    listSize: ASSUMED_SIZES.languages,
  },
  'Category.parent': { perRequest: CATEGORY_TREE },
  'Category.children': { perRequest: CATEGORY_TREE, listSize: ASSUMED_SIZES.children },
  'Category.articles': { perRequest: CATEGORY_TREE, listSize: pageSizeOf },
  'CategoryScope.category': { perRequest: CATEGORY_TREE },
  'CategoryScope.projectVersion': { perRequest: PROJECT_VERSIONS },
  'CategoryScope.language': { perRequest: PROJECT_VERSIONS },
  'LanguageScope.projectVersion': { perRequest: PROJECT_VERSIONS },
  'LanguageScope.language': { perRequest: PROJECT_VERSIONS },
  'VersionAccessScope.projectVersions': { perRequest: PROJECT_VERSIONS },
  'ReaderGroup.readers': { perRequest: READERS, listSize: pageSizeOf },
  'ReaderGroup.invitedSsoUsers': { perRequest: READERS },
  'Reader.groups': { calls: groupsOfReader, listSize: groupsOfReader },
  ...WRITE_COSTS,
};
