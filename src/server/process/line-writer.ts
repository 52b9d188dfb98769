import { MAX_BUFFERED_LOG_CHARS } from '../../core/base/limits.ts';
import type { FormatLine } from '../../core/base/logger.ts';

/** The longest time for which lines wait for each other, and the characters at which they are written at once. */
const FLUSH_MS = 20;
const FLUSH_CHARS = 64 * 1024;

export interface LineWriterOptions {
  readonly write: (text: string) => void;
  /** Returns the number of characters that the stream holds, so that a pipe without a reader can't fill the memory. */
  readonly bufferedChars: () => number;
  readonly formatLine: FormatLine;
}

/**
 * Writes the lines of some milliseconds together, since a write to a file or a pipe is synchronous: in a profile, one
 * write for the lines of each tick took a seventh of the time of a single update. The rest is written when the process
 * exits; a process that is killed loses the lines of these milliseconds.
 */
export function createLineWriter({ write, bufferedChars, formatLine }: LineWriterOptions): (line: string) => void {
  let text = '';
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    process.off('exit', flush);
    const lines = text;
    text = '';
    if (lines !== '') write(lines);
  };
  return (line) => {
    if (bufferedChars() + text.length + line.length > MAX_BUFFERED_LOG_CHARS) {
      dropped += 1;
      return;
    }
    if (text === '') {
      timer = setTimeout(flush, FLUSH_MS);
      process.once('exit', flush);
    }
    if (dropped > 0) text += formatLine(droppedLines(dropped));
    dropped = 0;
    text += line;
    if (text.length >= FLUSH_CHARS) flush();
  };
}

const droppedLines = (lines: number) =>
  ({
    time: new Date().toISOString(),
    level: 'warn',
    message: 'lines of the log were dropped',
    fields: { lines },
  }) as const;
