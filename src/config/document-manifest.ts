import { z } from 'zod';
import { isObject } from '../base/json.ts';
import { MAX_TRUSTED_DOCUMENTS } from '../base/limits.ts';
import { toPrintable } from '../base/printable.ts';
import { err, ok, type Result } from '../base/result.ts';

/** The texts of documents by their IDs. */
export type DocumentManifest = ReadonlyMap<string, string>;

/** The IDs that compilers make are hashes of at most 71 characters. */
const MAX_ID_LENGTH_IN_MANIFEST = 256;

const ID = /^[\x21-\x7e]+$/u;

const APOLLO_FORMAT = 'apollo-persisted-query-manifest';

/** The file that `generate-persisted-query-manifest` of Apollo writes. Names and types of operations are in their bodies, too. */
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
    const problem = documents.has(id) ? 'stands there more than once' : entryProblem(id, body);
    if (problem !== null) problems.push(`${displayedId(id)}: ${problem}`);
    else if (typeof body === 'string') documents.set(id, body);
  }
  return problems.length === 0 ? ok(documents) : err(problems);
}

function decodeEntries(text: string): Result<readonly Entry[], Problems> {
  const json = parseJson(text);
  if (!json.ok) return json;
  if (!isObject(json.value)) return err(['must be an object: a map of IDs to documents, or a manifest of Apollo']);
  if (json.value['format'] !== APOLLO_FORMAT) return ok(Object.entries(json.value));
  const manifest = apolloManifest.safeParse(json.value);
  if (manifest.success) return ok(manifest.data.operations.map(({ id, body }) => [id, body]));
  const { issues } = manifest.error;
  return err(issues.slice(0, MAX_TRUSTED_DOCUMENTS).map(({ path, message }) => `${path.join('.')}: ${message}`));
}

/** Leaves out the parser's own message, which quotes the file. */
function parseJson(text: string): Result<unknown, Problems> {
  try {
    return ok(JSON.parse(text));
  } catch {
    return err(['is not JSON']);
  }
}

function entryProblem(id: string, body: unknown): string | null {
  if (id.length > MAX_ID_LENGTH_IN_MANIFEST) return `the ID must have at most ${MAX_ID_LENGTH_IN_MANIFEST} characters`;
  if (!ID.test(id)) return 'the ID must be visible ASCII characters';
  return typeof body === 'string' ? null : 'must be the text of a document';
}

const displayedId = (id: string): string => {
  const printable = toPrintable(id);
  return printable.length > 100 ? `${printable.slice(0, 100)}…` : printable || '""';
};
