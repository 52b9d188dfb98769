import { readFile, stat } from 'node:fs/promises';
import { decodeDocumentManifest } from '../config/documents/document-manifest.ts';
import type { Config } from '../config.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { type PreparedDocuments, prepareDocuments } from '../execution/prepared-documents.ts';
import { createSchema } from '../schema/schema.ts';

/** Parsed documents take some 36 times the memory of their texts (measured). */
const MAX_FILE_MIB = 4;

/** Reads and checks the trusted documents. The error is one message with every problem of their file. */
export async function openPersistedDocuments(
  { limits, introspection, persistedDocuments: { path, mode } }: Config,
  maxUpstreamCalls: number,
): Promise<Result<PreparedDocuments, string>> {
  const texts = path === null ? ok(new Map<string, string>()) : await readManifest(path);
  if (!texts.ok) return err(errorMessage(path, texts.error));
  const prepared = prepareDocuments({
    schema: createSchema(),
    limits: { ...limits, maxUpstreamCalls },
    introspection,
    trustedTexts: texts.value,
    trustedOnly: mode === 'only',
  });
  return prepared.ok ? prepared : err(errorMessage(path, prepared.error));
}

const errorMessage = (path: string | null, problems: readonly string[]): string =>
  [`PERSISTED_DOCUMENTS: the file ${path} cannot be used:`, ...problems.map((problem) => `  ${problem}`)].join('\n');

async function readManifest(path: string): Promise<Result<ReadonlyMap<string, string>, readonly string[]>> {
  try {
    const file = await stat(path);
    if (!file.isFile()) return err(['is no file']);
    if (file.size > MAX_FILE_MIB * 1024 ** 2) return err([`is larger than ${MAX_FILE_MIB} MiB`]);
    return decodeDocumentManifest(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return err([error instanceof TypeError ? 'is not UTF-8' : `cannot be read (${error.code})`]);
  }
}
