import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { askOf, findingsOf, inFolder, interruptStart, start } from './gateways.ts';
import { makeDatabase } from './knowledge.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type Ask, createSubjects, type Subject } from './subjects.ts';

export interface KillPlan {
  /** The number of kills; every other one is during the start of the process. */
  readonly kills: number;
  /** The number of writes that must be acknowledged, with more kills if necessary. */
  readonly writes: number;
  /** The longest time until a process that acknowledged its part of the writes is killed, in milliseconds; it is random. */
  readonly longestLife: number;
  /** `performance.now()` after which no further process is started. */
  readonly until: number;
}

export interface KillReport {
  readonly ledger: Ledger;
  readonly kills: number;
  /** The problems that SQLite found in the files after the kills. */
  readonly findings: readonly string[];
  /** The duration of each start, in milliseconds; there was no crash before the first. */
  readonly startsMs: readonly number[];
}

const READERS = 2;

/**
 * Clients write to a gateway, each to items of its own, while others read. At a random moment the gateway is killed by
 * `SIGKILL`, and once more while it starts; then its files are checked and it is started again. This is repeated, and
 * after each start everything is read.
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
      await Promise.race([clients, shareOfWrites(ledger, plan)]);
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

/** Waits until a process has acknowledged its part of the writes: a busy machine needs longer, and no more kills. */
async function shareOfWrites({ acknowledged }: Ledger, { kills, writes, until }: KillPlan): Promise<void> {
  const enough = acknowledged.writes + (2 * writes) / kills;
  while (acknowledged.writes < enough && performance.now() < until) await sleep(1);
}

export async function checkAll(ledger: Ledger, ask: Ask, subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) await ledger.check(ask, subject, true);
}

/** Runs clients until the gateway has ended; each waits for its response before it continues. */
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
    // `fetch` and a truncated body throw these. Any other error is a fault of the gateway.
    if (error instanceof TypeError || error instanceof SyntaxError) return;
    throw error;
  }
}
