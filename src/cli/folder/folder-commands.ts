import type { Result } from '../../core/base/result.ts';
import { printError } from '../../server/process/terminal.ts';
import { runUntilStopped, warnOfPlainHttp } from '../bulk-update/bulk-update.ts';
import { GatewayClient } from '../bulk-update/gateway-client.ts';
import { runApply } from './apply.ts';
import { type FolderArguments, readApplyOptions, readPlanOptions } from './folder-options.ts';
import { runPlan } from './plan-command.ts';
import { readPlan } from './plan-file.ts';

type Variables = Readonly<Record<string, string | undefined>>;
type Exit = Promise<Result<number, string>>;

/** Runs `plan`. */
export async function planFolder(folder: string, args: FolderArguments, variables: Variables): Exit {
  return runUntilStopped(
    'plan',
    { options: readPlanOptions(folder, args, variables), variables },
    async ({ address, command }, signal) => {
      warnOfPlainHttp(address.url);
      return runPlan(new GatewayClient(address, signal, (text) => printError(`${text}\n`)), command);
    },
  );
}

/** Runs `apply`. */
export async function applyPlan(path: string, args: FolderArguments, variables: Variables): Exit {
  return runUntilStopped(
    'apply',
    { options: readApplyOptions(path, args, variables), variables },
    async ({ address, command }, signal) => {
      warnOfPlainHttp(address.url);
      const plan = await readPlan(path);
      if (!plan.ok) return plan;
      return runApply(new GatewayClient(address, signal, (text) => printError(`${text}\n`)), command, plan.value);
    },
  );
}
