import { createGzip } from 'node:zlib';
import { countsOf, type EntryCounts } from '../../backend/local/import/add-knowledge-base.ts';
import type { LocalBackend } from '../../backend/local/local-backend.ts';
import { toPrintable } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { LocalConfig } from '../../config.ts';
import { documentBytes, documentText, type OnEntry } from '../../knowledge-base/document.ts';
import { listenForStopSignals } from '../stop-signals.ts';
import { createProgressBar, print } from '../terminal.ts';
import { createNewFile, type NewFile } from './new-file.ts';
import { entryTable, findMissingStore, openStoreOf, readStoreConfig } from './open-store.ts';

/** Exports the embedded store to a new file, all or nothing, and prints the numbers of entries. */
export async function exportFile(path: string): Promise<Result<void, string>> {
  if (!/\.json(?:\.gz)?$/u.test(path)) return err('the FILE of export ends in .json or .json.gz.');
  const config = readStoreConfig();
  if (!config.ok) return config;
  const exported = await exportTo(path, config.value, async (store, file) =>
    (await store.isEmpty()) ? err('the store is empty.') : await writeStore(store, file, path),
  );
  if (!exported.ok) return err(`nothing was exported to ${toPrintable(path)}: ${exported.error}`);
  print(
    `${entryTable({ exported: exported.value })}\nOnly you may read ${toPrintable(path)}: it has names and addresses of readers.\n`,
  );
  return ok(undefined);
}

/** Opens the store and begins a new file for what is written of it. The file is removed again unless it was published. */
export async function exportTo<Counts>(
  path: string,
  config: LocalConfig,
  write: (store: LocalBackend, file: NewFile) => Promise<Result<Counts, string>>,
): Promise<Result<Counts, string>> {
  const missing = findMissingStore(config);
  if (missing !== null) return err(missing);
  const file = await createNewFile(path);
  if (!file.ok) return file;
  listenForStopSignals().onForcedExit(file.value.discard);
  const opened = new AsyncDisposableStack();
  opened.defer(file.value.discard);
  try {
    const store = opened.adopt(await openStoreOf(config), (open) => open.close());
    return await write(store, file.value);
  } finally {
    await opened.disposeAsync();
  }
}

async function writeStore(store: LocalBackend, file: NewFile, path: string): Promise<Result<EntryCounts, string>> {
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
    const written = await store.exportKnowledgeBase((entries) =>
      file.write(documentBytes(documentText(entries, onEntry)), path.endsWith('.gz') ? createGzip() : undefined),
    );
    if (!written.ok) return written;
  } finally {
    bar.stop();
  }
  const published = await file.publish();
  return published.ok ? ok(counts) : published;
}
