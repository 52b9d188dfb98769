/** What a generator of sites takes the names of a folder of Markdown for. docs/own-files.md shows the same table. */
export interface Convention {
  readonly name: string;
  /** Names of files in the folder, or in one of the two above it, that are the generator's settings. */
  readonly settings: RegExp | null;
  /** Paths below the folder that only this generator has. */
  readonly shownBy: RegExp | null;
  /** Whether files and folders whose names begin with `_` have pages of their own. */
  readonly underscoreFiles: boolean;
  readonly underscoreFolders: boolean;
  /** Folders that have no pages: their names begin with `_`, too. */
  readonly withoutPages: RegExp | null;
  readonly noPage: RegExp | null;
  /** True where README.md has no page beside index.md. */
  readonly indexReplacesReadme: boolean;
  /** Whether `01-` at the beginning of a name is an order. */
  readonly numbersAreOrder: boolean;
  /** True where 0 is a position like others; in Hugo it means that there is none. */
  readonly zeroIsOrder: boolean;
  /** Finds the date in a path, where a date to come keeps a page from readers. */
  readonly dateOfPath: ((path: string) => string | null) | null;
  /** Finds the file that a path translates, and its language, where translations are in a folder of their own. */
  readonly translationOf: ((path: string) => { readonly code: string; readonly path: string } | null) | null;
}

/** The folders of Docusaurus by those of their translations: `i18n/fr/docusaurus-plugin-content-docs/current` is `docs`. */
const DOCUSAURUS_TRANSLATION =
  /^(?<site>(?:.*\/)?)i18n\/(?<code>[^/]+)\/docusaurus-plugin-content-(?:docs\/(?:current|(?<version>version-[^/]+))|(?<other>blog|pages))\/(?<rest>.+)$/u;

function docusaurusTranslation(path: string) {
  const { site = '', code, version, other, rest = '' } = DOCUSAURUS_TRANSLATION.exec(path)?.groups ?? {};
  if (code === undefined) return null;
  const pages = other === 'pages' ? 'src/pages' : other;
  const folder = pages ?? (version === undefined ? 'docs' : `versioned_docs/${version}`);
  return { code, path: `${site}${folder}/${rest}` };
}

const JEKYLL_FOLDERS = /^_(?:data|includes|layouts|plugins|sass|site|templates)$/u;

const PLAIN: Convention = {
  name: 'none',
  settings: null,
  shownBy: null,
  underscoreFiles: false,
  underscoreFolders: true,
  withoutPages: JEKYLL_FOLDERS,
  noPage: null,
  indexReplacesReadme: false,
  numbersAreOrder: true,
  zeroIsOrder: true,
  dateOfPath: null,
  translationOf: null,
};

const UNDERSCORES_HAVE_PAGES = {
  ...PLAIN,
  underscoreFiles: true,
  withoutPages: null,
  numbersAreOrder: false,
} as const satisfies Convention;

/** The first that a folder shows counts; `PLAIN` where it shows none. */
const CONVENTIONS: readonly Convention[] = [
  {
    ...PLAIN,
    name: 'Docusaurus',
    settings: /^docusaurus\.config\.\w+$/u,
    shownBy: /(?:^|\/)_category_\.(?:json|ya?ml)$/u,
    underscoreFolders: false,
    withoutPages: null,
    translationOf: docusaurusTranslation,
  },
  {
    ...UNDERSCORES_HAVE_PAGES,
    name: 'mdBook',
    settings: /^book\.toml$/u,
    shownBy: /^SUMMARY\.md$/u,
    noPage: /(?:^|\/)SUMMARY\.md$/u,
  },
  { ...UNDERSCORES_HAVE_PAGES, name: 'MkDocs', settings: /^mkdocs\.ya?ml$/u, indexReplacesReadme: true },
  {
    ...PLAIN,
    name: 'Starlight',
    settings: /^astro\.config\.\w+$/u,
    underscoreFolders: false,
    withoutPages: null,
    numbersAreOrder: false,
  },
  {
    ...UNDERSCORES_HAVE_PAGES,
    name: 'Hugo',
    settings: /^hugo\.(?:toml|ya?ml|json)$/u,
    shownBy: /(?:^|\/)_index(?:\.[\w-]+)?\.md$/u,
    zeroIsOrder: false,
    dateOfPath: () => null,
  },
  {
    ...PLAIN,
    name: 'Jekyll',
    settings: /^_config\.ya?ml$/u,
    shownBy: /(?:^|\/)_(?:posts|drafts|layouts|includes)\//u,
    numbersAreOrder: false,
    dateOfPath: (path) =>
      /(?:^|\/)_posts\/(?:.*\/)?(?<date>\d{4}-\d{2}-\d{2})-[^/]*$/u.exec(path)?.groups?.['date'] ?? null,
  },
];

export const conventionOf = (settings: readonly string[], paths: readonly string[]): Convention =>
  CONVENTIONS.find((one) => settings.some((name) => one.settings?.test(name))) ??
  CONVENTIONS.find((one) => paths.some((path) => one.shownBy?.test(path))) ??
  PLAIN;

/** Files that name the category of their folder, the first that is there. Those of Markdown are articles as well. */
export const CATEGORY_FILES = ['_category_.json', '_category_.yml', '_category_.yaml'] as const;
export const INDEX_STEMS: readonly string[] = ['_index', 'index', 'readme'];

export function reasonOfName(path: string, { underscoreFiles, underscoreFolders, ...convention }: Convention) {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const without = folders.find((folder) => convention.withoutPages?.test(folder));
  if (without !== undefined) return `${without} is a folder without pages`;
  const hidden = [...folders, name].find((part) => part.startsWith('.'));
  if (hidden !== undefined) return `${hidden} begins with a dot`;
  if (convention.noPage?.test(path)) return `it is the table of contents of ${convention.name}`;
  const folder = underscoreFolders ? undefined : folders.find((part) => part.startsWith('_'));
  if (folder !== undefined) return `${folder} begins with _, so it has no pages${ofName(convention)}`;
  const isPartial = name.startsWith('_') && !/^_index\./iu.test(name) && !underscoreFiles;
  return isPartial ? `its name begins with _, so it is part of other pages${ofName(convention)}` : null;
}

const ofName = ({ name }: Pick<Convention, 'name'>): string => (name === 'none' ? '' : ` in ${name}`);

/** The fields that a file can set, by what they set. Of several the first that is there counts. */
export const FIELDS = {
  articleId: ['articleId'],
  languageCode: ['languageCode'],
  title: ['title'],
  slug: ['slug'],
  categoryId: ['categoryId'],
  hidden: ['hidden'],
  order: ['order', 'sidebar_position', 'nav_order', 'weight', 'sidebar.order'],
  translationStatus: ['translationStatus'],
} as const satisfies Record<string, readonly string[]>;

/** The fields that keep a page from readers, in small letters, with the value that does. A date keeps it until then, or from then on. */
export const FORBIDDING: ReadonlyMap<string, 'true' | 'false' | 'until' | 'from'> = new Map([
  ['draft', 'true'],
  ['published', 'false'],
  ['publish', 'false'],
  ['publishdate', 'until'],
  ['expirydate', 'from'],
  ['unpublishdate', 'from'],
]);

/** The fields without effect that are named first, since readers see that they are missing. */
export const IMPORTANT_FIELDS: ReadonlySet<string> = new Set(
  'unlisted private access visibility robots noindex headless redirect_from redirect_to redirects aliases url permalink lang language locale description date tags keywords author authors'.split(
    ' ',
  ),
);
