import { SingleBar } from 'cli-progress';
import type { ImportSummary } from '../backend/local/import/import-knowledge-base.ts';
import { openLocalBackend } from '../backend/local/local-backend.ts';
import { readLocalConfig } from '../config.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { readKnowledgeBaseFile } from '../knowledge-base/file.ts';
import { createLogger } from '../logger.ts';

/** Imports a file into the embedded store, all or nothing, and prints the numbers of new and existing entries. */
export async function importFile(path: string): Promise<Result<void, string>> {
  const config = readLocalConfig();
  if (!config.ok) return config;
  const knowledgeBase = await readKnowledgeBaseFile(path);
  if (!knowledgeBase.ok) return err(`nothing was imported from ${path}:\n${knowledgeBase.error}`);
  const { databaseUrl } = config.value.backend;
  const log = createLogger({ level: config.value.logLevel, write: (line) => process.stderr.write(line) });
  const store = await openLocalBackend({ databaseUrl, apiTokens: [], log });
  // The bar is shown on a terminal only. Without `gracefulExit` Ctrl-C ends the process, which rolls the import back.
  const bar = new SingleBar({ format: 'importing [{bar}] {value} of {total}', gracefulExit: false });
  try {
    const summary = await store.importKnowledgeBase(knowledgeBase.value, (done, total) => {
      if (bar.isActive) bar.update(done);
      else bar.start(total, done);
    });
    bar.stop();
    process.stdout.write(summaryTable(summary));
    return ok(undefined);
  } finally {
    bar.stop();
    await store.close();
  }
}

function summaryTable({ added, alreadyThere }: ImportSummary): string {
  const row = (name: string, ...cells: unknown[]) =>
    `${name.padEnd(20)}${cells.map((cell) => `${cell}`.padStart(15)).join('')}\n`;
  const rows = [
    row('project versions', added.projectVersions, alreadyThere.projectVersions),
    row('languages', added.languages, alreadyThere.languages),
    row('categories', added.categories, alreadyThere.categories),
    row('articles', added.articles, alreadyThere.articles),
    row('language versions', added.languageVersions, alreadyThere.languageVersions),
    row('readers', added.readers, alreadyThere.readers),
    row('invited SSO users', added.invitedSsoUsers, alreadyThere.invitedSsoUsers),
    row('reader groups', added.readerGroups, alreadyThere.readerGroups),
  ];
  return [row('', 'added', 'already there'), ...rows].join('');
}
