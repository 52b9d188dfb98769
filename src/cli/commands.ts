import { inspect, parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { toPrintable } from '../base/printable.ts';
import { err, ok, type Result } from '../base/result.ts';
import { HELP } from './help.ts';
import type { CommandLineSettings } from './load-config.ts';
import { packageVersion } from './package-version.ts';
import { complain, ignoreClosedReaders, print } from './terminal.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const EXIT_CODES = { done: 0, failed: 1, misused: 2 } as const;

/** Runs the command of the arguments, and returns the exit code of the process. */
export async function runCommandLine(args: string[], variables: Variables): Promise<number> {
  prepareProcess();
  if (args[0] === 'bulk-update') return updateInBulk(args.slice(1), variables);
  const command = parseCommand(args);
  if (!command.ok) {
    complain(`${command.error}\nkb-gateway --help tells what there is.`);
    return EXIT_CODES.misused;
  }
  const outcome = await runCommand(command.value, variables).catch((error: unknown) => err(messageOf(error)));
  if (outcome.ok) return EXIT_CODES.done;
  complain(outcome.error);
  return EXIT_CODES.failed;
}

/** This command has options and exit codes of its own. */
async function updateInBulk(args: string[], variables: Variables): Promise<number> {
  const { runBulkUpdate } = await import('./bulk-update/bulk-update.ts');
  return runBulkUpdate(args, variables).catch((error: unknown) => {
    complain(messageOf(error));
    return EXIT_CODES.failed;
  });
}

function prepareProcess(): void {
  // V8 would conclude from its first collections that the objects of a request live long, and allocate them in the old
  // generation from then on: see docs/decisions/0023-garbage.md, "Context".
  setFlagsFromString('--no-allocation-site-pretenuring');
  ignoreClosedReaders();
}

type Command =
  | { readonly name: 'serve' | 'config-check'; readonly settings: CommandLineSettings }
  | { readonly name: 'print-schema'; readonly ofSubgraph: boolean }
  | { readonly name: 'mcp' | 'help' | 'version' }
  | { readonly name: 'import' | 'export' | 'backup'; readonly file: string };

function parseCommand(args: string[]): Result<Command, string> {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    if (values.help) return ok({ name: 'help' });
    if (values.version) return ok({ name: 'version' });
    const command = parsePositionals(positionals);
    return command.ok ? withOptions(command.value, values) : command;
  } catch (error) {
    // parseArgs throws a TypeError with a readable message for an unknown option, which it quotes.
    return err(toPrintable(String(error instanceof Error ? error.message : error).replaceAll('\n', ' ')));
  }
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  host: { type: 'string' },
  port: { type: 'string' },
  'config-check': { type: 'boolean' },
  federation: { type: 'boolean' },
} as const;

type OptionValues = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** An option counts before the variable of the same name. */
function withOptions(
  command: Command,
  { host: HOST, port: PORT, 'config-check': isCheck = false, federation: ofSubgraph = false }: OptionValues,
): Result<Command, string> {
  if (ofSubgraph && command.name !== 'print-schema') return err('--federation is for print-schema.');
  const settings = { ...(HOST !== undefined && { HOST }), ...(PORT !== undefined && { PORT }) };
  if (command.name === 'serve') return ok({ name: isCheck ? 'config-check' : 'serve', settings });
  const isAlone = !isCheck && Object.keys(settings).length === 0;
  if (!isAlone) return err('--port, --host and --config-check are for serve.');
  return ok(command.name === 'print-schema' ? { ...command, ofSubgraph } : command);
}

function parsePositionals([name = 'serve', ...rest]: readonly string[]): Result<Command, string> {
  if (name === 'import' || name === 'export' || name === 'backup') {
    const [file, ...more] = rest;
    if (file === undefined || more.length > 0) return err(`${name} takes one FILE.`);
    if (name === 'export' && !/\.json(?:\.gz)?$/u.test(file))
      return err('the FILE of export ends in .json or .json.gz.');
    return ok({ name, file });
  }
  if (name !== 'serve' && name !== 'mcp' && name !== 'print-schema')
    return err(`there is no command "${toPrintable(name)}".`);
  if (rest.length > 0) return err(`${name} takes nothing after it.`);
  if (name === 'mcp') return ok({ name });
  return ok(name === 'serve' ? { name, settings: {} } : { name, ofSubgraph: false });
}

/** Each command imports only what it needs, so that `--help` is fast and needs no database. */
async function runCommand(command: Command, variables: Variables): Promise<Result<void, string>> {
  switch (command.name) {
    case 'serve':
      return (await import('./serve.ts')).serve(command.settings);
    case 'mcp':
      return (await import('./serve-mcp.ts')).serveMcp(variables);
    case 'config-check':
      return (await import('./config-check.ts')).checkConfig(command.settings);
    case 'import':
      await warnOfMisspeltSettings();
      return (await import('./knowledge-base/import.ts')).importFile(command.file);
    case 'export':
      await warnOfMisspeltSettings();
      return (await import('./knowledge-base/export.ts')).exportFile(command.file);
    case 'backup':
      await warnOfMisspeltSettings();
      return (await import('./backup.ts')).backUp(command.file);
    case 'print-schema':
      print(await schemaText(command.ofSubgraph));
      return ok(undefined);
    case 'help':
      print(HELP);
      return ok(undefined);
    case 'version':
      print(`${packageVersion()}\n`);
      return ok(undefined);
  }
}

async function schemaText(ofSubgraph: boolean): Promise<string> {
  const { createSubgraph, printSchemaSdl } = await import('../schema/schema.ts');
  return ofSubgraph ? createSubgraph().sdl() : printSchemaSdl();
}

/** `serve` warns in its log, and the message about wrong settings names these as well. */
async function warnOfMisspeltSettings(): Promise<void> {
  const { misspeltSettings } = await import('../config.ts');
  const { loadLocalConfig } = await import('./load-config.ts');
  if (!loadLocalConfig().ok) return;
  const { misspeltMessage } = await import('../config/misspelt-settings.ts');
  for (const setting of misspeltSettings()) complain(misspeltMessage(setting));
}

/** A plain Error has a message for operators, such as a file that cannot be opened. Any other error is a bug. */
const messageOf = (error: unknown): string =>
  error instanceof Error && error.constructor === Error ? error.message : inspect(error);
