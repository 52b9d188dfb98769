import { readFile, writeFile } from 'node:fs/promises';

/* What Linux tells of another process. Elsewhere there is nothing to read, and everything is 0. */

/** CPU time that the thread of the event loop has used so far, in milliseconds. */
export async function threadTimeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the thread stands in brackets and may hold spaces; user and system time are the 14th and 15th value.
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(values[11] ?? 0) + Number(values[12] ?? 0)) * TICK_MS;
}

/** Linux counts these in hundredths of a second, whatever the machine. */
const TICK_MS = 10;

/** Resident memory now, and at most since `forgetPeak`, in MB. */
export async function memoryOf(pid: number): Promise<{ readonly nowMb: number; readonly peakMb: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const megabytes = (line: RegExp): number => Math.round(Number(line.exec(status)?.[1] ?? 0) / 1024);
  return { nowMb: megabytes(/^VmRSS:\s+(\d+) kB$/mu), peakMb: megabytes(/^VmHWM:\s+(\d+) kB$/mu) };
}

/** Lets the peak begin again at what is resident now. */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => {});
}
