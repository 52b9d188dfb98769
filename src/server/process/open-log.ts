import type { WriteStream } from 'node:tty';
import type { Log } from '../../core/base/log.ts';
import { createLogger, formatJsonLine, formatPrettyLine } from '../../core/base/logger.ts';
import type { MisspeltSetting } from '../config/misspelt-settings.ts';
import type { Config } from '../config.ts';
import { createLineWriter } from './line-writer.ts';
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
