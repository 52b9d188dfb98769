import { createGzip } from 'node:zlib';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { createProgressBar, print } from '../../server/process/terminal.ts';
import { countsOf, type EntryCounts } from '../../store/import/add-knowledge-base.ts';
import {
  documentBytes,
  documentText,
  type KnowledgeBaseEntries,
  type OnEntry,
} from '../../store/knowledge-base/document.ts';
import { commandLine } from '../command-line.ts';
import type { CommandOptions, Variables } from '../command-options.ts';
import { listenForStopSignals } from '../stop-signals.ts';
import { createNewFile, type NewFile } from './new-file.ts';
import { entryTable, findMissingStore, openStoreOf, readStoreConfig } from './open-store.ts';

/** Exports the embedded store or the service to a new file, all or nothing, and prints the numbers of entries. */
export async function exportFile(
  path: string,
  options: CommandOptions,
  variables: Variables,
): Promise<Result<void, string>> {
  if (!/\.json(?:\.gz)?$/u.test(path)) return err('the FILE of export ends in .json or .json.gz.');
  const { texts: withTexts = false } = options;
  const open = () => openSource(path, { ...options, asRows: false }, variables);
  const exported = await exportTo(path, open, (source, file) => writeEntries(source, file, path));
  if (!exported.ok) return err(`nothing was exported to ${toPrintable(path)}: ${exported.error}`);
  const lines = [`Only you may read ${toPrintable(path)}: it has names and addresses of readers.`];
  if (options['from-service'] && !withTexts) lines.push(NO_TEXTS);
  print(`${entryTable({ exported: exported.value })}\n${lines.join('\n')}\n`);
  return ok(undefined);
}

const NO_TEXTS =
  'The articles have no texts: --texts reads them, with a call for each. An import of this file makes articles without texts.';

export interface ExportSource {
  read<T>(use: (entries: KnowledgeBaseEntries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
  /** Called once the file is complete. */
  readonly onPublished?: () => void;
}

/** Opens the embedded store, or with `--from-service` the service. */
export async function openSource(
  path: string,
  options: CommandOptions & { readonly asRows: boolean },
  variables: Variables,
): Promise<Result<ExportSource, string>> {
  const { texts: withTexts = false, token, asRows } = options;
  if (options['from-service'])
    return (await import('./service-source.ts')).openServiceSource(path, { token, withTexts, asRows }, variables);
  if (withTexts || token !== undefined) return err('--texts and --token are for --from-service.');
  const hint = `To export the service: ${commandLine('export', variables, [path, '--from-service'])}`;
  const config = readStoreConfig({ hint, onlyReads: true });
  if (!config.ok) return config;
  const missing = findMissingStore(config.value);
  if (missing !== null) return err(missing);
  const store = await openStoreOf(config.value);
  return ok({ read: (use) => store.exportKnowledgeBase(use, asRows), close: () => store.close() });
}

/** Opens the source, and creates the target file, which is removed again unless it was published. */
export async function exportTo<Counts>(
  path: string,
  open: () => Promise<Result<ExportSource, string>>,
  write: (source: ExportSource, file: NewFile) => Promise<Result<Counts, string>>,
): Promise<Result<Counts, string>> {
  const file = await createNewFile(path);
  if (!file.ok) return file;
  listenForStopSignals().onForcedExit(file.value.discard);
  const opened = new AsyncDisposableStack();
  opened.defer(file.value.discard);
  try {
    const source = await open();
    if (!source.ok) return source;
    opened.defer(() => source.value.close());
    const written = await write(source.value, file.value);
    if (written.ok) source.value.onPublished?.();
    return written;
  } finally {
    await opened.disposeAsync();
  }
}

async function writeEntries(source: ExportSource, file: NewFile, path: string): Promise<Result<EntryCounts, string>> {
  const bar = createProgressBar('exporting: {value} entries');
  const counts = { ...countsOf(() => 0) };
  let entries = 0;
  bar.show(0, 0);
  const onEntry: OnEntry = (list, entry) => {
    counts[list] += 1;
    if ('versions' in entry) counts.language_versions += entry.versions.length;
    entries += 1;
    bar.show(entries, 0);
  };
  try {
    const written = await source.read((entries) =>
      file.write(documentBytes(documentText(entries, onEntry)), path.endsWith('.gz') ? createGzip() : undefined),
    );
    if (!written.ok) return written;
  } finally {
    bar.stop();
  }
  if (entries === 0) return err('there is nothing to export.');
  const published = await file.publish();
  return published.ok ? ok(counts) : published;
}
