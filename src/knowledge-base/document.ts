import type { JsonObject } from '../base/json/json-objects.ts';
import type { ArticleContentType, ArticleTranslationStatus } from '../domain/articles/articles.ts';
import { ACCESS_LEVELS, type AccessScope, type LanguageScope } from '../domain/reader-groups/access-scopes.ts';
import type { ImportedVersion, KnowledgeBase, KnowledgeBaseLists } from './knowledge-base.ts';

type KnowledgeBaseList = keyof KnowledgeBaseLists;

type EntryOf<List extends KnowledgeBaseList> = KnowledgeBaseLists[List][number];

/** A knowledge base whose entries are read one after another. */
export type KnowledgeBaseEntries = Pick<KnowledgeBase, 'source'> & {
  readonly [List in KnowledgeBaseList]: Entries<EntryOf<List>>;
};

type Entries<Entry> = Iterable<Entry> | AsyncIterable<Entry>;

export type OnEntry = (list: KnowledgeBaseList, entry: EntryOf<KnowledgeBaseList>) => void;

/** The member of the document for each list, in their order. */
const MEMBERS = {
  projectVersions: 'project_versions',
  languages: 'languages',
  categories: 'categories',
  articles: 'articles',
  readers: 'readers',
  invitedSsoUsers: 'invited_sso_users',
  readerGroups: 'reader_groups',
} as const satisfies Record<KnowledgeBaseList, string>;

/**
 * The document of the import format in pieces, with one entry on each line: see docs/contract.md, "Import format".
 * The same entries in the same order give the same text.
 */
export async function* documentText(
  entries: KnowledgeBaseEntries,
  onEntry: OnEntry = () => {},
): AsyncGenerator<string> {
  const listText = <List extends KnowledgeBaseList>(list: List) =>
    entriesText({ list, entries: entries[list], onEntry });
  yield `{\n"source": ${JSON.stringify(entries.source ?? null)}`;
  yield* listText('projectVersions');
  yield* listText('languages');
  yield* listText('categories');
  yield* listText('articles');
  yield* listText('readers');
  yield* listText('invitedSsoUsers');
  yield* listText('readerGroups');
  yield '\n}\n';
}

interface ListOptions<List extends KnowledgeBaseList> {
  readonly list: List;
  readonly entries: Entries<EntryOf<List>>;
  readonly onEntry: OnEntry;
}

async function* entriesText<List extends KnowledgeBaseList>({
  list,
  entries,
  onEntry,
}: ListOptions<List>): AsyncGenerator<string> {
  yield `,\n"${MEMBERS[list]}": [`;
  let separator = '\n';
  for await (const entry of entries) {
    yield `${separator}${JSON.stringify(ENTRY_ENCODERS[list](entry))}`;
    separator = ',\n';
    onEntry(list, entry);
  }
  yield separator === '\n' ? ']' : '\n]';
}

type Encoders = { readonly [List in KnowledgeBaseList]: (entry: EntryOf<List>) => JsonObject };

/** The entries of each list as the import format has them. */
const ENTRY_ENCODERS: Encoders = {
  projectVersions: ({ projectVersionId, name, isDefault }) => ({ id: projectVersionId, name, is_default: isDefault }),
  languages: ({ projectVersionId, code, name, isDefault }) => ({
    project_version_id: projectVersionId,
    code,
    name,
    is_default: isDefault,
  }),
  categories: ({ categoryId, projectVersionId, parentCategoryId, name, order }) => ({
    id: categoryId,
    project_version_id: projectVersionId,
    parent_category_id: parentCategoryId,
    name,
    order,
  }),
  articles: (article) => ({
    id: article.articleId,
    project_version_id: article.projectVersionId,
    category_id: article.categoryId,
    slug: article.slug,
    order: article.order,
    hidden: article.hidden,
    content_type: CONTENT_TYPES[article.contentType],
    versions: article.versions.map(encodeVersion),
  }),
  readers: ({ readerId, firstName, lastName, email }) => ({
    reader_id: readerId,
    first_name: firstName,
    last_name: lastName,
    email,
  }),
  invitedSsoUsers: ({ invitationId, email }) => ({ invitation_id: invitationId, email }),
  readerGroups: (group) => ({
    reader_group_id: group.groupId,
    title: group.title,
    description: group.description,
    associated_readers: group.readerIds,
    associated_invited_sso_users: group.invitedSsoUserIds,
    access_scope: encodeScope(group.accessScope),
  }),
};

const CONTENT_TYPES = {
  MARKDOWN: 'markdown',
  WYSIWYG: 'wysiwyg',
  BLOCK: 'block',
} as const satisfies Record<ArticleContentType, string>;

/** No status of a stored article is unrecognized. */
const TRANSLATION_OPTIONS = {
  NONE: '0',
  NEEDS_TRANSLATION: '1',
  TRANSLATED: '2',
  IN_PROGRESS: '3',
  UNRECOGNIZED: null,
} as const satisfies Record<ArticleTranslationStatus, string | null>;

const encodeVersion = (version: ImportedVersion): JsonObject => ({
  lang_code: version.languageCode,
  version_number: version.versionNumber,
  title: version.title,
  content: version.content,
  translation_option: version.translationStatus && TRANSLATION_OPTIONS[version.translationStatus],
});

/** Only the list of its level is there. */
const encodeScope = (scope: AccessScope): JsonObject => ({
  access_level: ACCESS_LEVELS[scope.level],
  ...(scope.level === 'VERSION' && { project_versions: scope.projectVersionIds }),
  ...(scope.level === 'LANGUAGE' && { languages: scope.languages.map(encodeLanguageScope) }),
  ...(scope.level === 'CATEGORY' && {
    categories: scope.categories.map(({ categoryId, ...language }) => ({
      category_id: categoryId,
      ...encodeLanguageScope(language),
    })),
  }),
});

const encodeLanguageScope = ({ projectVersionId, languageCode }: LanguageScope): JsonObject => ({
  project_version_id: projectVersionId,
  language_code: languageCode,
});

/** The largest unpacked file, in bytes: an import holds all of it in memory. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** The size of a piece from which on it is passed on, in characters. Short pieces are joined. */
const MIN_PIECE = 64 * 1024;

/**
 * The bytes of a document of the import format. Throws with a message for people as soon as no import would read it,
 * because it is too large.
 */
export async function* documentBytes(
  text: AsyncIterable<string>,
  maxBytes: number = MAX_FILE_BYTES,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  const encode = (piece: string): Uint8Array => {
    const bytes = Buffer.from(piece);
    total += bytes.length;
    if (total > maxBytes) {
      throw new Error(`The knowledge base takes more than ${maxBytes / 1024 / 1024} MiB, which no import reads.`);
    }
    return bytes;
  };
  let piece = '';
  for await (const part of text) {
    piece += part;
    if (piece.length < MIN_PIECE) continue;
    yield encode(piece);
    piece = '';
  }
  yield encode(piece);
}
