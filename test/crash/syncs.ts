import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askOf, inFolder, start } from './gateways.ts';
import { makeDatabase } from './knowledge.ts';
import { createLedger } from './ledger.ts';
import { createSubjects } from './subjects.ts';

export interface SyncReport {
  /** Acknowledged writes, each sent after the one before it was acknowledged. */
  readonly writes: number;
  /** Calls of fsync and fdatasync meanwhile. */
  readonly syncs: number;
}

/** True when system calls can be counted on this machine. */
export function canTrace(): boolean {
  try {
    execFileSync('strace', ['-f', '-e', 'trace=fsync', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Counts how often a gateway syncs the disk while one client writes to it. */
export const countSyncs = (writes: number): Promise<SyncReport> =>
  inFolder(async (folder) => {
    await makeDatabase(folder);
    const { gateway } = await start(folder);
    const log = join(folder, 'syncs');
    const args = ['-f', '-e', 'trace=fsync,fdatasync', '-o', log, '-p', `${gateway.pid}`];
    const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    await once(tracer.stderr, 'data');
    const ledger = createLedger();
    const [subject] = createSubjects();
    for (let write = 0; subject && write < writes; write++) await ledger.write(askOf(gateway), subject);
    const ended = once(tracer, 'close');
    tracer.kill('SIGINT');
    await ended;
    await gateway.stop();
    const calls = (await readFile(log, 'utf8')).match(/\b(?:fsync|fdatasync)\(/gu) ?? [];
    return { writes: ledger.acknowledged.writes, syncs: calls.length };
  });
