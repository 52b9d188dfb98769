import { err, mapOk, ok, type Result } from '../../core/base/result.ts';
import { complain } from '../../server/process/terminal.ts';
import { commandLine } from '../command-line.ts';
import { type CommandOptions, EXIT_CODES, type Variables } from '../command-options.ts';
import { keepHeapSmall } from '../small-heap.ts';
import { listenForStopSignals } from '../stop-signals.ts';
import { type GatewayAddress, GatewayClient } from './gateway-client.ts';
import { readInput } from './input-rows.ts';
import { CHECK_GATEWAY } from './job.ts';
import { printJobs } from './list-jobs.ts';
import { addressOfGateway, readUndoOptions, readUpdateOptions, type UpdateOptions } from './options.ts';
import { previewRows } from './preview.ts';
import { JobProgress } from './progress.ts';
import { previewUndo, undoJob } from './undo.ts';
import { updateFromFile } from './update-from-file.ts';

/** The exit code of the process. */
export type Exit = Promise<Result<number, string>>;

export const runBulkUpdate = (path: string, args: CommandOptions, variables: Variables): Exit =>
  runOnGateway('bulk-update', { options: readUpdateOptions(path, args, variables), variables }, run);

/** Runs `bulk-update --jobs`. */
export const runListJobs = (args: CommandOptions, variables: Variables): Exit => {
  const options = mapOk(addressOfGateway(args, variables), (address) => ({ address }));
  return runOnGateway('bulk-update', { options, variables }, printJobs);
};

export const runUndo = (args: CommandOptions, variables: Variables): Exit =>
  runOnGateway('bulk-update', { options: readUndoOptions(args, variables), variables }, (client, options, progress) =>
    options.isPreview ? previewUndo(client, options) : undoJob(client, options, progress),
  );

/** Runs a command over a gateway until a signal stops it. A misuse is printed, and is an exit code. */
export async function runOnGateway<Options extends { readonly address: GatewayAddress }>(
  command: string,
  { options, variables }: { readonly options: Result<Options, string>; readonly variables: Variables },
  work: (client: GatewayClient, options: Options, progress: JobProgress) => Exit,
): Exit {
  if (!options.ok) {
    complain(`${options.error}\n${commandLine(command, variables, ['--help'])} lists the commands and options.`);
    return ok(EXIT_CODES.misused);
  }
  const { address } = options.value;
  warnOfPlainHttp(address.url);
  const stopping = new AbortController();
  void listenForStopSignals()
    .next()
    .then(() => stopping.abort());
  const progress = new JobProgress();
  try {
    const client = new GatewayClient(address, stopping.signal, (text) => progress.note(text));
    return await work(client, options.value, progress);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    return err('stopped; nothing was sent.');
  }
}

/** Checks the whole file, and then the gateway, before anything is sent. */
async function run(client: GatewayClient, options: UpdateOptions, progress: JobProgress): Exit {
  keepHeapSmall();
  const input = readInput(options.path, options);
  if (!input.ok) return input;
  for (const warning of input.value.warnings) complain(warning);
  // A gateway that cannot be reached is not waited for: it may be another one.
  const answer = await client.ask(CHECK_GATEWAY, '{}');
  if (!answer.ok) return err(`${options.address.url}: ${answer.error.message}`);
  const parts = { options, client, input: input.value, progress };
  return options.isPreview ? previewRows(parts) : updateFromFile(parts);
}

function warnOfPlainHttp(url: string): void {
  const { protocol, hostname } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (protocol === 'http:' && !isLocal) complain(`the token goes to ${hostname} without encryption; use https.`);
}
