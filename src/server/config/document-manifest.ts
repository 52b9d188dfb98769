import { z } from 'zod';
import { isObject, jsonIn } from '../../core/base/json.ts';
import { MAX_TRUSTED_DOCUMENTS } from '../../core/base/limits.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { shorten } from '../../core/base/text.ts';

/** The texts of documents by their IDs. */
export type DocumentManifest = ReadonlyMap<string, string>;

/** The IDs of documents. Those that compilers make are hashes of at most 71 characters. */
const ID = /^[\x21-\x7e]{1,256}$/u;

const APOLLO_FORMAT = 'apollo-persisted-query-manifest';

/** The file of Apollo's `generate-persisted-query-manifest`. Names and types of operations are also in their bodies. */
const apolloManifest = z.object({
  format: z.literal(APOLLO_FORMAT),
  version: z.literal(1, 'must be 1'),
  operations: z.array(z.object({ id: z.string(), body: z.string() })),
});

type Problems = readonly string[];
type Entry = readonly [id: string, text: unknown];

/**
 * Decodes a manifest of Apollo, or a map of IDs to texts, which GraphQL Code Generator and the Relay compiler write.
 * The errors are all problems that can be found without the schema.
 */
export function decodeDocumentManifest(text: string): Result<DocumentManifest, Problems> {
  const entries = decodeEntries(text);
  if (!entries.ok) return entries;
  const count = entries.value.length;
  if (count === 0) return err(['has no documents']);
  if (count > MAX_TRUSTED_DOCUMENTS)
    return err([`has ${count} documents, of which ${MAX_TRUSTED_DOCUMENTS} are allowed`]);
  const documents = new Map<string, string>();
  const problems: string[] = [];
  for (const [id, body] of entries.value) {
    const displayed = toPrintable(shorten(id)) || '""';
    if (!ID.test(id)) problems.push(`${displayed}: the ID must be 1 to 256 visible ASCII characters`);
    else if (documents.has(id)) problems.push(`${displayed}: occurs more than once`);
    else if (typeof body !== 'string') problems.push(`${displayed}: must be the text of a document`);
    else documents.set(id, body);
  }
  return problems.length === 0 ? ok(documents) : err(problems);
}

function decodeEntries(text: string): Result<readonly Entry[], Problems> {
  const json = jsonIn(text);
  if (json === undefined) return err(['is not JSON']);
  if (!isObject(json)) return err(['must be an object: a map of IDs to documents, or a manifest of Apollo']);
  if (json['format'] !== APOLLO_FORMAT) return ok(Object.entries(json));
  const manifest = apolloManifest.safeParse(json);
  if (manifest.success) return ok(manifest.data.operations.map(({ id, body }) => [id, body]));
  const { issues } = manifest.error;
  return err(issues.slice(0, MAX_TRUSTED_DOCUMENTS).map(({ path, message }) => `${path.join('.')}: ${message}`));
}
