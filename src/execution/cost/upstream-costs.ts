type Args = Readonly<Record<string, unknown>>;

/** What a field costs in calls to the service, at worst. */
export interface UpstreamCost {
  /** Calls for every object the field is read on. Fields of one object that name the same thing share its calls. */
  readonly each?: { readonly what: string; readonly calls: (args: Args) => number };
  /** Calls made once in a request for whoever asks first: how many, by what is read. */
  readonly once?: Readonly<Record<string, number>>;
  /** How many objects the field gives at most: what is selected below counts that often. */
  readonly items?: (args: Args) => number;
}

const DEFAULT_PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;
const GROUPS_PER_CALL = 5;

/**
 * Sizes that no query states. They are assumed here, so that the sum can be made before the first call; the running count
 * in the backend holds the limit where a service has more.
 */
const ASSUMED = { languages: 5, groupsOfReader: 3, rootCategories: 20, children: 3, projectVersions: 3 } as const;

/** Pages of other sizes are refused where they are read. Here none may count for less than nothing. */
const first = ({ first: asked }: Args): number =>
  typeof asked === 'number' ? Math.min(Math.max(asked, 0), MAX_PAGE_SIZE) : DEFAULT_PAGE_SIZE;

/** Every item has an outcome. */
const bulkItems = ({ input }: Args): number =>
  typeof input === 'object' && input !== null && 'articles' in input && Array.isArray(input.articles)
    ? input.articles.length
    : 1;

const listLength = (name: string) => (args: Args) => {
  const list = args[name];
  return Array.isArray(list) ? list.length : 1;
};

const one = () => 1;

const PROJECT_VERSIONS = { 'project versions': 1 };
const CATEGORY_TREE = { ...PROJECT_VERSIONS, 'category tree': 1 };
const READERS = { readers: 1 };

/** By field: a field that is not here costs nothing of its own and gives one object. See service facts, section 1. */
export const UPSTREAM_COSTS: Readonly<Record<string, UpstreamCost>> = {
  'Query.node': { each: { what: 'node', calls: one }, once: PROJECT_VERSIONS },
  'Query.nodes': {
    each: { what: 'nodes', calls: listLength('ids') },
    once: PROJECT_VERSIONS,
    items: listLength('ids'),
  },
  'Query.article': { each: { what: 'article', calls: () => 2 }, once: PROJECT_VERSIONS },
  'Query.articles': { each: { what: 'article list', calls: () => 2 }, once: PROJECT_VERSIONS, items: first },
  'Query.categories': { once: CATEGORY_TREE, items: () => ASSUMED.rootCategories },
  'Query.projectVersions': { once: PROJECT_VERSIONS, items: () => ASSUMED.projectVersions },
  'Query.readerGroup': { each: { what: 'reader group', calls: one } },
  'Query.readerGroups': {
    each: { what: 'reader group list', calls: (args) => Math.ceil(first(args) / GROUPS_PER_CALL) + 1 },
    items: first,
  },
  'Query.readers': { once: READERS, items: first },
  'Article.content': { each: { what: 'article text', calls: one } },
  'Article.htmlContent': { each: { what: 'article text', calls: one } },
  'Article.category': { once: CATEGORY_TREE },
  'Article.projectVersion': { once: PROJECT_VERSIONS },
  'Article.versions': { each: { what: 'article versions', calls: one } },
  'Article.translations': {
    once: { ...PROJECT_VERSIONS, 'article lists of all languages': ASSUMED.languages },
    items: () => ASSUMED.languages,
  },
  'Category.parent': { once: CATEGORY_TREE },
  'Category.children': { once: CATEGORY_TREE, items: () => ASSUMED.children },
  'Category.articles': { once: CATEGORY_TREE, items: first },
  'CategoryScope.category': { once: CATEGORY_TREE },
  'CategoryScope.projectVersion': { once: PROJECT_VERSIONS },
  'CategoryScope.language': { once: PROJECT_VERSIONS },
  'LanguageScope.projectVersion': { once: PROJECT_VERSIONS },
  'LanguageScope.language': { once: PROJECT_VERSIONS },
  'VersionAccessScope.projectVersions': { once: PROJECT_VERSIONS },
  'ReaderGroup.readers': { once: READERS, items: first },
  'ReaderGroup.invitedSsoUsers': { once: READERS },
  'Reader.groups': {
    each: { what: 'groups of a reader', calls: () => ASSUMED.groupsOfReader },
    items: () => ASSUMED.groupsOfReader,
  },
  'Mutation.bulkUpdateArticles': { items: bulkItems },
};
