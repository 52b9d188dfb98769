#!/usr/bin/env node
import { inspect, parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { HELP } from './cli/help.ts';
import { packageVersion } from './cli/package-version.ts';
import { err, ok, type Result } from './domain/result.ts';

const EXIT = { done: 0, failed: 1, misused: 2 } as const;

// Before anything loads graphql-js: it looks twice at each type otherwise, a tenth of the time of an execution.
process.env['NODE_ENV'] ??= 'production';

// From its first collections, when next to nothing is garbage yet, V8 concludes that what a request makes lives long, and from
// then on keeps it until the next major collection (decision 23).
setFlagsFromString('--no-allocation-site-pretenuring');

// A reader of our output that goes away (`| head`) is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

async function run(args: string[]): Promise<number> {
  const command = parseCommand(args);
  if (!command.ok) {
    process.stderr.write(`kb-gateway: ${command.error}\nkb-gateway --help tells what there is.\n`);
    return EXIT.misused;
  }
  const outcome = await perform(command.value).catch((error: unknown) => err(messageOf(error)));
  if (outcome.ok) return EXIT.done;
  process.stderr.write(`kb-gateway: ${outcome.error}\n`);
  return EXIT.failed;
}

type Command =
  | { readonly name: 'serve' | 'print-schema' | 'help' | 'version' }
  | { readonly name: 'import'; readonly file: string };

function parseCommand(args: string[]): Result<Command, string> {
  const options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const;
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (values.help) return ok({ name: 'help' });
    if (values.version) return ok({ name: 'version' });
    return commandOf(positionals);
  } catch (error) {
    // parseArgs throws a TypeError for an option that it does not know, with a message for people.
    return err(error instanceof Error ? error.message : String(error));
  }
}

function commandOf([name = 'serve', ...rest]: readonly string[]): Result<Command, string> {
  if (name === 'import') {
    const [file, ...more] = rest;
    return file === undefined || more.length > 0 ? err('import takes one FILE.') : ok({ name, file });
  }
  if (name !== 'serve' && name !== 'print-schema') return err(`there is no command "${name}".`);
  return rest.length > 0 ? err(`${name} takes nothing after it.`) : ok({ name });
}

/** Each command loads what it needs and no more: `--help` answers at once, and without a store. */
async function perform(command: Command): Promise<Result<void, string>> {
  switch (command.name) {
    case 'serve':
      return (await import('./cli/serve.ts')).serve();
    case 'import':
      return (await import('./cli/import.ts')).importFile(command.file);
    case 'print-schema':
      return print((await import('./schema/schema.ts')).printSchemaSdl());
    case 'help':
      return print(HELP);
    case 'version':
      return print(`${packageVersion()}\n`);
  }
}

function print(text: string): Result<void, string> {
  process.stdout.write(text);
  return ok(undefined);
}

/** A plain Error was thrown with a message for people (a file that cannot be opened, say); any other is a bug of ours. */
const messageOf = (error: unknown): string =>
  error instanceof Error && error.constructor === Error ? error.message : inspect(error);

process.exitCode = await run(process.argv.slice(2));
