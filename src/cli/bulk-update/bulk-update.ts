import { err, ok, type Result } from '../../base/result.ts';
import { listenForStopSignals } from '../stop-signals.ts';
import { complain } from '../terminal.ts';
import { GatewayClient } from './gateway-client.ts';
import { readInput } from './input-rows.ts';
import { CHECK_GATEWAY } from './job.ts';
import { readUpdateOptions, UPDATE_EXITS, type UpdateArguments, type UpdateOptions } from './options.ts';
import { previewRows } from './preview.ts';
import { JobProgress } from './progress.ts';
import { updateFromFile } from './update-from-file.ts';

/** Runs `bulk-update`. The result is the exit code of the process. */
export async function runBulkUpdate(
  path: string,
  args: UpdateArguments,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Result<number, string>> {
  const options = readUpdateOptions(path, args, variables);
  if (!options.ok) {
    complain(`${options.error}\nkb-gateway bulk-update --help tells what there is.`);
    return ok(UPDATE_EXITS.misused);
  }
  const stopping = new AbortController();
  void listenForStopSignals()
    .next()
    .then(() => stopping.abort());
  try {
    return await run(options.value, stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    return err('stopped; nothing was sent.');
  }
}

/** Checks the whole file, and then the gateway, before anything is sent. */
async function run(options: UpdateOptions, signal: AbortSignal): Promise<Result<number, string>> {
  const { address, path, isPreview } = options;
  warnOfPlainHttp(address.url);
  const input = readInput(path, options);
  if (!input.ok) return input;
  const progress = new JobProgress();
  const client = new GatewayClient(address, signal, (text) => progress.note(text));
  // A gateway that cannot be reached is not waited for: it may be another one.
  const answer = await client.ask(CHECK_GATEWAY, '{}');
  if (!answer.ok) return err(`${address.url}: ${answer.error.message}`);
  const parts = { options, client, input: input.value, progress };
  return isPreview ? previewRows(parts) : updateFromFile(parts);
}

function warnOfPlainHttp(url: string): void {
  const { protocol, hostname } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (protocol === 'http:' && !isLocal) complain(`the token goes to ${hostname} without encryption; use https.`);
}
