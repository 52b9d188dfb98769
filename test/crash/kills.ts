import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { askOf, findingsOf, inFolder, interruptStart, start } from './gateways.ts';
import { makeDatabase } from './knowledge.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type Ask, createSubjects, type Subject } from './subjects.ts';

export interface KillPlan {
  /** Every other of them while the process starts. */
  readonly kills: number;
  /** So many writes are to be acknowledged, by more kills if need be. */
  readonly writes: number;
  /** Milliseconds that one process is written to before it is killed: any number up to this one. */
  readonly longestLife: number;
  /** `performance.now()` when no further process is started. */
  readonly until: number;
}

export interface KillReport {
  readonly ledger: Ledger;
  readonly kills: number;
  /** What SQLite found wrong with the files after the kills. */
  readonly findings: readonly string[];
  /** How long each start took, in milliseconds; the first had no crash before it. */
  readonly startsMs: readonly number[];
}

const READERS = 2;

/**
 * Clients write to a gateway, each to what is its own, while others read; at a random moment the gateway is killed by
 * `SIGKILL`, and once more while it starts; its files are checked, and it is started again, again and again. After each
 * start everything is read.
 */
export const killAgainAndAgain = (plan: KillPlan): Promise<KillReport> =>
  inFolder(async (folder) => {
    await makeDatabase(folder);
    const subjects = createSubjects();
    const ledger = createLedger();
    const findings: string[] = [];
    const startsMs: number[] = [];
    let kills = 0;
    const isDone = () => kills >= plan.kills && ledger.acknowledged.writes >= plan.writes;
    while (!isDone() && performance.now() < plan.until) {
      const { gateway, startMs } = await start(folder);
      startsMs.push(startMs);
      const ask = askOf(gateway);
      await checkAll(ledger, ask, subjects);
      const clients = keepBusy(ledger, ask, subjects);
      await sleep(randomInt(50, plan.longestLife));
      await gateway.stop('SIGKILL');
      await clients;
      await interruptStart(folder);
      kills += 2;
      findings.push(...(await findingsOf(folder)));
    }
    const { gateway, startMs } = await start(folder);
    startsMs.push(startMs);
    await checkAll(ledger, askOf(gateway), subjects);
    await gateway.stop();
    return { ledger, kills, findings, startsMs };
  });

export async function checkAll(ledger: Ledger, ask: Ask, subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) await ledger.check(ask, subject, true);
}

/** Until the gateway is gone, each client waiting for its answer before it goes on. */
async function keepBusy(ledger: Ledger, ask: Ask, subjects: readonly Subject[]): Promise<void> {
  const writers = subjects.map((subject) => untilGone(() => ledger.write(ask, subject)));
  const readers = Array.from({ length: READERS }, (_, reader) => {
    let next = reader;
    return untilGone(() => {
      const subject = subjects[next++ % subjects.length];
      return subject ? ledger.check(ask, subject, false) : Promise.resolve();
    });
  });
  await Promise.all([...writers, ...readers]);
}

async function untilGone(work: () => Promise<unknown>): Promise<void> {
  try {
    while (true) await work();
  } catch (error) {
    // What `fetch` and a cut body throw; an answer that is no answer is thrown on.
    if (error instanceof TypeError || error instanceof SyntaxError) return;
    throw error;
  }
}
