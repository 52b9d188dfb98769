/** What the stand-in knows, before any reading shapes it. All of it is immutable, so that earlier states stay readable. */
export interface Knowledge {
  readonly articles: ReadonlyMap<string, StoredArticle>;
  readonly categories: readonly StoredCategory[];
  readonly groups: readonly StoredGroup[];
}

export interface StoredArticle {
  readonly id: string;
  readonly projectVersionId: string;
  readonly categoryId: string | null;
  readonly hidden: boolean;
  /** 0 means none. */
  readonly order: number;
  readonly contentType: 0 | 1;
  readonly texts: ReadonlyMap<string, StoredText>;
}

/** An article in one language. */
export interface StoredText {
  /** 0 where none is public. */
  readonly publicVersion: number;
  readonly translationOption: number;
  /** The latest one last. */
  readonly versions: readonly [StoredVersion, ...StoredVersion[]];
}

export interface StoredVersion {
  readonly number: number;
  readonly base: number;
  readonly title: string;
  /** Markdown, or HTML for articles of that editor. */
  readonly body: string;
  readonly isPublished: boolean;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

export interface StoredCategory {
  readonly id: string;
  readonly projectVersionId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly order: number;
}

export interface StoredGroup {
  readonly reader_group_id: string;
  readonly title: string;
  readonly description: string | null;
  readonly associated_readers: readonly string[];
  readonly associated_invited_sso_users: readonly string[];
  readonly access_scope: unknown;
}

export const latestOf = ({ versions }: StoredText): StoredVersion => versions.at(-1) ?? versions[0];

/** Project versions with their languages, the default one first. */
export const PROJECT_VERSIONS = [
  { id: 'pv1', name: 'Manual', languages: ['en', 'fr', 'de'] },
  { id: 'pv2', name: 'Older manual', languages: ['en'] },
] as const;

/** The languages of a project version; empty for an unknown one. */
export const languagesOf = (projectVersionId: string): readonly string[] =>
  PROJECT_VERSIONS.find(({ id }) => id === projectVersionId)?.languages ?? [];

export const USERS = ['user-1', 'user-2'] as const;

/** Virtual times begin here. */
export const EPOCH_MS = Date.UTC(2026, 0, 1);

const CREATED_AT = EPOCH_MS - 30 * 86_400_000;

const version = (number: number, text: string, isPublished: boolean): StoredVersion => ({
  number,
  base: number - 1,
  title: text,
  body: `Text of ${text}.`,
  isPublished,
  createdAt: CREATED_AT,
  modifiedAt: CREATED_AT + number * 3_600_000,
});

const published = (name: string): StoredText => ({
  publicVersion: 1,
  translationOption: 0,
  versions: [version(1, name, true)],
});

const draft = (name: string): StoredText => ({
  publicVersion: 0,
  translationOption: 0,
  versions: [version(1, name, false)],
});

const draftOverPublic = (name: string): StoredText => ({
  publicVersion: 1,
  translationOption: 0,
  versions: [version(1, name, true), version(2, `${name}, changed`, false)],
});

const article = (id: string, members: Partial<StoredArticle>): StoredArticle => ({
  id,
  projectVersionId: 'pv1',
  categoryId: 'guides',
  hidden: false,
  order: 1,
  contentType: 0,
  texts: new Map([['en', draft(`${id} en`)]]),
  ...members,
});

/** The texts of an article in several languages. */
const textsIn = (id: string, textOf: (name: string) => StoredText, ...codes: readonly string[]) =>
  new Map(codes.map((code) => [code, textOf(`${id} ${code}`)]));

const ARTICLES: readonly StoredArticle[] = [
  article('draft', { order: 1 }),
  article('hidden-draft', { hidden: true, order: 2, texts: textsIn('hidden-draft', draft, 'en', 'fr') }),
  article('public', { order: 3, texts: textsIn('public', published, 'en', 'fr', 'de') }),
  article('hidden-public', { hidden: true, order: 4, texts: textsIn('hidden-public', published, 'en', 'fr') }),
  article('draft-over-public', {
    categoryId: 'basics',
    texts: textsIn('draft-over-public', draftOverPublic, 'en', 'fr'),
  }),
  article('untranslated', { categoryId: 'basics', order: 2, texts: textsIn('untranslated', published, 'en') }),
  article('html', {
    categoryId: 'basics',
    order: 3,
    contentType: 1,
    texts: new Map([
      [
        'en',
        { ...draft('html en'), versions: [{ ...version(1, 'html en', false), body: '<p>Text<br/>of html.</p>' }] },
      ],
    ]),
  }),
  article('older', { projectVersionId: 'pv2', categoryId: 'archive' }),
];

export const INITIAL: Knowledge = {
  articles: new Map(ARTICLES.map((one) => [one.id, one])),
  categories: [
    { id: 'guides', projectVersionId: 'pv1', parentId: null, name: 'Guides', order: 1 },
    { id: 'basics', projectVersionId: 'pv1', parentId: 'guides', name: 'Basics', order: 1 },
    { id: 'archive', projectVersionId: 'pv2', parentId: null, name: 'Archive', order: 1 },
  ],
  groups: Array.from({ length: 7 }, (_, index) => ({
    reader_group_id: `group-${index + 1}`,
    title: `Group ${index + 1}`,
    description: null,
    associated_readers: ['reader-1'],
    associated_invited_sso_users: [],
    access_scope: { access_level: 3, categories: [], project_versions: [], languages: [] },
  })),
};
