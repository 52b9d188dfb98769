import type { WriteStream } from 'node:tty';
import { MAX_BUFFERED_LOG_CHARS } from '../../core/base/limits.ts';
import type { Log } from '../../core/base/log.ts';
import { createLogger, type FormatLine, formatJsonLine, formatPrettyLine } from '../../core/base/logger.ts';
import type { MisspeltSetting } from '../config/misspelt-settings.ts';
import type { Config } from '../config.ts';
import { standardStreams } from './terminal.ts';

const FORMATS = { json: formatJsonLine, pretty: formatPrettyLine };

export interface ProcessLog {
  readonly log: Log;
  /** Writes a line, with its line feed, after those that were logged before, whatever the level of the log. */
  readonly writeLine: (line: string) => void;
}

/** Opens the log of a server, on stdout unless that is used otherwise. */
export function openLog({ level, format }: Config['log'], stream: WriteStream = standardStreams().stdout): ProcessLog {
  const formatLine = FORMATS[format ?? (stream.isTTY ? 'pretty' : 'json')];
  const writeLine = createLineWriter({
    write: createQuietWriter(stream),
    bufferedChars: () => stream.writableLength,
    formatLine,
  });
  return { log: createLogger({ level, formatLine, write: writeLine }), writeLine };
}

/** Writes like the console: a closed reader is no error for this process. */
function createQuietWriter(stream: WriteStream): (text: string) => void {
  const ignore = () => {};
  let pending = 0;
  return (text) => {
    pending += 1;
    if (pending === 1) stream.on('error', ignore);
    stream.write(text, () => {
      pending -= 1;
      // The error event follows this call.
      if (pending === 0) setImmediate(() => pending === 0 && stream.off('error', ignore));
    });
  };
}

/** Logs warnings about settings, and the variables that look like settings. */
export function logWarnings({ warnings }: Config, misspelt: readonly MisspeltSetting[], log: Log): void {
  for (const setting of misspelt) log('warn', 'a variable looks like a setting and is none', { ...setting });
  for (const warning of warnings) log('warn', 'a setting may not be what is meant', { ...warning });
}

/** Opens a log whose lines are passed to a function. */
export const openLineLog = ({ level, format }: Config['log'], writeLine: (line: string) => unknown): Log =>
  createLogger({ level, formatLine: FORMATS[format ?? 'json'], write: (line) => tryWriting(writeLine, line) });

/** A line that can't be written must not break the call that it reports. There is no other log for the reason. */
function tryWriting(writeLine: (line: string) => unknown, line: string): void {
  // A returned promise, or thenable, may reject later.
  new Promise((resolve) => resolve(writeLine(line))).catch(() => {});
}

/** The longest time for which lines wait for each other, and the characters at which they are written at once. */
const FLUSH_MS = 100;
const FLUSH_CHARS = 64 * 1024;

interface LineWriterOptions {
  readonly write: (text: string) => void;
  /** Returns the number of characters that the stream holds, so that a pipe without a reader can't fill the memory. */
  readonly bufferedChars: () => number;
  readonly formatLine: FormatLine;
}

/**
 * Writes the lines of some milliseconds together, since a write to a file or a pipe is synchronous: in a profile, one
 * write for the lines of each tick took a seventh of the time of a single update. The rest is written when the process
 * exits; a process that is killed loses the lines of these milliseconds.
 *
 * @internal Exported for tests.
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
