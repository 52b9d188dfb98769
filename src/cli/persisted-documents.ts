import { isUtf8 } from 'node:buffer';
import { readBoundedFile } from '../base/bounded-file.ts';
import { toPrintable } from '../base/printable.ts';
import { err, ok, type Result } from '../base/result.ts';
import { decodeDocumentManifest } from '../config/documents/document-manifest.ts';
import type { Config } from '../config.ts';
import { type PreparedDocuments, prepareDocuments } from '../execution/prepared-documents.ts';
import { createSubgraph } from '../schema/schema.ts';

/** The documents of requests to a subgraph. */
export interface SubgraphDocuments extends PreparedDocuments {
  readonly subgraphSdl: () => string;
}

/** Parsed documents take some 36 times the memory of their texts (measured). */
const MAX_FILE_MIB = 4;

/** Checks the text of the trusted documents. The error is one message with every problem of their file. */
export function openPersistedDocuments(
  { limits, introspection, persistedDocuments: { path, mode } }: Config,
  maxUpstreamCalls: number,
  manifest: string | null,
): Result<SubgraphDocuments, string> {
  const texts = manifest === null ? ok(new Map<string, string>()) : decodeDocumentManifest(manifest);
  if (!texts.ok) return err(errorMessage(path, texts.error));
  const { schema, sdl: subgraphSdl } = createSubgraph();
  const prepared = prepareDocuments({
    schema,
    limits: { ...limits, maxUpstreamCalls },
    introspection,
    trustedTexts: texts.value,
    trustedOnly: mode === 'only',
  });
  return prepared.ok ? ok({ ...prepared.value, subgraphSdl }) : err(errorMessage(path, prepared.error));
}

const errorMessage = (path: string | null, problems: readonly string[]): string =>
  [
    `PERSISTED_DOCUMENTS: the file ${toPrintable(`${path}`)} cannot be used:`,
    ...problems.map((problem) => `  ${problem}`),
  ].join('\n');

/** Reads the file of the trusted documents; null when there is none. */
export async function readManifest({ persistedDocuments: { path } }: Config): Promise<Result<string | null, string>> {
  if (path === null) return ok(null);
  const text = readManifestText(path);
  return text.ok ? text : err(errorMessage(path, [text.error]));
}

function readManifestText(path: string): Result<string, string> {
  const read = readBoundedFile(path, { maxBytes: MAX_FILE_MIB * 1024 ** 2 });
  if (!read.ok) return read;
  return isUtf8(read.value) ? ok(new TextDecoder().decode(read.value)) : err('is not UTF-8');
}
