import { readBoundedFile } from '../../core/base/bounded-file.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { decodeText } from '../../core/base/text.ts';
import { type PreparedDocuments, prepareDocuments } from '../../graphql/execution/prepared-documents.ts';
import { createSubgraph } from '../../graphql/schema/schema.ts';
import { type DocumentManifest, decodeDocumentManifest } from '../config/document-manifest.ts';
import { type Config, maxUpstreamCallsOf } from '../config.ts';
import { readConsoleDocuments } from '../console-files.ts';

/** The largest file. Parsed documents take about 36 times the memory of their texts (measured). */
const MAX_FILE_MIB = 4;

/** Reads and checks the file of the trusted documents. */
export function readPersistedDocuments(config: Config): Result<PreparedDocuments, string> {
  const manifest = readManifest(config);
  return manifest.ok ? openPersistedDocuments(config, manifest.value) : manifest;
}

/** Checks the text of the trusted documents. The error is one message with every problem of the file. */
export function openPersistedDocuments(config: Config, manifest: string | null): Result<PreparedDocuments, string> {
  const { maxQueryDepth, introspection, persistedDocuments } = config;
  const { mode } = persistedDocuments;
  const texts = manifest === null ? ok(new Map<string, string>()) : decodeDocumentManifest(manifest);
  if (!texts.ok) return err(errorMessage(persistedDocuments, texts.error));
  const consoleTexts = manifest === null ? [] : consoleDocumentsOf(config);
  const prepared = prepareDocuments({
    schema: createSubgraph(),
    maxQueryDepth,
    maxUpstreamCalls: maxUpstreamCallsOf(config),
    introspection,
    trustedTexts: new Map([...consoleTexts, ...texts.value]),
    trustedOnly: mode === 'only',
  });
  return prepared.ok ? prepared : err(errorMessage(persistedDocuments, prepared.error));
}

/** The documents of the console, which are executed in addition to those of the file. All others are refused. */
export const consoleDocumentsOf = (config: Config): DocumentManifest =>
  config.console && config.persistedDocuments.mode === 'only' ? readConsoleDocuments() : new Map();

const errorMessage = ({ path, setting }: Config['persistedDocuments'], problems: readonly string[]): string =>
  [`${setting}: the file ${toPrintable(`${path}`)} cannot be used:`, ...problems.map((problem) => `  ${problem}`)].join(
    '\n',
  );

function readManifest({ persistedDocuments }: Config): Result<string | null, string> {
  if (persistedDocuments.path === null) return ok(null);
  const text = readManifestText(persistedDocuments.path);
  return text.ok ? text : err(errorMessage(persistedDocuments, [text.error]));
}

function readManifestText(path: string): Result<string, string> {
  const read = readBoundedFile(path, { maxBytes: MAX_FILE_MIB * 1024 ** 2 });
  if (!read.ok) return read;
  const text = decodeText(read.value);
  return text === null ? err('is not UTF-8') : ok(text);
}
