import { encodeReaderGroup } from '../../service/v2/reader-groups.ts';
import type { ImportedArticle, KnowledgeBase, KnowledgeBaseLists } from './format.ts';

type KnowledgeBaseList = keyof KnowledgeBaseLists;

type Entry = KnowledgeBaseLists[KnowledgeBaseList][number];

/**
 * A knowledge base whose entries are read one after another. Their members have the order of the format. The document
 * of a knowledge base without team accounts is the same as before the format had them.
 */
export type KnowledgeBaseEntries = Pick<KnowledgeBase, 'source' | 'team_accounts'> & {
  readonly [List in Exclude<KnowledgeBaseList, 'articles'>]: Entries<KnowledgeBaseLists[List][number]>;
} & { readonly articles: Entries<ExportedArticle> };

/** An article with the revisions of its languages where they were asked for: the format has none. */
export type ExportedArticle = ImportedArticle & { readonly revisions?: ReadonlyMap<string, string | null> };

type Entries<T> = Iterable<T> | AsyncIterable<T>;

export type OnEntry = (list: KnowledgeBaseList, entry: Entry) => void;

/** The lists of the document in their order. */
const LISTS = [
  'project_versions',
  'languages',
  'categories',
  'team_accounts',
  'articles',
  'readers',
  'invited_sso_users',
  'reader_groups',
] as const satisfies readonly KnowledgeBaseList[];

/**
 * The document of the import format in pieces, with one entry on each line: see docs/contract.md, "Import format". The
 * same entries in the same order have the same text.
 */
export async function* documentText(
  entries: KnowledgeBaseEntries,
  onEntry: OnEntry = () => {},
): AsyncGenerator<string> {
  yield `{\n"source": ${JSON.stringify(entries.source ?? null)}`;
  for (const list of LISTS) {
    if (list === 'team_accounts' && entries.team_accounts.length === 0) continue;
    yield `,\n"${list}": [`;
    let separator = '\n';
    for await (const entry of entries[list]) {
      const json = JSON.stringify('groupId' in entry ? encodeReaderGroup(entry) : entry);
      yield separator + json;
      separator = ',\n';
      onEntry(list, entry);
    }
    yield separator === '\n' ? ']' : '\n]';
  }
  yield '\n}\n';
}

/** The largest unpacked file, in bytes: an import holds all of it in memory. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** The bytes of a document of the import format. Throws with a message for people once it is too large for an import. */
export async function* documentBytes(
  text: AsyncIterable<string>,
  maxBytes: number = MAX_FILE_BYTES,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const piece of text) {
    const bytes = Buffer.from(piece);
    total += bytes.length;
    if (total > maxBytes) {
      throw new Error(`The knowledge base takes more than ${maxBytes / 1024 / 1024} MiB, which no import reads.`);
    }
    yield bytes;
  }
}
