import { ok, type Result } from '../core/base/result.ts';
import { misspeltMessage } from '../server/config/misspelt-settings.ts';
import { type Config, describeSettings, misspeltSettings } from '../server/config.ts';
import { checkFiles } from '../server/process/check-files.ts';
import { complain, print } from '../server/process/terminal.ts';
import { type CommandLineSettings, DEMO, isDemoServed, readSecretFile } from './load-config.ts';

/**
 * Prints what `serve` would use, and warnings, which are failures if `isStrict`. Only the files of keys, tokens and trusted
 * documents are read. Nothing else is opened, and nothing is written.
 */
export async function checkConfig(
  commandLine: CommandLineSettings,
  isStrict: boolean,
): Promise<Result<number, string>> {
  const described = describe(commandLine);
  if (!described.ok) return described;
  const { config, set, defaults } = described.value;
  const files = await checkFiles(config, await checkDocuments(config));
  if (!files.ok) return files;
  const documents = (await consoleDocumentLines(config)).map((line) => `# ${line}`);
  print(
    ['# set:', ...(set.length === 0 ? ['# nothing'] : set), '', '# default:', ...defaults, '', ...documents].join('\n'),
  );
  const warnings = [
    ...misspeltSettings().map(misspeltMessage),
    ...files.value.warnings,
    ...config.warnings.map(({ setting, reason }) => `${setting} ${reason}`),
  ];
  warnings.forEach(complain);
  return ok(isStrict && warnings.length > 0 ? 1 : 0);
}

const describeWith = (commandLine: CommandLineSettings) =>
  describeSettings(undefined, { commandLine, readFile: readSecretFile });

/** The demo takes the place of the store that would be used by default. */
function describe(commandLine: CommandLineSettings): ReturnType<typeof describeWith> {
  const own = describeWith(commandLine);
  const demo = own.ok && isDemoServed(own.value.config) ? describeWith({ ...commandLine, ...DEMO }) : own;
  if (!own.ok || !demo.ok || own === demo) return demo;
  const [line = ''] = demo.value.set.filter((one) => !own.value.set.includes(one));
  const defaults = own.value.defaults.map((one) => (one.startsWith('DATABASE_URL=') ? line : one));
  return ok({ ...own.value, config: demo.value.config, defaults });
}

/** The IDs and names of the console's documents, which are accepted in addition to those of the file. */
async function consoleDocumentLines(config: Config): Promise<readonly string[]> {
  const { consoleDocumentsOf } = await import('../server/process/persisted-documents.ts');
  const lines = [...consoleDocumentsOf(config)].map(([id, text]) => `${id} ${operationNameOf(text)}`);
  return lines.length === 0 ? [] : ['documents of the console:', ...lines, ''];
}

const operationNameOf = (text: string): string => /\b(?:query|mutation) (\w+)/u.exec(text)?.[1] ?? '';

/** The schema is loaded only when there are documents to check. */
async function checkDocuments(config: Config): Promise<Result<unknown, string>> {
  if (config.persistedDocuments.path === null) return ok(null);
  const { readPersistedDocuments } = await import('../server/process/persisted-documents.ts');
  return readPersistedDocuments(config);
}
