// The knowledge base that the simulated service returns to reads, as JSON of the service. All texts are ASCII, as the
// harness writes them. The members are those that the service documents, also where no query selects them.

export const idOf = (kind: number, number: number): string =>
  `5f0e8c1a-${String(kind).padStart(4, '0')}-4000-8000-${String(number).padStart(12, '0')}`;

export const times = <T>(count: number, create: (number: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, number) => create(number));

const MODIFIED_AT = '2026-03-05T07:30:00.000Z';

export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'German' },
  { code: 'pt-br', name: 'Portuguese' },
] as const;

export const PROJECT_VERSIONS = times(3, (number) => ({
  id: idOf(1, number),
  version_number: number + 1,
  base_version_number: null,
  version_code_name: `Release ${number + 1}`,
  is_main_version: number === 0,
  is_beta: false,
  is_public: true,
  is_deprecated: false,
  created_at: MODIFIED_AT,
  modified_at: MODIFIED_AT,
  language_versions: LANGUAGES.map(({ code, name }, position) => ({
    id: idOf(2, number * LANGUAGES.length + position),
    name,
    code,
    set_as_default: position === 0,
    hidden: false,
    enable_rtl: false,
    display_name: name,
  })),
  slug: `release-${number + 1}`,
  order: number + 1,
  version_type: 0,
}));

export type ProjectVersionJson = (typeof PROJECT_VERSIONS)[number];

/** The edition that is read. */
export const EDITION = { projectVersionId: idOf(1, 0), languageCode: 'en' } as const;

const [ROOT_COUNT, CHILDREN_PER_ROOT] = [5, 3] as const;
const CATEGORY_COUNT = ROOT_COUNT * (1 + CHILDREN_PER_ROOT);

export const categoryIdOf = (number: number): string => idOf(5, number % CATEGORY_COUNT);

export const ARTICLE_COUNT = 100;

/** The entries of the list of articles. */
export const LISTED_ARTICLES = times(ARTICLE_COUNT, (number) => ({
  id: idOf(3, number),
  title: `Renew the certificate of a field agent, part ${number}`,
  url: `https://docs.example.com/docs/renew-the-certificate-${number}`,
  public_version: 1,
  latest_version: (number % 4) + 1,
  language_code: EDITION.languageCode,
  hidden: number % 10 === 0,
  status: 3,
  order: Math.floor(number / 20) + 1,
  slug: `renew-the-certificate-${number}`,
  content_type: 0,
  translation_option: 2,
  is_shared_article: false,
  modified_at: MODIFIED_AT,
}));

export type ListedArticleJson = (typeof LISTED_ARTICLES)[number];

const PARAGRAPH =
  'Open **Settings / Agents**, choose the agent, and select *Renew*. The old certificate stays valid for a day, so that no report is lost meanwhile.\n\n';

/** An article as it is read by its ID: 4 kB of text. */
export const wholeArticle = (listed: ListedArticleJson) => ({
  ...listed,
  content: PARAGRAPH.repeat(28),
  html_content: null,
  category_id: categoryIdOf(LISTED_ARTICLES.indexOf(listed)),
  project_version_id: EDITION.projectVersionId,
  version_number: listed.latest_version,
  enable_rtl: false,
  created_by: idOf(4, 0),
  authors: [],
  created_at: MODIFIED_AT,
  is_fall_back_content: false,
  description: null,
  category_type: null,
});

export type WholeArticleJson = ReturnType<typeof wholeArticle>;

export interface CategoryJson {
  readonly id: string;
  readonly name: string;
  readonly articles: readonly ListedArticleJson[];
  readonly child_categories: readonly CategoryJson[];
  readonly [unused: string]: unknown;
}

function categoryOf(number: number, children: readonly CategoryJson[], parent: number | null): CategoryJson {
  return {
    id: categoryIdOf(number),
    name: `Chapter ${number + 1}`,
    description: null,
    project_version_id: EDITION.projectVersionId,
    order: number + 1,
    parent_category_id: parent === null ? null : categoryIdOf(parent),
    hidden: false,
    articles: LISTED_ARTICLES.filter((_, article) => article % CATEGORY_COUNT === number),
    child_categories: children,
    icon: null,
    slug: `chapter-${number + 1}`,
    language_code: EDITION.languageCode,
    category_type: 0,
    created_at: MODIFIED_AT,
    modified_at: MODIFIED_AT,
    status: 3,
    content_type: 0,
  };
}

/** Twenty categories: five with three children each. */
export const CATEGORY_TREE: readonly CategoryJson[] = times(ROOT_COUNT, (root) => {
  const firstChild = ROOT_COUNT + root * CHILDREN_PER_ROOT;
  return categoryOf(
    root,
    times(CHILDREN_PER_ROOT, (child) => categoryOf(firstChild + child, [], root)),
    null,
  );
});

export const allCategories = (roots: readonly CategoryJson[] = CATEGORY_TREE): readonly CategoryJson[] =>
  roots.flatMap((category) => [category, ...allCategories(category.child_categories)]);

export function articleOfConnection(connection: number): ListedArticleJson {
  const article = LISTED_ARTICLES[connection % LISTED_ARTICLES.length];
  if (!article) throw new Error('There are no articles.');
  return article;
}
