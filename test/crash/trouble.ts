import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningGateway } from '../support/process.ts';
import { askOf, findingsOf, readinessOf, start } from './gateways.ts';
import { checkAll } from './kills.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createSubjects } from './subjects.ts';

/** A temporary problem with the files of a store. */
export interface Trouble {
  readonly begin: () => void;
  readonly end: () => void;
}

export interface TroubleReport {
  /** Its `refusals` are the outcomes during the problem, by type name and count. */
  readonly ledger: Ledger;
  /** The acknowledged writes before, during and after the problem. */
  readonly acknowledged: { readonly before: number; readonly during: number; readonly after: number };
  /** The status of `/health/ready` before, during and after the problem, in the same process. */
  readonly readiness: readonly number[];
  readonly findings: readonly string[];
}

/** Rounds of writes to all subjects. */
const ROUNDS_DURING = 20;
const ROUNDS_AROUND = 3;

/** Readiness is checked every 5 s: see docs/contract.md, "Routes". */
const READINESS_WAIT_MS = 15_000;

/** Writes to a gateway before, during and after the problem; then kills it and reads what is stored. */
export async function trouble(folder: string, { begin, end }: Trouble): Promise<TroubleReport> {
  const subjects = createSubjects();
  const ledger = createLedger();
  const { gateway } = await start(folder);
  const ask = askOf(gateway);
  /** Writes to all subjects `count` times, and returns the number of acknowledged writes. */
  const rounds = async (count: number) => {
    const before = ledger.acknowledged.writes;
    for (let round = 0; round < count; round++) {
      await Promise.all(subjects.map((subject) => ledger.write(ask, subject)));
    }
    return ledger.acknowledged.writes - before;
  };
  const before = await rounds(ROUNDS_AROUND);
  const readiness = [await settledReadiness(gateway, 200)];
  begin();
  const during = await ended(end, async () => {
    const acknowledged = await rounds(ROUNDS_DURING);
    await checkAll(ledger, ask, subjects);
    readiness.push(await settledReadiness(gateway, 503));
    return acknowledged;
  });
  const after = await rounds(ROUNDS_AROUND);
  await checkAll(ledger, ask, subjects);
  readiness.push(await settledReadiness(gateway, 200));
  await gateway.stop('SIGKILL');
  const findings = await findingsOf(folder);
  const { gateway: next } = await start(folder);
  await checkAll(ledger, askOf(next), subjects);
  await next.stop();
  return { ledger, acknowledged: { before, during, after }, readiness, findings };
}

async function ended<T>(end: () => void, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    end();
  }
}

/** The status once it is the expected one, or after the longest wait. */
async function settledReadiness(gateway: RunningGateway, expected: number): Promise<number> {
  const until = performance.now() + READINESS_WAIT_MS;
  let status = await readinessOf(gateway);
  while (status !== expected && performance.now() < until) {
    await sleep(250);
    status = await readinessOf(gateway);
  }
  return status;
}
