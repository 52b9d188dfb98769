import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder } from './gateways.ts';
import { DATABASE, makeDatabase } from './knowledge.ts';
import { type TroubleReport, trouble } from './trouble.ts';

const BALLAST = 'ballast';

/** True when file systems can be mounted on this machine. */
export const canMount = (): boolean => process.platform === 'linux' && process.getuid?.() === 0 && mounts();

function mounts(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Uses a disk of 8 MB that another program fills to the last byte, and later frees again. */
export const onFullDisk = (): Promise<TroubleReport> =>
  inFolder(async (folder) => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]);
    try {
      await makeDatabase(folder);
      return await trouble(folder, {
        begin: () => fill(join(folder, BALLAST)),
        end: () => rmSync(join(folder, BALLAST)),
      });
    } finally {
      execFileSync('umount', ['-l', folder]);
    }
  });

function fill(path: string): void {
  const file = openSync(path, 'w');
  const block = Buffer.alloc(64 * 1024);
  try {
    while (writeSync(file, block) > 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(file);
  }
}

const FILES = [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`];

/** True when a file of the temporary folder can be made immutable, even for a process that has it open. */
export const canLock = (): boolean => process.platform === 'linux' && process.getuid?.() === 0 && locks();

function locks(): boolean {
  try {
    const script =
      'f=$(mktemp) && exec 3>"$f" && chattr +i "$f" && ! (echo x >&3) 2>/dev/null; s=$?; chattr -i "$f"; rm "$f"; exit $s';
    execFileSync('sh', ['-c', script], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Makes the files read-only for everybody while the gateway has them open, and later writable again. */
export const onReadOnlyFiles = (): Promise<TroubleReport> =>
  inFolder(async (folder) => {
    await makeDatabase(folder);
    const change = (flag: string) => execFileSync('chattr', [flag, ...FILES], { cwd: folder });
    return trouble(folder, { begin: () => change('+i'), end: () => change('-i') });
  });
