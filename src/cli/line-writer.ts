import type { FormatLine } from '../log-lines.ts';

/** Characters that are kept for a slow reader. Further lines are dropped and counted. */
const MAX_BUFFERED_CHARS = 4 * 1024 ** 2;

export interface LineWriterOptions {
  readonly write: (text: string) => void;
  /** Returns what the stream still holds, so that a pipe that is not read cannot fill the memory. */
  readonly bufferedChars: () => number;
  /** Formats the line that takes the place of dropped ones. */
  readonly formatLine: FormatLine;
}

/**
 * Writes the lines of one tick together, because a write to a file is synchronous: by a profile, one write per line
 * took a tenth of the time of a reader group update. The rest is written when the process exits.
 */
export function createLineWriter({ write, bufferedChars, formatLine }: LineWriterOptions): (line: string) => void {
  let text = '';
  let dropped = 0;
  const flush = () => {
    if (text !== '') write(text);
    text = '';
  };
  process.once('exit', flush);
  return (line) => {
    if (bufferedChars() + text.length + line.length > MAX_BUFFERED_CHARS) {
      dropped += 1;
      return;
    }
    if (text === '') setImmediate(flush);
    if (dropped > 0) text += formatLine(droppedLines(dropped));
    dropped = 0;
    text += line;
  };
}

const droppedLines = (lines: number) =>
  ({ time: new Date().toISOString(), level: 'warn', message: 'lines of the log were dropped', lines }) as const;
