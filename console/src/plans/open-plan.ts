import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { config } from 'zod';
import { err, ok, type Result } from '../../../src/core/base/result.ts';
import { planRefusal, readStored } from '../../../src/core/plans/apply.ts';
import type { ApplyOptions } from '../../../src/core/plans/apply-run.ts';
import { type PlanFile, readPlan, type Sha256 } from '../../../src/core/plans/plan-file.ts';
import type { PlanGateway } from '../../../src/core/plans/plan-gateway.ts';
import { readTarget } from '../../../src/core/plans/target.ts';

/** The most bytes of a plan that the page reads. The command has no such limit. */
const MAX_PLAN_BYTES = 128 * 1024 ** 2;
const PART_BYTES = 512 * 1024;

/** `crypto.subtle` exists only over https. */
export const sha256: Sha256 = (text) => bytesToHex(digest(utf8ToBytes(text)));

export interface OpenPlan {
  readonly name: string;
  readonly plan: PlanFile;
  readonly stored: ApplyOptions['stored'];
}

/** Reads and checks a plan, and the lists of the languages that it writes. The error is a sentence for people. */
export async function openPlan(gateway: PlanGateway, file: File): Promise<Result<OpenPlan, string>> {
  const { name, size } = file;
  if (size > MAX_PLAN_BYTES)
    return err(
      `${name} has more than ${MAX_PLAN_BYTES / 1024 ** 2} MiB, the most that this page reads: apply it by the command.`,
    );
  // The policy of the page permits no code from texts, with which zod would be faster.
  config({ jitless: true });
  const read = await readPlan(partsOf(file), sha256);
  if (!read.ok) return err(`${name} ${read.error}`);
  const plan = read.value;
  const target = await readTarget(gateway, plan.header.target.projectVersionId);
  const refusal = target.ok ? planRefusal(plan, target.value) : target.error;
  if (refusal !== null) return err(`${name} can't be applied here: ${refusal}`);
  return ok({ name, plan, stored: await readStored(gateway, plan) });
}

/** Between two parts the page can do something else. */
async function* partsOf(file: File): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for (let start = 0; start < file.size; start += PART_BYTES) {
    const bytes = await file.slice(start, start + PART_BYTES).arrayBuffer();
    yield decoder.decode(bytes, { stream: true });
  }
}
