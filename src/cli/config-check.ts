import { ok, type Result } from '../base/result.ts';
import { misspeltMessage } from '../config/misspelt-settings.ts';
import { describeSettings, misspeltSettings } from '../config.ts';
import { type CommandLineSettings, readSecretFile } from './load-config.ts';
import { complain, print } from './terminal.ts';

/**
 * Prints what `serve` would use. Only the files of secrets and of trusted documents are read. Nothing else is opened,
 * and nothing is written.
 */
export async function checkConfig(commandLine: CommandLineSettings): Promise<Result<void, string>> {
  const described = describeSettings(undefined, { commandLine, readFile: readSecretFile });
  if (!described.ok) return described;
  const { config, lines } = described.value;
  if (config.persistedDocuments.path !== null) {
    // The schema is loaded only where there are documents.
    const { openPersistedDocuments, readManifest } = await import('./persisted-documents.ts');
    const manifest = readManifest(config);
    const documents = manifest.ok ? openPersistedDocuments(config, manifest.value) : manifest;
    if (!documents.ok) return documents;
  }
  print(`${lines.join('\n')}\n`);
  for (const setting of misspeltSettings()) complain(misspeltMessage(setting));
  return ok(undefined);
}
