import { err, ok, type Result } from '../../core/base/result.ts';
import { type Exit, runOnGateway } from '../bulk-update/bulk-update.ts';
import type { GatewayAddress } from '../bulk-update/gateway-client.ts';
import { addressOfGateway, IF_PUBLISHED } from '../bulk-update/options.ts';
import type { CommandOptions, Variables } from '../command-options.ts';
import { type ApplyCommand, runApply } from './apply.ts';
import { type PlanCommand, runPlan } from './plan-command.ts';
import { readPlanFile } from './plan-files.ts';

export const planFolder = (folder: string, args: CommandOptions, variables: Variables): Exit =>
  runOnGateway('plan', { options: readPlanOptions(folder, args, variables), variables }, (client, { command }) =>
    runPlan(client, command),
  );

export const applyPlanFile = (path: string, args: CommandOptions, variables: Variables): Exit =>
  runOnGateway(
    'apply',
    { options: readApplyOptions(path, args, variables), variables },
    async (client, { command }) => {
      const plan = await readPlanFile(path);
      return plan.ok ? runApply(client, command, plan.value) : plan;
    },
  );

interface WithAddress<Command> {
  readonly address: GatewayAddress;
  readonly command: Command;
}

const GONE: ReadonlyMap<string, 'hide' | 'unpublish'> = new Map([
  ['hide', 'hide'],
  ['unpublish', 'unpublish'],
]);

function readPlanOptions(
  folder: string,
  args: CommandOptions,
  variables: Variables,
): Result<WithAddress<PlanCommand>, string> {
  const ifPublished = IF_PUBLISHED.get(args['if-published'] ?? 'update');
  if (ifPublished === undefined) return err('--if-published is update, fork or skip.');
  const gone = args.gone === undefined ? null : GONE.get(args.gone);
  if (gone === undefined) return err('--gone is hide or unpublish.');
  if (args.json && args.markdown) return err('--json and --markdown exclude each other.');
  const address = addressOfGateway(args, variables);
  if (!address.ok) return address;
  const command: PlanCommand = {
    folder,
    out: args.out ?? null,
    format: args.json ? 'json' : args.markdown ? 'markdown' : 'text',
    isStrict: args.strict ?? false,
    include: patternsOf(args.include),
    exclude: patternsOf(args.exclude),
    projectVersion: args['project-version'],
    userId: args.user ?? null,
    options: { publish: args.publish ?? false, ifPublished, gone },
  };
  return ok({ address: address.value, command });
}

const patternsOf = (given = ''): readonly string[] =>
  given
    .split(',')
    .map((pattern) => pattern.trim().replace(/\/+$/u, ''))
    .filter((pattern) => pattern !== '');

function readApplyOptions(
  path: string,
  args: CommandOptions,
  variables: Variables,
): Result<WithAddress<ApplyCommand>, string> {
  const address = addressOfGateway(args, variables);
  const command = { path, projectVersion: args['project-version'], userId: args.user ?? null };
  return address.ok ? ok({ address: address.value, command }) : address;
}
