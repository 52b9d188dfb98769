import type { ImportSummary } from '../../backend/local/import/import-knowledge-base.ts';
import { toPrintable } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { LocalConfig } from '../../config.ts';
import { readKnowledgeBaseFile } from '../../knowledge-base/file.ts';
import type { KnowledgeBase } from '../../knowledge-base/format.ts';
import { commandLine } from '../command-line.ts';
import { createProgressBar, print } from '../terminal.ts';
import { entryTable, openStoreOf, readStoreConfig } from './open-store.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Imports a file into the embedded store, all or nothing, and prints what it did. */
export async function importFile(path: string, variables: Variables, update = false): Promise<Result<void, string>> {
  const config = readStoreConfig();
  if (!config.ok) return config;
  const knowledgeBase = await readKnowledgeBaseFile(path);
  if (!knowledgeBase.ok) return err(`nothing was imported from ${toPrintable(path)}:\n${knowledgeBase.error}`);
  const summary = await importInto(config.value, knowledgeBase.value, update);
  const { added, alreadyThere, differences, demo } = summary;
  const table = entryTable({
    added,
    'already there': alreadyThere,
    [update ? 'updated' : 'differ']: differences.counts,
  });
  const updateCommand = update ? null : commandLine('import', variables, ['--update', path]);
  print(`${table}\n${differenceLines(differences, updateCommand)}${DEMO_LINES[demo]}${defaultVersionLine(summary)}`);
  return ok(undefined);
}

async function importInto(config: LocalConfig, knowledgeBase: KnowledgeBase, update: boolean): Promise<ImportSummary> {
  const store = await openStoreOf(config);
  // Ctrl-C ends the process, which rolls the import back.
  const bar = createProgressBar('importing [{bar}] {value} of {total}');
  try {
    return await store.importKnowledgeBase(knowledgeBase, (done, total) => bar.show(done, total), update);
  } finally {
    bar.stop();
    await store.close();
  }
}

/** A line for each of the first members that differ, or where they were left as they are, the command that updates them. */
function differenceLines({ shown, total }: ImportSummary['differences'], updateCommand: string | null): string {
  if (total === 0) return '';
  if (updateCommand !== null)
    return `What differs was left as it is in the store. To show and change it: ${updateCommand}\n`;
  const lines = shown.map(
    ({ list, id, member, stored, given }) =>
      `${toPrintable(`${list} ${id}: ${member}`)} was ${shownValue(stored, given)}, and is ${shownValue(given, stored)}`,
  );
  const rest = total - shown.length;
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : []), ''].join('\n');
}

/** The most characters of a value that are shown. */
const MAX_SHOWN_LENGTH = 60;

/** A value in one line. Of a long text, the part from where it differs from the other one. */
function shownValue(value: unknown, other: unknown): string {
  if (value === undefined) return 'not there';
  const [text, otherText] = [value, other].map((one) => JSON.stringify(one ?? null));
  if (text === undefined || text.length <= MAX_SHOWN_LENGTH) return toPrintable(text ?? '');
  const same = [...text].findIndex((character, index) => character !== otherText?.[index]);
  const start = Math.max(0, same - 10);
  return toPrintable(`${start > 0 ? '…' : ''}${text.slice(start, start + MAX_SHOWN_LENGTH)}…`);
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
