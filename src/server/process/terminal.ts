import type { WriteStream } from 'node:tty';
import { SingleBar } from 'cli-progress';
import { toPrintable, toPrintableLines } from '../../core/base/printable.ts';

// The only writer of the commands to stdout and stderr. scripts/writers.ts finds other code that writes to them.

/** Prints lines on stdout. Where a file there can't take them, as on a full disk, the command fails. */
export const print = (text: string): void =>
  void process.stdout.write(toPrintableLines(text), (error) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!UNWRITTEN.has(code) || process.listeners('exit').includes(failAtExit)) return;
    process.once('exit', failAtExit);
    complain(`the output can't be written (${code}).`);
  });

/** The errors of a file, and none of a reader that has ended. */
const UNWRITTEN: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);

function failAtExit(): void {
  process.exitCode ||= 1;
}

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

/** Lets the process continue when the reader of its output ends (`| head`). */
export function ignoreClosedReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

export interface ProgressBar {
  /** Shows the bar. The texts replace the placeholders of the format with their names. */
  show(done: number, total: number, texts?: Readonly<Record<string, string>>): void;
  stop(): void;
}

/** The time between two lines of a bar, in milliseconds. */
const LINE_INTERVAL_MS = 10_000;

/** Creates a bar on stderr. Without a terminal nothing is shown, or lines are. */
export function createProgressBar(format: string, { alsoAsLines = false } = {}): ProgressBar {
  const lines = { noTTYOutput: alsoAsLines, notTTYSchedule: LINE_INTERVAL_MS };
  // Without `gracefulExit`, Ctrl-C ends the process at once.
  const bar = new SingleBar({ format, gracefulExit: false, stream: process.stderr, ...lines });
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
