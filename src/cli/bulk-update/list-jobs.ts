import { err, ok, type Result } from '../../core/base/result.ts';
import { print } from '../../server/process/terminal.ts';
import { EXIT_CODES } from '../command-options.ts';
import type { GatewayClient } from './gateway-client.ts';
import { LIST_JOBS, type ShownJob } from './job.ts';

/** Prints the jobs of the caller, the latest first. */
export async function printJobs(client: GatewayClient): Promise<Result<number, string>> {
  const answer = await client.ask(LIST_JOBS, '{}');
  if (!answer.ok) return err(answer.error.message);
  const { nodes, pageInfo } = answer.value.articleUpdateJobs;
  for (const job of nodes) print(`${describeJob(job)}\n`);
  if (nodes.length === 0) print('There is no job.\n');
  if (pageInfo.hasNextPage) print(`There are more than these ${nodes.length}; the query articleUpdateJobs has all.\n`);
  return ok(EXIT_CODES.done);
}

function describeJob({ id, state, createdAt, summary }: ShownJob): string {
  const { total, updated, failed, unknown, notAttempted, pending } = summary;
  const counts = { updated, failed, unknown, 'not attempted': notAttempted, pending };
  const ends = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
  return `${createdAt}  ${state.padEnd(9)}  ${total} rows${ends.length > 0 ? `: ${ends.join(', ')}` : ''}  ${id}`;
}
