import { inspect, parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { toPrintable } from '../base/printable.ts';
import { err, ok, type Result } from '../base/result.ts';
import { HELP } from './help.ts';
import { packageVersion } from './package-version.ts';
import { complain, ignoreClosedReaders, print } from './terminal.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const EXIT_CODES = { done: 0, failed: 1, misused: 2 } as const;

/** Runs the command of the arguments, and returns the exit code of the process. */
export async function runCommandLine(args: string[], variables: Variables): Promise<number> {
  prepareProcess();
  if (args[0] === 'bulk-update') return updateInBulk(args.slice(1), variables);
  const command = parseCommand(args, variables);
  if (!command.ok) {
    complain(`${command.error}\nkb-gateway --help tells what there is.`);
    return EXIT_CODES.misused;
  }
  const outcome = await command.value().catch((error: unknown) => err(messageOf(error)));
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

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  host: { type: 'string' },
  port: { type: 'string' },
  'config-check': { type: 'boolean' },
  federation: { type: 'boolean' },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

type Outcome = Promise<Result<void, string>>;

// Each command imports only what it needs, so that `--help` is fast and needs no database.

type Command = (options: Options, variables: Variables) => Outcome;

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['serve', serveWith],
  ['mcp', async (_options, variables) => (await import('./serve-mcp.ts')).serveMcp(variables)],
  ['print-schema', async ({ federation = false }) => ok(print(await schemaText(federation)))],
]);

/** The commands on the embedded store, with the file that stands after them. */
const FILE_COMMANDS: ReadonlyMap<string, (file: string) => Outcome> = new Map([
  ['import', async (file) => (await import('./knowledge-base/import.ts')).importFile(file)],
  ['export', async (file) => (await import('./knowledge-base/export.ts')).exportFile(file)],
  ['backup', async (file) => (await import('./backup.ts')).backUp(file)],
]);

/** Returns what runs the command of the arguments. */
function parseCommand(args: string[], variables: Variables): Result<() => Outcome, string> {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    if (values.help) return ok(async () => ok(print(HELP)));
    if (values.version) return ok(async () => ok(print(`${packageVersion()}\n`)));
    const [name = 'serve', ...rest] = positionals;
    const problem = misusedOption(name, values);
    if (problem !== null) return err(problem);
    const command = COMMANDS.get(name);
    if (command === undefined) return parseFileCommand(name, rest);
    return rest.length > 0 ? err(`${name} takes nothing after it.`) : ok(() => command(values, variables));
  } catch (error) {
    // parseArgs throws a TypeError with a readable message for an unknown option, which it quotes.
    return err(toPrintable(String(error instanceof Error ? error.message : error).replaceAll('\n', ' ')));
  }
}

function misusedOption(name: string, { host, port, 'config-check': isCheck, federation }: Options): string | null {
  if (federation && name !== 'print-schema') return '--federation is for print-schema.';
  const isOfServe = host !== undefined || port !== undefined || isCheck;
  return isOfServe && name !== 'serve' ? '--port, --host and --config-check are for serve.' : null;
}

function parseFileCommand(name: string, [file, ...more]: readonly string[]): Result<() => Outcome, string> {
  const command = FILE_COMMANDS.get(name);
  if (command === undefined) return err(`there is no command "${toPrintable(name)}".`);
  if (file === undefined || more.length > 0) return err(`${name} takes one FILE.`);
  if (name === 'export' && !/\.json(?:\.gz)?$/u.test(file)) return err('the FILE of export ends in .json or .json.gz.');
  return ok(async () => {
    await warnOfMisspeltSettings();
    return command(file);
  });
}

/** An option counts before the variable of the same name. */
async function serveWith({ host: HOST, port: PORT, 'config-check': isCheck }: Options): Outcome {
  const settings = { ...(HOST !== undefined && { HOST }), ...(PORT !== undefined && { PORT }) };
  return isCheck
    ? (await import('./config-check.ts')).checkConfig(settings)
    : (await import('./serve.ts')).serve(settings);
}

async function schemaText(ofSubgraph: boolean): Promise<string> {
  const { createSubgraph, printSchemaSdl } = await import('../schema/schema.ts');
  return ofSubgraph ? createSubgraph().sdl() : printSchemaSdl();
}

/** `serve` warns in its log, and the message about wrong settings names these as well. */
async function warnOfMisspeltSettings(): Promise<void> {
  const { loadLocalConfig } = await import('./load-config.ts');
  if (!loadLocalConfig().ok) return;
  const { misspeltSettings } = await import('../config.ts');
  const { misspeltMessage } = await import('../config/misspelt-settings.ts');
  for (const setting of misspeltSettings()) complain(misspeltMessage(setting));
}

/** A plain Error has a message for operators, such as a file that cannot be opened. Any other error is a bug. */
const messageOf = (error: unknown): string =>
  error instanceof Error && error.constructor === Error ? error.message : inspect(error);
