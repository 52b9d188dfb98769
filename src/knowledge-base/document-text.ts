import { ENTRY_ENCODERS, type EntryOf, type KnowledgeBaseList } from './encode-entry.ts';
import type { KnowledgeBase } from './knowledge-base.ts';

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
