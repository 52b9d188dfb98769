import type { WriteStream } from 'node:tty';
import { SingleBar } from 'cli-progress';
import { toPrintable, toPrintableLines } from '../base/printable.ts';

// The only writer of the commands to stdout and stderr. scripts/writers.ts keeps other code from these streams.

/** Prints lines on stdout. */
export const print = (text: string): void => void process.stdout.write(toPrintableLines(text));

/** Prints lines on stderr. */
export const printError = (text: string): void => void process.stderr.write(toPrintableLines(text));

/** Prints a problem on stderr. */
export const complain = (text: string): void => printError(`kb-gateway: ${text}\n`);

interface StandardStreams {
  readonly stdout: WriteStream;
  readonly stderr: WriteStream;
}

/** The streams for the lines of a log, which are encoded already, and for the messages of MCP, which no person reads. */
export const standardStreams = (): StandardStreams => ({ stdout: process.stdout, stderr: process.stderr });

/** The process goes on when the reader of its output ends (`| head`). */
export function ignoreClosedReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** True where stderr shows a bar. */
export const canShowProgress = (): boolean => process.stderr.isTTY;

/** A bar on stderr, which is shown on a terminal only. */
export interface ProgressBar {
  /** Starts the bar at the first call. The texts fill the places of the format that have their names. */
  show(done: number, total: number, texts?: Readonly<Record<string, string>>): void;
  stop(): void;
}

export function createProgressBar(format: string): ProgressBar {
  // Without `gracefulExit` Ctrl-C ends the process at once.
  const bar = new SingleBar({ format, gracefulExit: false, stream: process.stderr });
  return {
    show: (done, total, texts = {}) => {
      const printable = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, toPrintable(text)]));
      if (bar.isActive) {
        bar.setTotal(total);
        bar.update(done, printable);
      } else bar.start(total, done, printable);
    },
    stop: () => bar.stop(),
  };
}
