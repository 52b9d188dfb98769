import { ok, type Result } from '../base/result.ts';
import { misspeltMessage } from '../config/misspelt-settings.ts';
import { describeSettings, misspeltSettings } from '../config.ts';
import { type CommandLineSettings, loadConfig, readSecretFile } from './load-config.ts';
import { complain, print } from './terminal.ts';

/**
 * Prints what `serve` would use. Only the files of secrets and of trusted documents are read. Nothing else is opened,
 * and nothing is written.
 */
export async function checkConfig(commandLine: CommandLineSettings): Promise<Result<void, string>> {
  const lines = describeSettings(undefined, { commandLine, readFile: readSecretFile });
  if (!lines.ok) return lines;
  const documents = await checkPersistedDocuments(commandLine);
  if (!documents.ok) return documents;
  print(`${lines.value.join('\n')}\n`);
  for (const setting of misspeltSettings()) complain(misspeltMessage(setting));
  return ok(undefined);
}

async function checkPersistedDocuments(commandLine: CommandLineSettings): Promise<Result<unknown, string>> {
  const config = loadConfig(commandLine);
  if (!config.ok || config.value.persistedDocuments.path === null) return config;
  // The schema is loaded only where there are documents.
  const { openPersistedDocuments, readManifest } = await import('./persisted-documents.ts');
  const manifest = readManifest(config.value);
  return manifest.ok ? openPersistedDocuments(config.value, manifest.value) : manifest;
}
