import { err, ok, type Result } from '../../core/base/result.ts';
import { complain } from '../../server/process/terminal.ts';
import { commandLine } from '../command-line.ts';
import { keepHeapSmall } from '../small-heap.ts';
import { listenForStopSignals } from '../stop-signals.ts';
import { GatewayClient } from './gateway-client.ts';
import { readInput } from './input-rows.ts';
import { CHECK_GATEWAY } from './job.ts';
import { printJobs } from './list-jobs.ts';
import {
  addressOfGateway,
  readUndoOptions,
  readUpdateOptions,
  UPDATE_EXITS,
  type UpdateArguments,
  type UpdateOptions,
} from './options.ts';
import { previewRows } from './preview.ts';
import { JobProgress } from './progress.ts';
import { previewUndo, undoJob } from './undo.ts';
import { updateFromFile } from './update-from-file.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Runs `bulk-update`. The result is the exit code of the process. */
export async function runBulkUpdate(
  path: string,
  args: UpdateArguments,
  variables: Variables,
): Promise<Result<number, string>> {
  return runUntilStopped('bulk-update', { options: readUpdateOptions(path, args, variables), variables }, run);
}

/** Runs `bulk-update --jobs`. */
export async function runListJobs(args: UpdateArguments, variables: Variables): Promise<Result<number, string>> {
  return runUntilStopped(
    'bulk-update',
    { options: addressOfGateway(args, variables), variables },
    (address, signal) => {
      warnOfPlainHttp(address.url);
      return printJobs(new GatewayClient(address, signal, (text) => complain(text)));
    },
  );
}

/** Runs `bulk-update --undo`. */
export async function runUndo(args: UpdateArguments, variables: Variables): Promise<Result<number, string>> {
  return runUntilStopped('bulk-update', { options: readUndoOptions(args, variables), variables }, (options, signal) => {
    warnOfPlainHttp(options.address.url);
    const progress = new JobProgress();
    const client = new GatewayClient(options.address, signal, (text) => progress.note(text));
    return options.isPreview ? previewUndo(client, options) : undoJob(client, options, progress);
  });
}

/** Runs a command until a signal stops it. A misuse is printed, and is an exit code. */
export async function runUntilStopped<Options>(
  command: string,
  { options, variables }: { readonly options: Result<Options, string>; readonly variables: Variables },
  work: (options: Options, signal: AbortSignal) => Promise<Result<number, string>>,
): Promise<Result<number, string>> {
  if (!options.ok) {
    complain(`${options.error}\n${commandLine(command, variables, ['--help'])} lists the commands and options.`);
    return ok(UPDATE_EXITS.misused);
  }
  const stopping = new AbortController();
  void listenForStopSignals()
    .next()
    .then(() => stopping.abort());
  try {
    return await work(options.value, stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    return err('stopped; nothing was sent.');
  }
}

/** Checks the whole file, and then the gateway, before anything is sent. */
async function run(options: UpdateOptions, signal: AbortSignal): Promise<Result<number, string>> {
  const { address, path, isPreview } = options;
  warnOfPlainHttp(address.url);
  keepHeapSmall();
  const input = readInput(path, options);
  if (!input.ok) return input;
  for (const warning of input.value.warnings) complain(warning);
  const progress = new JobProgress();
  const client = new GatewayClient(address, signal, (text) => progress.note(text));
  // A gateway that cannot be reached is not waited for: it may be another one.
  const answer = await client.ask(CHECK_GATEWAY, '{}');
  if (!answer.ok) return err(`${address.url}: ${answer.error.message}`);
  const parts = { options, client, input: input.value, progress };
  return isPreview ? previewRows(parts) : updateFromFile(parts);
}

export function warnOfPlainHttp(url: string): void {
  const { protocol, hostname } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (protocol === 'http:' && !isLocal) complain(`the token goes to ${hostname} without encryption; use https.`);
}
