import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { toPrintable } from '../../core/base/printable.ts';
import { err, type Result } from '../../core/base/result.ts';
import { type PlanFile, planLines, readPlan, type Sha256 } from '../../core/plans/plan-file.ts';
import { writeNewFile } from '../knowledge-base/new-file.ts';

export const sha256: Sha256 = (text) => hash('sha256', text);

/** Writes a plan to a new file that only its owner may read: a line for each item, and one at the end. */
export async function writePlan(path: string, plan: PlanFile): Promise<Result<void, string>> {
  const written = await writeNewFile(path, bytesOf(plan));
  return written.ok ? written : err(`${toPrintable(path)}: ${written.error}`);
}

async function* bytesOf(plan: PlanFile): AsyncGenerator<Uint8Array> {
  for (const line of planLines(plan)) yield Buffer.from(line);
}

/** Reads a whole plan. The error says why it is none. */
export async function readPlanFile(path: string): Promise<Result<PlanFile, string>> {
  const name = toPrintable(path);
  try {
    const plan = await readPlan(createReadStream(path, 'utf8'), sha256);
    return plan.ok ? plan : err(`${name} ${plan.error}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return err(`${name} can't be read (${error.code}).`);
  }
}
