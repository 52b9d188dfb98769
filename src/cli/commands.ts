import { inspect, parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { toPrintable } from '../core/base/printable.ts';
import { err, ok, type Result } from '../core/base/result.ts';
import { packageVersion } from '../server/package-version.ts';
import { complain, ignoreClosedReaders, print } from '../server/process/terminal.ts';
import { DatabaseAway } from '../store/database/database-away.ts';
import { commandLine } from './command-line.ts';
import { COMMAND_OPTIONS, type CommandOptions, EXIT_CODES, type Variables } from './command-options.ts';
import { BULK_UPDATE_HELP, HELP } from './help.ts';

/** Runs the command of the arguments, and returns the exit code of the process. */
export async function runCommandLine(args: string[], variables: Variables): Promise<number> {
  prepareProcess();
  const command = parseCommand(args, variables);
  if (!command.ok) {
    complain(`${command.error}\n${commandLine('', variables, ['--help'])} lists the commands and options.`);
    return EXIT_CODES.misused;
  }
  const outcome = await command.value().catch((error: unknown) => err(messageOf(error)));
  if (outcome.ok) return typeof outcome.value === 'number' ? outcome.value : EXIT_CODES.done;
  complain(outcome.error);
  return EXIT_CODES.failed;
}

function prepareProcess(): void {
  // V8 would conclude from its first collections that the objects of a request live long, and allocate them in the old
  // generation from then on: see docs/decisions/0023-garbage.md, "Context".
  setFlagsFromString('--no-allocation-site-pretenuring');
  ignoreClosedReaders();
}

/** A command may return an exit code of its own. */
type Outcome = Promise<Result<unknown, string>>;

interface Command {
  /** The options that the command takes, besides `--help` and `--version`. */
  readonly options: readonly (keyof CommandOptions)[];
  readonly run: (call: { readonly options: CommandOptions; readonly variables: Variables }) => Outcome;
}

interface FileCommand extends Pick<Command, 'options'> {
  readonly runWith: (file: string, call: Parameters<Command['run']>[0]) => Outcome;
}

// Each command imports only what it needs, so that `--help` is fast and needs no database.
const COMMANDS: ReadonlyMap<string, Command | FileCommand> = new Map<string, Command | FileCommand>([
  [
    'serve',
    {
      options: ['host', 'port', 'config-check', 'strict'],
      run: ({ options, variables }) => serveWith(options, variables),
    },
  ],
  ['mcp', { options: [], run: async ({ variables }) => (await import('./serve-mcp.ts')).serveMcp(variables) }],
  [
    'print-schema',
    { options: ['federation'], run: async ({ options }) => ok(print(await schemaText(options.federation ?? false))) },
  ],
  ['import', { options: [], runWith: async (file) => (await import('./knowledge-base/import.ts')).importFile(file) }],
  [
    'init',
    {
      options: ['languages', 'project-version'],
      run: async ({ options }) => (await import('./knowledge-base/init.ts')).initStore(options),
    },
  ],
  [
    'export',
    {
      options: ['csv', 'columns', 'for-spreadsheet', 'from-service', 'texts', 'token'],
      runWith: (file, call) => exportWith(file, call),
    },
  ],
  ['backup', { options: [], runWith: async (file) => (await import('./knowledge-base/backup.ts')).backUp(file) }],
  [
    'dev-jwt',
    {
      options: ['scope'],
      run: async ({ options, variables }) => (await import('./dev-jwt.ts')).printDevJwt(options.scope ?? '', variables),
    },
  ],
  [
    'check-service',
    {
      options: ['write', 'category', 'user', 'report'],
      run: async ({ options, variables }) =>
        (await import('./check-service/check-service.ts')).runCheckService(options, variables),
    },
  ],
  [
    'plan',
    {
      options: [
        'url',
        'token',
        'user',
        'project-version',
        'out',
        'json',
        'markdown',
        'strict',
        'include',
        'exclude',
        'publish',
        'if-published',
        'gone',
      ],
      runWith: async (folder, { options, variables }) =>
        (await import('./folder/folder-commands.ts')).planFolder(folder, options, variables),
    },
  ],
  [
    'apply',
    {
      options: ['url', 'token', 'user', 'project-version'],
      runWith: async (file, { options, variables }) =>
        (await import('./folder/folder-commands.ts')).applyPlanFile(file, options, variables),
    },
  ],
  [
    'bulk-update',
    {
      options: [
        'url',
        'token',
        'columns',
        'failed',
        'for-spreadsheet',
        'key',
        'preview',
        'only-failures',
        'resume',
        'jobs',
        'publish',
        'user',
        'message',
        'keep-before',
        'if-published',
        'ignore-revisions',
        'undo',
      ],
      runWith: async (file, { options, variables }) =>
        (await import('./bulk-update/bulk-update.ts')).runBulkUpdate(file, options, variables),
    },
  ],
]);

/** Replaces the commands in a text by those that work in this environment. */
const asTypedHere = (text: string, variables: Variables): string =>
  text.replaceAll(/kb-gateway (?:([a-z][a-z-]*)(?![:a-z-])|(?=--))/gu, (named, command = '') => {
    if (command !== '' && !COMMANDS.has(command)) return named;
    return `${commandLine(command, variables)}${named.endsWith(' ') ? ' ' : ''}`;
  });

function parseCommand(args: string[], variables: Variables): Result<() => Outcome, string> {
  try {
    const { values: options, positionals } = parseArgs({ args, options: COMMAND_OPTIONS, allowPositionals: true });
    const [name = 'serve', ...rest] = positionals;
    if (options.help)
      return ok(async () => ok(print(asTypedHere(name === 'bulk-update' ? BULK_UPDATE_HELP : HELP, variables))));
    if (options.version) return ok(async () => ok(print(`${packageVersion()}\n`)));
    const command = COMMANDS.get(name);
    if (command === undefined) return err(`there is no command "${toPrintable(name)}".`);
    const misuse = misuseOf(options, name, command.options);
    if (misuse !== null) return err(misuse);
    const call = { options, variables };
    const withoutFile = commandWithoutFile(options);
    if (withoutFile !== null)
      return rest.length > 0 ? err(`--${withoutFile.option} takes no FILE.`) : ok(() => withoutFile.run(call));
    if ('run' in command) return rest.length > 0 ? err(`${name} takes nothing after it.`) : ok(() => command.run(call));
    const [file, ...more] = rest;
    return file === undefined || more.length > 0
      ? err(`${name} takes one FILE.`)
      : ok(() => command.runWith(file, call));
  } catch (error) {
    // parseArgs throws a TypeError with a readable message for an unknown option, which it quotes.
    return err(toPrintable(String(error instanceof Error ? error.message : error).replaceAll('\n', ' ')));
  }
}

function commandWithoutFile({ undo, jobs }: CommandOptions) {
  if (undo !== undefined) return { option: 'undo', run: undoWith };
  return jobs ? { option: 'jobs', run: listJobsWith } : null;
}

async function exportWith(file: string, { options, variables }: Parameters<Command['run']>[0]): Outcome {
  if (options.csv) return (await import('./bulk-update/export-csv.ts')).exportCsv(file, options, variables);
  return options.columns === undefined && !options['for-spreadsheet']
    ? (await import('./knowledge-base/export.ts')).exportFile(file, options, variables)
    : err('--columns and --for-spreadsheet are for --csv.');
}

const listJobsWith: Command['run'] = async ({ options, variables }) =>
  (await import('./bulk-update/bulk-update.ts')).runListJobs(options, variables);

const undoWith: Command['run'] = async ({ options, variables }) =>
  (await import('./bulk-update/bulk-update.ts')).runUndo(options, variables);

function misuseOf(options: CommandOptions, name: string, taken: readonly string[]): string | null {
  const other = Object.keys(options).find((option) => !taken.includes(option));
  if (other !== undefined) return `--${other} is no option of ${name}.`;
  return name === 'serve' && options.strict && !options['config-check'] ? '--strict goes with --config-check.' : null;
}

/** An option takes precedence over the variable of the same name. */
async function serveWith(
  { host: HOST, port: PORT, 'config-check': isCheck, strict = false }: CommandOptions,
  variables: Variables,
): Outcome {
  const settings = { ...(HOST !== undefined && { HOST }), ...(PORT !== undefined && { PORT }) };
  return isCheck
    ? (await import('./config-check.ts')).checkConfig(settings, strict)
    : (await import('./serve.ts')).serve(settings, commandLine('check-service', variables));
}

async function schemaText(ofSubgraph: boolean): Promise<string> {
  const { printSchemaSdl, printSubgraphSdl } = await import('../graphql/schema/schema.ts');
  return ofSubgraph ? printSubgraphSdl() : printSchemaSdl();
}

/** A plain Error has a message for operators, such as a file that cannot be opened. Any other error is a bug. */
const messageOf = (error: unknown): string =>
  error instanceof Error && (error.constructor === Error || error instanceof DatabaseAway)
    ? error.message
    : inspect(error);
