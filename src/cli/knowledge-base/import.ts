import { statSync } from 'node:fs';
import { toPrintable } from '../../core/base/printable.ts';
import { err, mapOk, ok, type Result } from '../../core/base/result.ts';
import { idProblem } from '../../core/base/text.ts';
import type { LocalConfig } from '../../server/config.ts';
import { createProgressBar, print } from '../../server/process/terminal.ts';
import type { ImportSummary } from '../../store/import/import-knowledge-base.ts';
import { readKnowledgeBaseFile } from '../../store/knowledge-base/file.ts';
import type { KnowledgeBase } from '../../store/knowledge-base/format.ts';
import { readMarkdownFolder } from '../../store/knowledge-base/markdown-folder.ts';
import type { LocalBackend } from '../../store/local-backend.ts';
import { keepHeapSmall } from '../small-heap.ts';
import { entryTable, openStoreOf, readStoreConfig } from './open-store.ts';

interface ImportOptions {
  readonly languages?: string | undefined;
  readonly 'project-version'?: string | undefined;
}

/** Imports a file, or a folder of Markdown, into the embedded store, all or nothing, and prints what it did. */
export async function importFile(path: string, options: ImportOptions): Promise<Result<void, string>> {
  const config = readStoreConfig();
  if (!config.ok) return config;
  const source = await readSource(path, options);
  if (!source.ok) return err(`nothing was imported from ${toPrintable(path)}:\n${source.error}`);
  const summary = await importInto(config.value, source.value);
  const { added, alreadyThere, differences, demo } = summary;
  const table = entryTable({ added, 'already there': alreadyThere, differ: differences.counts });
  const differ = differences.total > 0 ? 'What differs was left as it is in the store.\n' : '';
  const notes = source.value.notes.map((note) => `${toPrintable(note)}\n`).join('');
  const lines = `${differ}${notes}${DEMO_LINES[demo]}`;
  print(`${table}\n${lines}${defaultVersionLine(summary)}`);
  return ok(undefined);
}

interface ImportSource {
  readonly knowledgeBase: KnowledgeBase;
  /** True for a folder, which has no names of its project version and its languages. */
  readonly isFolder: boolean;
  readonly notes: readonly string[];
}

async function readSource(path: string, options: ImportOptions): Promise<Result<ImportSource, string>> {
  keepHeapSmall();
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    if (options.languages !== undefined || options['project-version'] !== undefined)
      return err('--languages and --project-version are for a folder of Markdown.');
    return mapOk(await readKnowledgeBaseFile(path), (knowledgeBase) => ({ knowledgeBase, isFolder: false, notes: [] }));
  }
  const languages = (options.languages ?? 'en').split(',').map((code) => code.trim());
  const projectVersionId = options['project-version'] ?? 'docs';
  const [problem] = [projectVersionId, ...languages].flatMap((id) => idProblem(id) ?? []);
  if (problem !== undefined) return err(`an ID of --project-version or --languages ${problem}.`);
  const folder = readMarkdownFolder(path, { projectVersionId, languages: [...new Set(languages)] });
  return mapOk(folder, (content) => ({ ...content, isFolder: true }));
}

async function importInto(config: LocalConfig, source: ImportSource): Promise<ImportSummary> {
  const store = await openStoreOf(config);
  // Ctrl-C ends the process, which rolls the import back.
  const bar = createProgressBar('importing [{bar}] {value} of {total}');
  try {
    const knowledgeBase = source.isFolder ? await withStoredNames(store, source.knowledgeBase) : source.knowledgeBase;
    return await store.importKnowledgeBase(knowledgeBase, (done, total) => bar.show(done, total));
  } finally {
    bar.stop();
    await store.close();
  }
}

/** The knowledge base with the names of project versions and languages that the store has. */
const withStoredNames = (store: LocalBackend, base: KnowledgeBase): Promise<KnowledgeBase> =>
  store.exportKnowledgeBase(async ({ project_versions, languages }) => {
    const [versions, ofVersions] = [await Array.fromAsync(project_versions), await Array.fromAsync(languages)];
    return {
      ...base,
      project_versions: base.project_versions.map((given) => versions.find(({ id }) => id === given.id) ?? given),
      languages: base.languages.map((given) => {
        const isGiven = (one: typeof given) =>
          one.code === given.code && one.project_version_id === given.project_version_id;
        return ofVersions.find(isGiven) ?? given;
      }),
    };
  });

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
