import type { ImportSummary } from '../../backend/local/import/import-knowledge-base.ts';
import { toPrintable } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { LocalConfig } from '../../config.ts';
import { readKnowledgeBaseFile } from '../../knowledge-base/file.ts';
import type { KnowledgeBase } from '../../knowledge-base/format.ts';
import { createProgressBar, print } from '../terminal.ts';
import { entryTable, openStoreOf, readStoreConfig } from './open-store.ts';

/** Imports a file into the embedded store, all or nothing, and prints what it did. */
export async function importFile(path: string): Promise<Result<void, string>> {
  const config = readStoreConfig();
  if (!config.ok) return config;
  const knowledgeBase = await readKnowledgeBaseFile(path);
  if (!knowledgeBase.ok) return err(`nothing was imported from ${toPrintable(path)}:\n${knowledgeBase.error}`);
  const summary = await importInto(config.value, knowledgeBase.value);
  const { added, alreadyThere, demo } = summary;
  const table = entryTable({ added, 'already there': alreadyThere });
  print(`${table}\n${DEMO_LINES[demo]}${defaultVersionLine(summary)}`);
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

const DEMO_LINES = {
  removed: 'The demo was removed: nobody had changed it.\n',
  changed: 'The demo stays beside it, because somebody has changed it.\n',
  absent: '',
} as const satisfies Record<ImportSummary['demo'], string>;

function defaultVersionLine({ defaultVersion }: Pick<ImportSummary, 'defaultVersion'>): string {
  if (defaultVersion === null) return 'The store has no project version yet.\n';
  const { name, projectVersionId } = defaultVersion;
  return `The default project version is now ${toPrintable(name)} (${toPrintable(projectVersionId)}).\n`;
}
