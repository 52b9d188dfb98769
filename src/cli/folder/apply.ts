import { existsSync } from 'node:fs';
import { err, ok, type Result } from '../../core/base/result.ts';
import { print } from '../../server/process/terminal.ts';
import type { GatewayClient } from '../bulk-update/gateway-client.ts';
import { UPDATE_EXITS } from '../bulk-update/options.ts';
import { countTable } from '../bulk-update/progress.ts';
import { createPlannedCategories } from './apply-categories.ts';
import { createPlannedArticles } from './apply-creations.ts';
import { endGone, publishPlanned } from './apply-publications.ts';
import { ApplyRun } from './apply-run.ts';
import { changeTexts } from './apply-texts.ts';
import { LockFile } from './lock-file.ts';
import type { PlanFile } from './plan-file.ts';
import { listStoredArticles, readTarget, type Target, type TargetArticle, targetNameOf } from './target.ts';

export interface ApplyCommand {
  /** The file of the plan. */
  readonly path: string;
  readonly projectVersion: string | undefined;
  readonly userId: string | null;
}

/** The shortest time for which a gateway can be set to keep its keys (JOB_KEEP_DAYS), in milliseconds. */
const KEPT_MS = 24 * 60 * 60_000;

/** Does what a plan says, and nothing else. The result is the exit code of the process. */
export async function runApply(
  client: GatewayClient,
  command: ApplyCommand,
  plan: PlanFile,
): Promise<Result<number, string>> {
  const { header } = plan;
  const target = await readTarget(client, command.projectVersion ?? header.target.projectVersionId);
  const problem = target.ok ? problemOf(plan, { target: target.value, command }) : target.error;
  if (problem !== null) return err(problem);
  const lock = existsSync(header.folder) ? LockFile.read(header.folder) : ok(null);
  if (!lock.ok) return lock;
  try {
    const stored = await readStored(client, plan);
    const userId = command.userId ?? header.userId ?? '';
    const run = new ApplyRun({ client, plan, userId, lock: lock.value, path: command.path, stored });
    for (const step of [createPlannedCategories, createPlannedArticles, changeTexts, endGone, publishPlanned])
      await step(run);
    print(countTable(Object.fromEntries(run.counts)) || 'There is nothing to do.\n');
    return ok(run.counts.has('not done') ? UPDATE_EXITS.notAllUpdated : UPDATE_EXITS.done);
  } catch (error) {
    if (client.signal.aborted) return err(`stopped. ${GO_ON}`);
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    return err(`${error.message} ${GO_ON}`);
  }
}

/** Why a plan is not applied; null where it is. */
function problemOf(plan: PlanFile, { target, command }: { readonly target: Target; readonly command: ApplyCommand }) {
  const { header } = plan;
  const [planned, found] = [header.target, target].map((one) => `${one.projectVersionName} (${targetNameOf(one)})`);
  if (targetNameOf(target) !== targetNameOf(header.target)) return `the plan is for ${planned}, and this is ${found}.`;
  if ((command.userId ?? header.userId) === null && needsUser(plan))
    return 'name the account that creates and publishes by --user ID.';
  return Date.now() - Date.parse(header.createdAt) > KEPT_MS ? 'the plan is older than a day. Plan again.' : null;
}

const GO_ON = 'The same command goes on.';

const needsUser = ({ header, items }: PlanFile): boolean =>
  header.ifPublished === 'FORK' ||
  items.some((item) => item.kind === 'create' || item.kind === 'category' || ('publish' in item && item.publish)) ||
  items.some((item) => item.kind === 'gone' && item.action === 'unpublish');

/** The lists of the languages that the plan writes. */
async function readStored(client: GatewayClient, { header, items }: PlanFile) {
  const stored = new Map<string, ReadonlyMap<string, TargetArticle>>();
  const languages = new Set(items.flatMap((item) => ('language' in item ? [item.language] : [])));
  for (const language of languages) stored.set(language, await listStoredArticles(client, header.target, language));
  return stored;
}
