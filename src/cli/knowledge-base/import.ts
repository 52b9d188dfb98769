import { statSync } from 'node:fs';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import type { LocalConfig } from '../../server/config.ts';
import { createProgressBar, print } from '../../server/process/terminal.ts';
import type { ImportSummary } from '../../store/import/import-knowledge-base.ts';
import { readKnowledgeBaseFile } from '../../store/knowledge-base/file.ts';
import type { KnowledgeBase } from '../../store/knowledge-base/format.ts';
import { keepHeapSmall } from '../small-heap.ts';
import { demoLine, entryTable, openStoreOf, readStoreConfig } from './open-store.ts';

/** Imports a file into the embedded store, all or nothing, and prints what it did. */
export async function importFile(path: string): Promise<Result<void, string>> {
  const config = readStoreConfig();
  if (!config.ok) return config;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return err('import takes a file. For a folder of Markdown, use plan and apply.');
  keepHeapSmall();
  const source = readKnowledgeBaseFile(path);
  if (!source.ok) return err(`nothing was imported from ${toPrintable(path)}:\n${source.error}`);
  const summary = await importInto(config.value, source.value);
  const { added, alreadyThere } = summary;
  const table = entryTable({ added, 'already there': alreadyThere });
  print(`${table}\n${defaultVersionLine(summary)}${demoLine(config.value)}`);
  return ok(undefined);
}

async function importInto(config: LocalConfig, knowledgeBase: KnowledgeBase): Promise<ImportSummary> {
  const store = await openStoreOf(config);
  // Ctrl-C ends the process, which rolls the import back.
  const bar = createProgressBar('importing [{bar}] {value} of {total}');
  try {
    return await store.importKnowledgeBase(knowledgeBase, (done, total) => bar.show(done, total));
  } finally {
    bar.stop();
    await store.close();
  }
}

function defaultVersionLine({ defaultVersion }: Pick<ImportSummary, 'defaultVersion'>): string {
  if (defaultVersion === null) return 'The store has no project version yet.\n';
  const { name, projectVersionId } = defaultVersion;
  return `The default project version is now ${toPrintable(name)} (${toPrintable(projectVersionId)}).\n`;
}
