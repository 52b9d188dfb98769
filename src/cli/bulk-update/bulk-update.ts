import { err, ok, type Result } from '../../base/result.ts';
import { listenForStopSignals } from '../stop-signals.ts';
import { complain, print } from '../terminal.ts';
import { checkRows } from './checked-rows.ts';
import { type GatewayAddress, GatewayClient } from './gateway-client.ts';
import { openInputFile } from './input-file.ts';
import { CANCEL_JOB, CHECK_GATEWAY } from './job.ts';
import {
  BULK_UPDATE_HELP,
  type BulkUpdateOptions,
  parseBulkUpdateOptions,
  UPDATE_EXITS,
  type UpdateRunOptions,
} from './options.ts';
import type { CheckedRun } from './parts.ts';
import { previewFile } from './preview.ts';
import { JobProgress } from './progress.ts';
import { updateFromFile } from './update-from-file.ts';

/** Runs `bulk-update` with the arguments after it, and returns the exit code of the process. */
export async function runBulkUpdate(
  args: string[],
  variables: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const options = parseBulkUpdateOptions(args, variables);
  if (!options.ok) {
    complain(`${options.error}\nkb-gateway bulk-update --help tells what there is.`);
    return UPDATE_EXITS.misused;
  }
  const stopping = new AbortController();
  void listenForStopSignals()
    .next()
    .then(() => stopping.abort());
  try {
    const outcome = await runKind(options.value, stopping.signal);
    if (outcome.ok) return outcome.value;
    complain(outcome.error);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    complain('stopped; nothing was sent.');
  }
  return UPDATE_EXITS.notRun;
}

type Outcome = Promise<Result<number, string>>;

async function runKind(options: BulkUpdateOptions, signal: AbortSignal): Outcome {
  switch (options.kind) {
    case 'help':
      print(BULK_UPDATE_HELP);
      return ok(UPDATE_EXITS.done);
    case 'cancel':
      return cancelJob(options.address, options.jobId, signal);
    case 'preview':
      return withCheckedFile(options, signal, previewFile);
    case 'run':
      return withCheckedFile(options, signal, updateFromFile);
  }
}

async function cancelJob(address: GatewayAddress, jobId: string, signal: AbortSignal): Outcome {
  const client = new GatewayClient(address, signal, complain);
  const cancelled = await client.ask(CANCEL_JOB, JSON.stringify({ id: jobId }));
  if (!cancelled.ok) return err(cancelled.error.message);
  const { state, summary } = cancelled.value.result.job;
  print(`The job is ${state}: ${summary.updated} of ${summary.total} rows were updated.\n`);
  return ok(UPDATE_EXITS.done);
}

/** Checks the whole file, and then the gateway, before anything is sent. */
async function withCheckedFile(
  options: UpdateRunOptions,
  signal: AbortSignal,
  run: (run: CheckedRun) => Outcome,
): Outcome {
  warnOfPlainHttp(options.address.url);
  const file = await openInputFile(options.path, { stdin: process.stdin, signal });
  if (!file.ok) return file;
  try {
    const rows = { file: file.value, format: options.format, mapping: options.mapping };
    const checked = await checkRows(rows);
    if (!checked.ok) return checked;
    const progress = new JobProgress();
    const client = new GatewayClient(options.address, signal, (text) => progress.note(text));
    const problem = await findGatewayProblem(client);
    if (problem !== null) return err(`${options.address.url}: ${problem}`);
    return await run({ options, client, rows, checked: checked.value, progress });
  } finally {
    file.value.close();
  }
}

/** Asks the gateway before anything is sent. A gateway that cannot be reached is not waited for: it may be another one. */
async function findGatewayProblem(client: GatewayClient): Promise<string | null> {
  const first = await client.ask(CHECK_GATEWAY, '{}');
  if (first.ok) return null;
  if (first.error.kind !== 'again') return first.error.message;
  const { answer } = await client.repeat(CHECK_GATEWAY, '{}');
  return answer.ok ? null : answer.error.message;
}

function warnOfPlainHttp(url: string): void {
  const { protocol, hostname } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (protocol === 'http:' && !isLocal) complain(`the token goes to ${hostname} without encryption; use https.`);
}
