import { resolve } from 'node:path';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { type PlanItem, planIdOf } from '../../core/plans/plan-file.ts';
import { costOf } from '../../core/plans/plan-summary.ts';
import { readCategories, readTarget, targetNameOf } from '../../core/plans/target.ts';
import { print } from '../../server/process/terminal.ts';
import type { GatewayClient } from '../bulk-update/gateway-client.ts';
import { EXIT_CODES } from '../command-options.ts';
import { keepHeapSmall } from '../small-heap.ts';
import { buildPlan, type PlanOptions } from './build-plan.ts';
import { createFolderGateway } from './folder-gateway.ts';
import { LockFile } from './lock-file.ts';
import { sha256, writePlan } from './plan-files.ts';
import { planPage } from './plan-page.ts';
import { readFolder } from './read-folder.ts';

export interface PlanCommand {
  readonly folder: string;
  /** Null where the plan is only shown. */
  readonly out: string | null;
  readonly format: 'text' | 'markdown' | 'json';
  /** True where a file that would fail fails the plan. */
  readonly isStrict: boolean;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly projectVersion: string | undefined;
  readonly userId: string | null;
  readonly options: PlanOptions;
}

/** Runs `plan`: writes nothing but the plan. The result is the exit code of the process. */
export async function runPlan(client: GatewayClient, command: PlanCommand): Promise<Result<number, string>> {
  keepHeapSmall();
  const { folder, include, exclude, options, userId } = command;
  const gateway = createFolderGateway(client);
  const target = await readTarget(gateway, command.projectVersion);
  if (!target.ok) return target;
  const lock = LockFile.read(folder);
  if (!lock.ok) return lock;
  const now = new Date();
  const reading = readFolder(folder, { include, exclude, languages: target.value.languages, now });
  if (reading.files === 0) return err(`${toPrintable(folder)} has no files that end in .md, .mdx or .markdown.`);
  const categories = await readCategories(gateway, target.value);
  const locked = lock.value.entriesOf(targetNameOf(target.value));
  const plan = await buildPlan({ gateway, target: target.value, reading, categories, locked, options });
  const leftOut = [...reading.leftOut, ...plan.leftOut];
  const failing = leftOut.filter(({ isProblem }) => isProblem).length;
  const plain = {
    kind: 'plan' as const,
    format: 1 as const,
    createdAt: now.toISOString(),
    folder: resolve(folder),
    target: { ...target.value, languages: [...target.value.languages] },
    ifPublished: options.ifPublished,
    userId,
  };
  const items = [...plan.items, ...leftOut.map((file): PlanItem => ({ kind: 'left-out', ...file }))];
  const header = { ...plain, planId: planIdOf(plain, items, sha256) };
  const cost = costOf(plan.items, plan.listed, target.value.languages[0]);
  const page = { header, reading, plan, cost, leftOut };
  if (command.format === 'json') printJson(page);
  else print(planPage(page, command.format));
  if (failing > 0 && command.isStrict) return err(`${failing} files would fail, and --strict is set.`);
  const written = command.out === null ? ok(undefined) : await writePlan(command.out, { header, items });
  if (!written.ok) return written;
  return ok(failing > 0 ? EXIT_CODES.partly : EXIT_CODES.done);
}

/** Prints the plan for machines, without its texts. */
function printJson({ header, reading, plan, cost, leftOut }: Parameters<typeof planPage>[0]): void {
  const items = plan.items.map((item) =>
    'set' in item ? { ...item, set: { ...item.set, content: undefined }, lines: plan.details.get(item.path) } : item,
  );
  const { files, convention, links, notes } = reading;
  const others = Object.fromEntries(reading.others);
  const unusedFields = Object.fromEntries(reading.unusedFields);
  const allNotes = [...notes, ...plan.notes];
  print(
    `${JSON.stringify({ ...header, cost, files, convention, items, leftOut, others, unusedFields, links, notes: allNotes }, null, 2)}\n`,
  );
}
