import { type RawBuilder, sql } from 'kysely';
import { MAX_ID_LENGTH } from '../../core/base/limits.ts';
import { slicesOf } from '../database/statements.ts';
import { MAX_VALUE_BYTES } from '../knowledge-base/document-splitter.ts';
import type { StoreDatabase, Tables } from '../tables/tables.ts';
import { MAX_ENTRIES } from './add-knowledge-base.ts';
import { readStoredArticle, type StoredArticle } from './export-knowledge-base.ts';

/** What an update can add to an article besides its texts: a category and a position, which are short. */
const ROOM_FOR_MEMBERS = 8 * MAX_ID_LENGTH;

/** The most bytes of an article in an export, with the texts of all versions. A larger one is not stored. */
const MAX_ARTICLE_BYTES = MAX_VALUE_BYTES - ROOM_FOR_MEMBERS;

export const TOO_LARGE = `it would take more than ${MAX_VALUE_BYTES / 1024 ** 2} MiB with the texts of all its versions, which no export writes`;

/** The most bytes of JSON for a byte of text: a control character is written as `\u0001`. */
const BYTES_PER_BYTE = 6;

/** The bytes of the members of a version in an export that hold no text. */
const BYTES_PER_VERSION = 300;

/** True for a column whose text an export writes, and which may be long. */
const ARTICLE_TEXTS = {
  id: false,
  project_version_id: false,
  category_id: false,
  slug: true,
  position: false,
  hidden: false,
  content_type: false,
  url: true,
} as const satisfies Record<keyof Tables['articles'], boolean>;

/** The same of a version. What an update can make longer is also in `newTextsOf`. */
const VERSION_TEXTS = {
  article_id: false,
  language_code: true,
  version_number: false,
  title: true,
  translation_status: false,
  source: false,
  modified_at: false,
  content: true,
  status: false,
  description: true,
  created_at: false,
  created_by: true,
  authors: true,
  base_version: false,
} as const satisfies Record<keyof Tables['article_versions'], boolean>;

/** The bytes of the texts of the article `a`, with more than all else that an export writes of it. SQLite reads no text for it. */
export const articleBytes = sql<number>`${bytesOfColumns('a', ARTICLE_TEXTS)} + (
  select coalesce(sum(${sql.lit(BYTES_PER_VERSION)} + ${bytesOfColumns('s', VERSION_TEXTS)}), 0)
  from article_versions as s where s.article_id = a.id
)`;

function bytesOfColumns(table: string, texts: Readonly<Record<string, boolean>>): RawBuilder<number> {
  const columns = Object.keys(texts).filter((name) => texts[name] === true);
  const bytes = columns.map((name) => sql`coalesce(octet_length(${sql.ref(`${table}.${name}`)}), 0)`);
  return sql`${sql.join(bytes, sql` + `)}`;
}

/** False where so many bytes of texts surely fit. */
export const mayBeTooLarge = (bytes: number): boolean => BYTES_PER_BYTE * bytes > MAX_ARTICLE_BYTES;

export const isTooLarge = (bytes: number): boolean => bytes > MAX_ARTICLE_BYTES;

export const jsonBytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The bytes of an article in an export, also if each of its languages had a public version. */
export const exportedBytesOf = ({ public_version: _, ...article }: StoredArticle): number =>
  jsonBytesOf({
    ...article,
    public_version: Object.fromEntries(article.versions.map((version) => [version.lang_code, version.version_number])),
  });

/** The first of the articles that no export writes; null where all fit. */
export async function findTooLargeArticle(
  transaction: StoreDatabase,
  articleIds: readonly string[],
): Promise<string | null> {
  for (const ids of slicesOf(articleIds, MAX_ENTRIES)) {
    const { rows } = await sql<{ id: string; bytes: number }>`
      select a.id, ${articleBytes} as bytes from articles as a where a.id in (${sql.join(ids)})
    `.execute(transaction.db);
    for (const { id, bytes } of rows) {
      const article = mayBeTooLarge(Number(bytes)) ? await readStoredArticle(transaction, id) : null;
      if (article !== null && isTooLarge(exportedBytesOf(article))) return id;
    }
  }
  return null;
}
