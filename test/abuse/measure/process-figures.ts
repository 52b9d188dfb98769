import { readFile, writeFile } from 'node:fs/promises';

/* Figures that Linux reports about another process. On other systems they are 0. */

/** CPU time of the thread that runs the event loop so far, in milliseconds. */
export async function threadTimeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the thread is in brackets and may have spaces; user and system time are the 14th and 15th value.
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(values[11] ?? 0) + Number(values[12] ?? 0)) * TICK_MS;
}

/** Linux counts in hundredths of a second on every machine. */
const TICK_MS = 10;

/** Resident memory now, and its peak since `resetPeak`, in MB. */
export async function memoryOf(pid: number): Promise<{ readonly nowMb: number; readonly peakMb: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const megabytes = (line: RegExp): number => Math.round(Number(line.exec(status)?.[1] ?? 0) / 1024);
  return { nowMb: megabytes(/^VmRSS:\s+(\d+) kB$/mu), peakMb: megabytes(/^VmHWM:\s+(\d+) kB$/mu) };
}

/** Sets the peak to the present resident memory. */
export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => {});
}
