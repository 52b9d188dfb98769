import { err, ok, type Result } from '../../core/base/result.ts';
import { printError } from '../../server/process/terminal.ts';
import { runUntilStopped, warnOfPlainHttp } from '../bulk-update/bulk-update.ts';
import { type GatewayAddress, GatewayClient } from '../bulk-update/gateway-client.ts';
import { addressOfGateway, IF_PUBLISHED } from '../bulk-update/options.ts';
import { type ApplyCommand, runApply } from './apply.ts';
import { type PlanCommand, runPlan } from './plan-command.ts';
import { readPlanFile } from './plan-files.ts';

type Variables = Readonly<Record<string, string | undefined>>;
type Exit = Promise<Result<number, string>>;

/** The options of the command line of `plan` and `apply`. */
interface FolderArguments {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly user?: string | undefined;
  readonly 'project-version'?: string | undefined;
  readonly out?: string | undefined;
  readonly json?: boolean | undefined;
  readonly markdown?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
  readonly publish?: boolean | undefined;
  readonly 'if-published'?: string | undefined;
  readonly gone?: string | undefined;
}

/** Runs `plan`. */
export const planFolder = (folder: string, args: FolderArguments, variables: Variables): Exit =>
  runOnGateway('plan', { options: readPlanOptions(folder, args, variables), variables }, runPlan);

/** Runs `apply`. */
export const applyPlanFile = (path: string, args: FolderArguments, variables: Variables): Exit =>
  runOnGateway('apply', { options: readApplyOptions(path, args, variables), variables }, async (client, command) => {
    const plan = await readPlanFile(path);
    return plan.ok ? runApply(client, command, plan.value) : plan;
  });

const runOnGateway = <Command>(
  name: string,
  given: { readonly options: Result<WithAddress<Command>, string>; readonly variables: Variables },
  run: (client: GatewayClient, command: Command) => Exit,
): Exit =>
  runUntilStopped(name, given, async ({ address, command }, signal) => {
    warnOfPlainHttp(address.url);
    return run(new GatewayClient(address, signal, (text) => printError(`${text}\n`)), command);
  });

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
  args: FolderArguments,
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
  args: FolderArguments,
  variables: Variables,
): Result<WithAddress<ApplyCommand>, string> {
  const address = addressOfGateway(args, variables);
  const command = { path, projectVersion: args['project-version'], userId: args.user ?? null };
  return address.ok ? ok({ address: address.value, command }) : address;
}
