import { appendFileSync, closeSync, constants, existsSync } from 'node:fs';
import { z } from 'zod';
import { openPlainFile, readBoundedFile } from '../../core/base/bounded-file.ts';
import { jsonIn } from '../../core/base/json.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { applyPlan, needsUser, planRefusal, readStored } from '../../core/plans/apply.ts';
import { isDone, type Journal, type KeptEntry, type Outcome } from '../../core/plans/apply-run.ts';
import type { PlanFile } from '../../core/plans/plan-file.ts';
import { readTarget, targetNameOf } from '../../core/plans/target.ts';
import { print } from '../../server/process/terminal.ts';
import type { GatewayClient } from '../bulk-update/gateway-client.ts';
import { countTable } from '../bulk-update/progress.ts';
import { EXIT_CODES } from '../command-options.ts';
import { createFolderGateway } from './folder-gateway.ts';
import { LockFile } from './lock-file.ts';
import { sha256 } from './plan-files.ts';

export interface ApplyCommand {
  /** The file of the plan. */
  readonly path: string;
  readonly projectVersion: string | undefined;
  readonly userId: string | null;
}

/** Does what a plan says, and nothing else. The result is the exit code of the process. */
export async function runApply(
  client: GatewayClient,
  command: ApplyCommand,
  plan: PlanFile,
): Promise<Result<number, string>> {
  const { header } = plan;
  const gateway = createFolderGateway(client);
  const target = await readTarget(gateway, command.projectVersion ?? header.target.projectVersionId);
  if (!target.ok) return target;
  const userId = command.userId ?? header.userId;
  const problem = planRefusal(plan, target.value) ?? userProblem(plan, userId);
  if (problem !== null) return err(problem);
  const lock = readLock(header.folder);
  if (!lock.ok) return lock;
  const { counts, ...reports } = createReports(lock.value);
  try {
    await applyPlan({
      gateway,
      plan,
      userId: userId ?? '',
      sha256,
      locked: new Map(lock.value?.entriesOf(targetNameOf(header.target)).map(({ path, id }) => [path, id])),
      journal: new FileJournal(command.path, header.planId),
      stored: await readStored(gateway, plan),
      ...reports,
    });
    print(countTable(Object.fromEntries(counts)) || 'There is nothing to do.\n');
    return ok(counts.has(NOT_DONE) ? EXIT_CODES.partly : EXIT_CODES.done);
  } catch (error) {
    if (client.signal.aborted) return err(`stopped. ${GO_ON}`);
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    return err(`${error.message} ${GO_ON}`);
  }
}

/** Reads the lock file of a folder. The result is null where the folder does not exist on this machine. */
const readLock = (folder: string): Result<LockFile | null, string> =>
  existsSync(folder) ? LockFile.read(folder) : ok(null);

const userProblem = (plan: PlanFile, userId: string | null): string | null =>
  userId === null && needsUser(plan) ? 'name the account that creates and publishes by --user ID.' : null;

/** Counts outcomes, prints why items were not done, and writes the lock file, where there is one. */
function createReports(lock: LockFile | null) {
  const counts = new Map<string, number>();
  return {
    counts,
    onOutcome(path: string, outcome: Outcome, reason?: string) {
      const name = isDone(outcome) ? outcome : NOT_DONE;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (reason !== undefined) print(`${toPrintable(path)}: ${toPrintable(reason)}\n`);
    },
    keep(entries: readonly KeptEntry[]) {
      lock?.set(entries);
      const written = lock?.write() ?? ok(undefined);
      if (!written.ok) throw new Error(written.error);
    },
  };
}

const NOT_DONE = 'not done';
const GO_ON = 'The same command goes on.';

/** The parts whose creation has begun, with the paths that were sent, in a file beside the plan. */
class FileJournal implements Journal {
  readonly #path: string;
  readonly #planId: string;

  constructor(planPath: string, planId: string) {
    this.#path = `${planPath}.begun`;
    this.#planId = planId;
  }

  begun(part: string): readonly string[] | null {
    if (!existsSync(this.#path)) return null;
    const read = readBoundedFile(this.#path, { maxBytes: MAX_JOURNAL_BYTES });
    if (!read.ok) throw new Error(`${toPrintable(this.#path)} ${read.error}.`);
    const lines = read.value.toString().split('\n');
    const found = lines
      .map((line) => lineShape.safeParse(jsonIn(line)).data)
      .find((entry) => entry?.plan === this.#planId && entry.part === part);
    return found?.paths ?? null;
  }

  begin(part: string, paths: readonly string[]): void {
    const opened = openPlainFile(this.#path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
    if (!opened.ok) throw new Error(`${toPrintable(this.#path)} ${opened.error}.`);
    try {
      appendFileSync(opened.value, `${JSON.stringify({ plan: this.#planId, part, paths })}\n`, { flush: true });
    } finally {
      closeSync(opened.value);
    }
  }
}

const MAX_JOURNAL_BYTES = 64 * 1024 ** 2;
const lineShape = z.object({ plan: z.string(), part: z.string(), paths: z.array(z.string()) });
